"""Imports of a provider's SDK only what a program uses.

A generated SDK has a package for each service whose `__init__` imports every resource of it (`from .vpc import *`, and
so on 180 times for EC2), which takes longer than a rehearsal itself. While a program runs, those packages load each
resource when it is first named. Whatever else is in an `__init__` runs as always.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from pathlib import Path
from types import ModuleType
from typing import Any

_SERVICE_PACKAGE = re.compile(r"pulumi_\w+(\.\w+)+")
_DECLARED = re.compile(r"^__all__ = \[(.*?)\]", re.DOTALL | re.MULTILINE)
_FIRST_READ = 4096


@contextmanager
def on_demand() -> Iterator[None]:
    """Makes the packages of SDKs that are imported inside this block load their resources when they are named."""
    finder = _Finder()
    sys.meta_path.insert(0, finder)
    try:
        yield
    finally:
        sys.meta_path.remove(finder)


class _Finder(PathFinder):
    """Finds what Python's own finder finds, and lets service packages of SDKs be loaded on demand."""

    @classmethod
    def find_spec(
        cls, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if not _SERVICE_PACKAGE.fullmatch(fullname):
            return None
        spec = super().find_spec(fullname, path, target)
        if spec is None or spec.submodule_search_locations is None or spec.origin is None:
            return None
        spec.loader = _Loader(fullname, spec.origin)
        return spec


class _Loader(SourceFileLoader):
    """Runs an `__init__` without its star imports, whose names are found when they are asked for.

    A module that does not declare its names, as one written by hand, is imported as always.
    """

    def exec_module(self, module: ModuleType) -> None:
        tree = ast.parse(self.get_data(self.path))
        homes: dict[str, str | None] = {}
        kept = []
        for statement in tree.body:
            home = _star_import(statement)
            names = _declared(Path(self.path).with_name(f"{home}.py")) if home else ()
            homes.update(dict.fromkeys(names, home))
            if not names:
                kept.append(statement)
        tree.body = kept

        def find(name: str) -> Any:
            if name in homes.values() and name not in homes:
                return import_module(f"{module.__name__}.{name}")
            if name not in homes:
                raise AttributeError(f"module {module.__name__!r} has no attribute {name!r}")
            found = getattr(import_module(f"{module.__name__}.{homes[name]}"), name)
            setattr(module, name, found)
            return found

        module.__getattr__ = find  # type: ignore[method-assign]
        exec(compile(tree, self.path, "exec"), module.__dict__)  # noqa: S102 it is the SDK's own code
        public = [name for name in vars(module) if not name.startswith("_")]
        vars(module).setdefault("__all__", [*homes, *public])


def _star_import(statement: ast.stmt) -> str | None:
    """The module beside the package that a statement imports all of, if that is what it does."""
    if isinstance(statement, ast.ImportFrom) and statement.level == 1 and statement.names[0].name == "*":
        return statement.module
    return None


def _declared(file: Path) -> Sequence[str]:
    """The names in a generated module's `__all__`, which is near its top."""
    with file.open(encoding="utf-8") as stream:
        text = stream.read(_FIRST_READ)
        while (found := _DECLARED.search(text)) is None:
            more = stream.read(_FIRST_READ)
            if not more:
                return ()
            text += more
    return tuple(ast.literal_eval(f"[{found[1]}]"))
