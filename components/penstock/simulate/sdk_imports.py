"""Imports of a provider's SDK only what a program uses.

A generated SDK has a package for each service whose `__init__` imports every resource of it (`from .vpc import *`, and
so on 180 times for EC2), which takes longer than a rehearsal itself. While a program runs, those packages load each
resource when it is first named. Arguments and results, hundreds of classes of a service, are named at once, and are
filled when they are first used. Each name means what it means without this module.

Also loaded by its path into the interpreter of a program: it has the standard library only, of Python 3.8 and later.
"""

from __future__ import annotations

import ast
import builtins
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import cache
from importlib import import_module
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from pathlib import Path
from threading import RLock
from types import GetSetDescriptorType, ModuleType, new_class
from typing import Any

_TYPES = frozenset(("_inputs", "outputs"))
"""The modules of a service that have the types of what resources hold."""
_FETCHES = "requests"
"""What pulumi_kubernetes fetches manifests with, and imports for that."""
_SERVICE_PACKAGE = re.compile(r"pulumi_\w+(\.\w+)+")
_DECLARED = re.compile(r"^__all__ = \[(.*?)\]", re.DOTALL | re.MULTILINE)
_NAME = re.compile(r"'(\w+)'")
_NAMES = re.compile(r"\s*(?:'\w+'\s*,\s*)*(?:'\w+'\s*)?")
"""As all generated modules write them, of which a program imports hundreds."""
_FIRST_READ = 4096
_IMPORTERS = frozenset(("importlib._bootstrap", "importlib.util", "pulumi._utils"))
"""The modules that import lazily: to them a module's dictionary is a place to write to."""

_python: Any = builtins
_build_class = _python.__build_class__
_ITS_DICTIONARY: Any = vars(ModuleType)["__dict__"]


@contextmanager
def on_demand(notice: Callable[[str], None] | None = None) -> Iterator[None]:
    """Makes the packages of SDKs that are imported inside this block load their resources when they are named.

    `notice` is called with the name of each SDK, and of each module of it that holds a name that is asked for.
    """
    finder = _Finder()
    sys.meta_path.insert(0, finder)
    _python.__build_class__ = _built
    if notice is not None:
        _noticing.append(notice)
    try:
        yield
    finally:
        sys.meta_path.remove(finder)
        _python.__build_class__ = _build_class
        _noticing.clear()


class _Finder(PathFinder):
    """Finds what Python's own finder finds, and lets service packages of SDKs be loaded on demand."""

    @classmethod
    def find_spec(
        cls, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        package, _, name = fullname.rpartition(".")
        if fullname.startswith("pulumi_") and (name in _TYPES or name in _modules.get(package, ())):
            spec = super().find_spec(fullname, path, target)
            if spec is not None and spec.submodule_search_locations is None and str(spec.origin).endswith(".py"):
                spec.loader = _LoaderOfTypes(fullname, str(spec.origin))
            return spec
        if not _SERVICE_PACKAGE.fullmatch(fullname):
            if fullname.startswith("pulumi_"):
                _notice(fullname)
            return None
        spec = super().find_spec(fullname, path, target)
        if spec is None or spec.origin is None or not spec.origin.endswith(".py"):
            return None
        if spec.submodule_search_locations is not None:
            spec.loader = _Loader(fullname, spec.origin)
        elif fullname == "pulumi_kubernetes.yaml.yaml":
            spec.loader = _LoaderOfFetching(fullname, spec.origin)
        return spec


class _Loader(SourceFileLoader):
    """Runs an `__init__` without its star imports, whose names are found when they are asked for.

    A module that does not declare its names, as one written by hand, is imported as always. So is a package whose own
    code needs or defines one of the names, and one in which a name and a module are called the same.
    """

    def exec_module(self, module: ModuleType) -> None:
        tree = ast.parse(self.get_data(self.path))
        homes, kept = _homes(tree.body, Path(self.path))
        if not homes or _is_particular(kept) or _names(kept) & set(homes) or _clash(homes):
            super().exec_module(module)
            return
        _waiting[module.__name__] = homes
        _modules[module.__name__] = set(homes.values())
        module.__class__ = _OnDemand
        try:
            exec(compile(ast.Module(kept, []), self.path, "exec"), _ITS_DICTIONARY.__get__(module))  # noqa: S102 it is the SDK's own code
        except BaseException:
            module.__class__ = ModuleType
            raise
        if set(homes) & set(_ITS_DICTIONARY.__get__(module)):  # a module that declares nothing has one of the names
            module.__class__ = ModuleType
            super().exec_module(module)


class _LoaderOfFetching(SourceFileLoader):
    """Runs the module that fetches manifests of Kubernetes; what it fetches them with is imported when it is used."""

    def exec_module(self, module: ModuleType) -> None:
        if _FETCHES in sys.modules:
            super().exec_module(module)
            return
        sys.modules[_FETCHES] = _IfUsed(_FETCHES)
        try:
            super().exec_module(module)
        finally:
            del sys.modules[_FETCHES]


class _IfUsed(ModuleType):
    """Stands for a module to the one that imports it."""

    def __getattr__(self, name: str) -> Any:
        return getattr(import_module(self.__name__), name)

    def __setattr__(self, name: str, value: Any) -> None:
        if name.startswith("__"):  # which importing sets
            super().__setattr__(name, value)
        else:
            setattr(import_module(self.__name__), name, value)


class _LoaderOfTypes(SourceFileLoader):
    """Runs a module without the bodies of classes that are no resources: of arguments, of states, and of results."""

    def exec_module(self, module: ModuleType) -> None:
        _named_only.add(module.__name__)
        try:
            with _decorating_later():
                super().exec_module(module)
        finally:
            _named_only.discard(module.__name__)


_named_only: set[str] = set()
"""The modules that are being run without the bodies of their classes."""


def _built(body: Callable[..., Any], name: str, *bases: Any, **more: Any) -> Any:
    """Build a class as Python does: of an SDK by its name, and of a program whatever its bases are."""
    if body.__globals__.get("__name__") in _named_only:
        return _named(body, name, *bases, **more)
    named = more.get("metaclass", type)
    kinds = dict.fromkeys(kind for kind in (named, *map(type, filter(_is_type, bases))) if _is_type(kind))
    others = [kind for kind in kinds if not issubclass(kind, _Type) and kind is not type]
    if others and _is_type(named) and any(issubclass(kind, _Type) for kind in kinds):
        for base in bases:
            _fill(base)
        more["metaclass"] = type("type", (*others, _Type), {})
    return _build_class(body, name, *bases, **more)


def _is_type(value: Any) -> bool:
    return isinstance(value, type)


def _named(body: Callable[..., Any], name: str, *bases: Any, **more: Any) -> Any:
    """Make a class without its body."""
    where = {"__module__": body.__globals__["__name__"], "__qualname__": name}
    if len(bases) == 1 and getattr(bases[0], "__name__", "") == "TypedDict":
        kind, own = _without_fields(bases[0], **more)
        found = type.__new__(kind, name, (dict,), own | where)
        _fields[found] = lambda: _build_class(body, name, *bases, **more)
        return found
    code = body.__code__
    if more or bases not in ((), (dict,)) or code.co_freevars or _DECIDING & {*code.co_names}:
        return _build_class(body, name, *bases, **more)
    later: Any = type.__new__(_Later, name, bases, where)
    _bodies[later] = _Body(code, body.__globals__)
    return later


_DECIDING = {"__slots__", "__eq__", "__init_subclass__", "__class_getitem__"}
"""Names in the body of a class by which Python makes another class."""

_OF_ANY_CLASS = frozenset(
    (
        *("__class__", "__module__", "__name__", "__qualname__", "__mro__", "__bases__", "__subclasscheck__"),
        *("__origin__", "__parameters__", "__args__", "__metadata__", "__typing_subst__"),  # `typing` asks each type
    )
)
"""What a class is asked for without a look into its body."""


class _Body:
    """The body of a class that has not been run, where it runs, and what decorates the class then."""

    def __init__(self, code: Any, module: dict[str, Any]) -> None:
        self.code, self.module = code, module
        self.decorators: list[Callable[[Any], Any]] = []
        self.lock, self.is_running = RLock(), False


_bodies: dict[Any, _Body] = {}
"""By class, the body that has not been run."""


class _Type(type):
    """Makes the classes of which only the name is known at first, and is called as what makes others."""


class _Later(_Type):
    """A class whose body runs when it is first asked for something."""

    def __new__(cls, name: str, bases: Any, own: Any, **more: Any) -> Any:
        for base in bases:  # of a class of a program
            _fill(base)
        return type.__new__(_Type, name, bases, own, **more)

    def __call__(cls, *args: Any, **kwargs: Any) -> Any:
        _fill(cls)
        return type.__call__(cls, *args, **kwargs)

    def __getattribute__(cls, name: str) -> Any:
        if name not in _OF_ANY_CLASS:
            _fill(cls)
        return type.__getattribute__(cls, name)

    def __setattr__(cls, name: str, value: Any) -> None:
        _fill(cls)
        type.__setattr__(cls, name, value)

    def __delattr__(cls, name: str) -> None:
        _fill(cls)
        type.__delattr__(cls, name)


_Type.__name__ = _Later.__name__ = "type"


def _fill(class_: Any) -> None:
    """Run the body of a class, if it has not been, and decorate it; another thread waits for that."""
    body = _bodies.get(class_)
    if body is None:
        return
    with body.lock:
        if body.is_running or class_ not in _bodies:
            return
        body.is_running = True
        own: dict[str, Any] = {}
        exec(body.code, body.module, own)  # noqa: S102 it is the SDK's own code
        cell = own.pop("__classcell__", None)
        if cell is not None:  # by which its functions know their class
            cell.cell_contents = class_
        for name, value in own.items():
            type.__setattr__(class_, name, value)
        for name, value in own.items():
            if hasattr(type(value), "__set_name__"):
                value.__set_name__(class_, name)
        for decorate in body.decorators:
            decorate(class_)
        type.__setattr__(class_, "__class__", _Type)
        del _bodies[class_]


_fields: dict[Any, Callable[[], Any]] = {}
"""By `TypedDict` without its fields, how to build it with them."""


@cache
def _without_fields(base: Any, **more: Any) -> tuple[Any, dict[str, Any]]:
    """The kind of a `TypedDict` that waits for its fields, and what it has without them."""
    made = new_class("None", (base,), more)
    own = {name: value for name, value in vars(made).items() if not isinstance(value, GetSetDescriptorType)}
    return _later_dict(type(made)), own


@cache
def _later_dict(kind: Any) -> type:
    """Return what lets a `TypedDict` wait for its fields, of which only type checkers and validators ask."""

    def made(_: type, name: str, bases: Any, own: Any, **more: Any) -> Any:
        for base in bases:  # of one of a program
            _add_fields(base, kind)
        return kind.__new__(kind, name, bases, own, **more)

    def asked(cls: Any, name: str) -> Any:
        if name in ("__annotations__", "__dict__") or name.endswith("_keys__"):
            _add_fields(cls, kind)
        return type.__getattribute__(cls, name)

    return type(kind.__name__, (kind,), {"__new__": made, "__getattribute__": asked})


def _add_fields(class_: Any, kind: type) -> None:
    build = _fields.get(class_)
    if build is not None:
        for name, value in vars(build()).items():
            if name == "__annotations__" or name.endswith("_keys__"):
                setattr(class_, name, value)
        class_.__class__ = kind
        _fields.pop(class_, None)


@contextmanager
def _decorating_later() -> Iterator[None]:
    """Let what decorates a class wait for its body."""
    sdk: Any = sys.modules.get("pulumi", ModuleType("none"))
    before = {name: vars(sdk)[name] for name in ("input_type", "output_type") if name in vars(sdk)}
    for name, decorate in before.items():
        setattr(sdk, name, _later(decorate))
    try:
        yield
    finally:
        for name, decorate in before.items():
            setattr(sdk, name, decorate)


def _later(decorate: Callable[[Any], Any]) -> Callable[[Any], Any]:
    def decorated(class_: Any) -> Any:
        if class_ not in _bodies:
            return decorate(class_)
        _bodies[class_].decorators.append(decorate)
        return class_

    return decorated


_noticing: list[Callable[[str], None]] = []
"""Those that are called with each import."""


def _notice(module: str) -> None:
    for each in _noticing:
        each(module)


_waiting: dict[str, dict[str, str]] = {}
"""By package, the names that nobody has asked for yet, with the module beside the package that has each."""

_modules: dict[str, set[str]] = {}
"""By package, the modules whose names it has."""


class _OnDemand(ModuleType):
    """A package with names that are not loaded yet. Once they all are, it is a module like others."""

    def __getattr__(self, name: str) -> Any:
        package = self.__name__
        if name in _waiting[package]:
            home = f"{package}.{_waiting[package][name]}"
            _notice(home)
            found = getattr(import_module(home), name)
            _ITS_DICTIONARY.__get__(self)[name] = found
            return found
        if name in _modules[package]:
            return import_module(f"{package}.{name}")
        raise AttributeError(f"module {package!r} has no attribute {name!r}")

    def __setattr__(self, name: str, value: Any) -> None:
        """Sets an attribute, unless an import puts a module in the place of the name that the package takes of it."""
        package = self.__name__
        if name in _waiting.get(package, ()) and value is sys.modules.get(f"{package}.{name}"):
            return
        super().__setattr__(name, value)

    def __dir__(self) -> list[str]:
        package = self.__name__
        return sorted({*_ITS_DICTIONARY.__get__(self), *_waiting[package], *_modules[package]})

    @property
    def __dict__(self) -> dict[str, Any]:  # type: ignore[override]
        """All names, such as for `vars` and for an import of all of them."""
        if sys._getframe(1).f_globals.get("__name__") not in _IMPORTERS:  # noqa: SLF001
            for name in self.__dir__():
                getattr(self, name)
            self.__class__ = ModuleType  # type: ignore[assignment]
        found: dict[str, Any] = _ITS_DICTIONARY.__get__(self)
        return found

    def __reduce_ex__(self, _: Any) -> tuple[Any, ...]:
        """What pickles modules does it by their names."""
        return import_module, (self.__name__,)


def _homes(statements: Sequence[ast.stmt], file: Path) -> tuple[dict[str, str], list[ast.stmt]]:
    """The names that star imports bring, each with its module, and the other statements."""
    homes: dict[str, str] = {}
    kept = []
    for statement in statements:
        home = _star_import(statement)
        names = _declared(file.with_name(f"{home}.py")) if home else ()
        if home and names:
            homes.update(dict.fromkeys(names, home))
        else:
            kept.append(statement)
    return homes, kept


def _star_import(statement: ast.stmt) -> str | None:
    """The module beside the package that a statement imports all of, if that is what it does."""
    if isinstance(statement, ast.ImportFrom) and statement.level == 1 and statement.names[0].name == "*":
        return statement.module
    return None


def _declared(file: Path) -> Sequence[str]:
    """The names in a generated module's `__all__`, which is near its top."""
    with suppress(OSError), file.open(encoding="utf-8") as stream:
        text = stream.read(_FIRST_READ)
        while True:
            found = _DECLARED.search(text)
            if found is not None:
                names = found[1]
                return _NAME.findall(names) if _NAMES.fullmatch(names) else tuple(ast.literal_eval(f"[{names}]"))
            more = stream.read(len(text))
            if not more:
                break
            text += more
    return ()


def _is_particular(statements: Sequence[ast.stmt]) -> bool:
    """Return whether a package does more than generated ones: import, register, and tell type checkers."""
    return not all(isinstance(each, (ast.Import, ast.ImportFrom, ast.If, ast.Expr)) for each in statements)


def _names(statements: Sequence[ast.stmt]) -> set[str]:
    """The names that statements use or define."""
    nodes = [node for statement in statements for node in ast.walk(statement)]
    imported = (alias for node in nodes if isinstance(node, (ast.Import, ast.ImportFrom)) for alias in node.names)
    used = {node.id for node in nodes if isinstance(node, ast.Name)}
    return used | {(alias.asname or alias.name).split(".")[0] for alias in imported}


def _clash(homes: dict[str, str]) -> bool:
    """Return whether a module has the name of something in another module: the order of imports decides what it is."""
    return any(homes.get(home, home) != home for home in set(homes.values()))
