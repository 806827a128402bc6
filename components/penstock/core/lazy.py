"""Names of a package that load when they are first asked for, because what holds them brings a large SDK with it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any


def lazy(package: str, modules: Mapping[str, str], *, below: str = "") -> tuple[Callable[[str], Any], list[str]]:
    """Return a package's `__getattr__` and `__all__`, of the names that each of its modules gives.

    `modules` has the names of each module, parted by spaces: `{"keys": "Keys", "handles": "KeyHandle BucketHandle"}`;
    they lie in the package itself, or in the one `below` it.
    """
    home = f"{package}.{below}" if below else package
    homes = {name: module for module, names in modules.items() for name in names.split()}

    def load(name: str) -> Any:
        if name not in homes:
            message = f"module {package!r} has no attribute {name!r}"
            raise AttributeError(message)
        return getattr(import_module(f"{home}.{homes[name]}"), name)

    return load, sorted(homes)
