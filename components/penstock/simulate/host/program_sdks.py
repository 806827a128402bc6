"""The providers' SDKs of a program in another process: its resources are checked against their types."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import cached_property
from importlib.machinery import ModuleSpec, PathFinder
from importlib.metadata import Distribution, DistributionFinder, MetadataPathFinder
from pathlib import Path
from types import ModuleType
from typing import Any, Final

from penstock.core.findings import Finding, Severity, Source
from penstock.simulate import sdk_types, sdks
from penstock.simulate.sdk_hooks import imports_on_demand
from penstock.simulate.sdks import Sdk

_PREFIX: Final = "pulumi_"
_NOT_IN_SETUPTOOLS: Final = "DistributionNotFound"


class ProgramSdks:
    """Imports the SDKs that the program has, from where its interpreter looks for modules.

    `findings` has those that this Python cannot import: nothing is known of their types.
    """

    def __init__(self, path: Sequence[str]) -> None:
        # Another version's own library is none of a program's packages.
        self._path = [each for each in path if Path(each).is_dir() and not (Path(each) / "os.py").is_file()]
        self._loaded: set[str] = set()
        self._broken: set[str] = set()
        self.findings: list[Finding] = []

    @contextmanager
    def in_use(self) -> Iterator[None]:
        """Lets imports of SDKs find those of the program, as long as it runs."""
        sdk_types.forget()
        finder = _SdkFinder(self._path, only=_PREFIX)
        sys.meta_path.insert(0, finder)
        try:
            with imports_on_demand():
                yield
        finally:
            sys.meta_path.remove(finder)

    def load(self, token: str) -> None:
        """Imports what declares the type or function of a token, if an SDK of the program does."""
        package = token.partition(":")[0]
        if token in self._loaded or package in self._broken or package not in self._installed:
            return
        self._loaded.add(token)
        try:
            self._import(token, self._installed[package])
        except (Exception, SystemExit) as error:  # noqa: BLE001 whatever is wrong with it
            self._broken.add(package)
            self.findings.append(_unread(self._installed[package], error))

    def follow(self, module: str) -> None:
        """Imports a module of an SDK that the program imports at the same time: it will ask for something of it."""
        if module.partition(".")[0] in self._modules:
            with suppress(Exception, SystemExit), self._needs():  # `load` reports what cannot be imported
                sdks.import_inside(module)

    def _import(self, token: str, sdk: Sdk) -> None:
        with self._needs():
            try:
                sdks.import_declaring(token, sdk)
            except Exception as error:  # its class is of whatever setuptools is there
                if type(error).__name__ != _NOT_IN_SETUPTOOLS:
                    raise
                with _seen_by_setuptools(self._path):
                    sdks.import_declaring(token, sdk)

    @contextmanager
    def _needs(self) -> Iterator[None]:
        """Lets imports find what an SDK imports, and Penstock does not have."""
        finder = _SdkFinder(self._path, only="")
        sys.meta_path.append(finder)
        try:
            yield
        finally:
            sys.meta_path.remove(finder)

    @cached_property
    def _modules(self) -> frozenset[str]:
        return frozenset(each.module for each in self._installed.values())

    @cached_property
    def _installed(self) -> Mapping[str, Sdk]:
        return sdks.found_in(self._path)


class _SdkFinder:
    """Finds top-level packages whose names begin with `only` in folders."""

    def __init__(self, folders: Sequence[str], only: str) -> None:
        self._folders, self._only = folders, only

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if path is not None or not fullname.startswith(self._only):
            return None
        return PathFinder.find_spec(fullname, self._folders, target)

    def find_distributions(self, context: DistributionFinder.Context) -> Iterator[Distribution]:
        """What is installed in the folders: an SDK asks for its own version while it is imported."""
        if "path" not in vars(context) and (context.name or "").replace("-", "_").startswith(self._only):
            yield from MetadataPathFinder.find_distributions(
                DistributionFinder.Context(name=context.name, path=list(self._folders))
            )


@contextmanager
def _seen_by_setuptools(folders: Sequence[str]) -> Iterator[None]:
    """Lets setuptools see what is installed in the folders only: older SDKs ask `pkg_resources` for their version.

    That refuses a version of what an SDK needs that does not fit it, and Penstock has versions of its own.
    """
    installed: Any = sys.modules["pkg_resources"].working_set
    before = installed.__getstate__()
    installed.__setstate__(type(installed)(folders).__getstate__())
    try:
        yield
    finally:
        installed.__setstate__(before)


def _unread(sdk: Sdk, error: BaseException) -> Finding:
    python = f"{sys.version_info.major}.{sys.version_info.minor}"
    return Finding(
        code="PROGRAM-009",
        severity=Severity.INFO,
        source=Source.PROGRAM,
        message=f"{sdk.module} {sdk.version} of the program cannot be imported by Penstock's Python {python} "
        f"({type(error).__name__}): the properties of its resources are not checked",
        hint="Install Penstock in the environment of the program.",
    )
