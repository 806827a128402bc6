"""Finds a Pulumi project, its stacks and their configuration, by the rules of the Pulumi CLI."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from os import curdir
from os.path import lexists
from pathlib import Path
from typing import Any, Final

from penstock.core.errors import NotAProject, UnusablePython
from penstock.core.findings import Finding, Severity, Source
from penstock.core.spelling import near_matches, suggestion
from penstock.description.document import no_configuration, places, values
from penstock.simulate import interpreter
from penstock.simulate.clear_secrets import clear_secrets
from penstock.simulate.encrypted_config import Opening, is_encrypted, opened, opening, stand_in_findings
from penstock.simulate.interpreter import Interpreter, PythonOptions
from penstock.simulate.program import local_sdks

PYTHON: Final = "python"

_PROJECT_FILES: Final = ("Pulumi.yaml", "Pulumi.yml")
_UNFIT: Final = re.compile(r"[^A-Za-z0-9_.-]+")
_LONGEST_NAME: Final = 100
_STACK_FILE: Final = re.compile(r"Pulumi\.(?P<stack>.+)\.ya?ml")


@dataclass(frozen=True, slots=True)
class PulumiProject:
    """A folder with a `Pulumi.yaml` and a program, or with stack files only.

    `runtime` is the language of the program and `options` are its settings, as `Pulumi.yaml` has them.
    """

    root: Path
    name: str
    program: Path
    stack_folder: Path
    defaults: Mapping[str, Any]
    python: PythonOptions = field(default_factory=PythonOptions)
    """What the project says of its Python."""
    runtime: str = PYTHON
    options: Mapping[str, Any] = field(default_factory=dict)

    @property
    def file(self) -> Path:
        """The project's own file; it need not exist."""
        return project_file(self.root) or self.root / _PROJECT_FILES[0]

    @property
    def packages(self) -> tuple[Path, ...]:
        """The folders of packages that the program brings along."""
        return local_sdks(self.root)

    def interpreter(self) -> Interpreter | None:
        """The Python of the project, if that is another than this one.

        Raises:
            UnusablePython: the project names an environment that is not there, or has no Pulumi.
        """
        folder = self.program if self.program.is_dir() else self.program.parent
        found = interpreter.find(self.root, folder, self.python)
        if found is not None and not interpreter.is_this(found.environment):
            wrong = interpreter.problem(found, self.root)
            if wrong is None:
                return Interpreter(found.environment)
            if not Path(__file__).is_relative_to(self.root):  # else this Python is the one of the project
                place = places(as_typed(self.file)).get(("runtime", "options", found.option or ""))
                raise UnusablePython(wrong, str(as_typed(self.file)), place.line if place else 1)
        return None

    def stacks(self) -> tuple[str, ...]:
        """The stacks that have a configuration file."""
        names = (_STACK_FILE.fullmatch(file.name) for file in self.stack_folder.glob("Pulumi.*"))
        return tuple(sorted(name["stack"] for name in names if name))

    def stack_file(self, stack: str) -> Path:
        """The configuration file of a stack; it need not exist."""
        other = self.stack_folder / f"Pulumi.{stack}.yml"
        return other if other.exists() else self.stack_folder / f"Pulumi.{stack}.yaml"


@dataclass(frozen=True, slots=True)
class Config:
    """A stack's configuration as the SDK takes it: strings by namespaced key, and which of them are secret.

    `objects` are the keys below which the stack file has a block of its own. `findings` name what of the file is not
    read here, and secrets in clear.
    """

    values: Mapping[str, str]
    secret_keys: tuple[str, ...]
    objects: frozenset[str] = frozenset()
    findings: tuple[Finding, ...] = ()


def locate(target: str, stack: str | None = None) -> tuple[PulumiProject, str]:
    """The project and stack that a person means: a stack's name, its file, or a folder and `stack`.

    A folder with one stack needs no `stack`. A file is read where it is, be it elsewhere than the project has its own.

    Raises:
        NotAProject: nothing of the kind is there; the text names what is.
    """
    path = Path(target)
    if path.is_dir():
        project = project_at(path)
        if stack is None:
            return project, _only_stack(project, target)
        stack = stack.rpartition("/")[2]  # Pulumi also takes ORGANIZATION/PROJECT/STACK
        return project, _known(stack, project) if project.stacks() else stack
    if stack is not None:
        raise NotAProject(f"--stack requires the folder of a project, but {target} is not a folder")
    if path.is_file():
        name = _STACK_FILE.fullmatch(path.name)
        if name is None:
            raise NotAProject(f"{target} is not a stack file: those are called Pulumi.NAME.yaml")
        return replace(project_at(path.parent), stack_folder=path.parent.resolve()), name["stack"]
    project = project_at(Path.cwd())
    return project, _known(target, project)


def has_project(folder: Path) -> bool:
    """Return whether a folder has a project file or stack files of its own."""
    return project_file(folder) is not None or _has_stack_files(folder)


def project_at(folder: Path) -> PulumiProject:
    """The project that a folder belongs to: its own, the nearest one above it, or that of its stack files.

    Raises:
        NotAProject: there is none of them.
    """
    for candidate in (folder.resolve(), *folder.resolve().parents):
        file = project_file(candidate)
        if file is not None:
            return _read_project(file)
    if _has_stack_files(folder):
        root = folder.resolve()
        return PulumiProject(root, project_name(root), root, root, {})
    raise no_project(folder)


def no_project(folder: Path) -> NotAProject:
    """The error about a folder without a project."""
    return NotAProject(
        f"there is no Pulumi.yaml in {folder} or above it: go to the folder of a project, or make one with "
        "`penstock init`"
    )


def project_file(folder: Path) -> Path | None:
    """Return the project file of a folder; None where it has none."""
    return next((file for name in _PROJECT_FILES if (file := folder / name).is_file()), None)


def in_another_language(project: PulumiProject) -> NotAProject:
    """The error about a program that the embedded engine cannot run, with what can judge it."""
    folder = as_typed(project.root)
    return NotAProject(
        f"{as_typed(project.file)} runs {project.runtime}, and without the Pulumi CLI only programs in Python are "
        "rehearsed. For this program:\n"
        f"`penstock rehearse {folder} --engine pulumi` runs it under the Pulumi CLI against simulated clouds\n"
        "`pulumi preview --json --show-sames > preview.json` and `penstock check preview.json` judge its preview\n"
        '`pulumi preview --policy-pack "$(penstock policy-pack)"` evaluates the policies\n'
        "`penstock audit EXPORT` judges what is deployed, as `pulumi stack export` wrote it"
    )


def project_name(folder: Path) -> str:
    """Return the name of a project after its folder, in the letters that Pulumi allows."""
    return _UNFIT.sub("-", folder.name)[:_LONGEST_NAME].strip("-") or "platform"


def _has_stack_files(folder: Path) -> bool:
    return any(_STACK_FILE.fullmatch(file.name) for file in folder.glob("Pulumi.*"))


def config_of(project: PulumiProject, stack: str) -> Config:
    """The configuration of a stack, with the project's defaults beneath it.

    What is encrypted and cannot be decrypted here has stand-ins, which a finding names.
    """
    found = dict(_defaults(project))
    file = project.stack_file(stack)
    own: Mapping[str, Any] = {}
    findings: tuple[Finding, ...] = ()
    salt: Any = None
    if lexists(file):  # one that is a directory, a pipe or a link to nothing is refused, not taken for none
        content = values(as_typed(file)) or {}
        block = content.get("config") if isinstance(content, Mapping) else content
        if not isinstance(block, Mapping | None):
            raise no_configuration(as_typed(file))
        own = {_namespaced(key, project.name): value for key, value in (block or {}).items()}
        salt = content.get("encryptionsalt") if isinstance(content, Mapping) else None
        findings = (_imports(as_typed(file)),) if isinstance(content, Mapping) and content.get("environment") else ()
        findings = (*clear_secrets(as_typed(file), block or {}), *findings)
    if project.defaults:
        findings = (*clear_secrets(as_typed(project.file), project.defaults), *findings)
    found |= own
    encrypted = {key for key, value in found.items() if is_encrypted(value)}
    how = opening(salt) if encrypted else Opening(None)
    plain = {key: opened(value, how.decrypt) if key in encrypted else value for key, value in found.items()}
    return Config(
        values={key: _text(value) for key, value in plain.items()},
        secret_keys=tuple(key for key in found if key in encrypted or _is_secret(key, project)),
        objects=frozenset(key for key, value in own.items() if isinstance(value, Mapping)),
        findings=(*findings, *stand_in_findings(plain, how, as_typed(file))),
    )


def as_typed(file: Path) -> Path:
    """The path as a person in this folder would type it."""
    here = Path.cwd()
    return file.relative_to(here) if file.is_relative_to(here) else file


def _only_stack(project: PulumiProject, target: str) -> str:
    """The stack that is meant where none is named."""
    stacks = project.stacks()
    if len(stacks) == 1:
        return stacks[0]
    what = f"project {project.name}" if target == curdir else target
    if stacks:
        how = "" if target == curdir else " with --stack"
        raise NotAProject(f"{what} has {len(stacks)} stacks: name one of them{how}.{_offer(project)}")
    raise NotAProject(f"{what} has no stack file; name the stack with --stack")


def _known(stack: str, project: PulumiProject) -> str:
    if stack in project.stacks():
        return stack
    near = suggestion(near_matches(stack, project.stacks()))
    hint = f" {near}" if near else ""
    raise NotAProject(f"{project.name} has no stack {stack!r}.{hint}{_offer(project)}")


def _read_project(file: Path) -> PulumiProject:
    content = values(as_typed(file))
    if not isinstance(content, Mapping) or not isinstance(content.get("name"), str):
        raise NotAProject(f"{file} has no name, so it is not a Pulumi project")
    defaults = content.get("config") or {}
    folder = content.get("stackConfigDir")
    if isinstance(defaults, str):  # as it was written before there was stackConfigDir
        if folder is not None:
            raise NotAProject(f"{file} names the folder of its stack files twice: keep stackConfigDir, without config")
        defaults, folder = {}, defaults
    if not isinstance(defaults, Mapping):
        raise NotAProject(f"config in {file} is not a block of keys and values")
    runtime = content.get("runtime")
    language = runtime.get("name") if isinstance(runtime, Mapping) else runtime
    given = runtime.get("options") if isinstance(runtime, Mapping) else None
    options: Mapping[str, Any] = given if isinstance(given, Mapping) else {}
    if not isinstance(language, str):
        raise NotAProject(f"{file} has no runtime, such as `runtime: python`")
    return PulumiProject(
        root=file.parent,
        name=content["name"],
        program=(file.parent / str(content.get("main", "."))).resolve(),
        stack_folder=file.parent / str(folder or "."),
        defaults=defaults,
        python=_python_options(options),
        runtime=language,
        options=options,
    )


def _python_options(options: Mapping[str, Any]) -> PythonOptions:
    toolchain, virtualenv = options.get("toolchain"), options.get("virtualenv")
    return PythonOptions(
        toolchain if isinstance(toolchain, str) else None, virtualenv if isinstance(virtualenv, str) else None
    )


def _defaults(project: PulumiProject) -> Mapping[str, Any]:
    found: dict[str, Any] = {}
    for key, declared in project.defaults.items():
        value = declared.get("value", declared.get("default")) if isinstance(declared, Mapping) else declared
        if value is not None:
            found[_namespaced(key, project.name)] = value
    return found


def _is_secret(key: str, project: PulumiProject) -> bool:
    """Return whether the project declares the key to be secret."""
    return any(
        isinstance(declared, Mapping) and declared.get("secret") is True and _namespaced(name, project.name) == key
        for name, declared in project.defaults.items()
    )


def _imports(file: Path) -> Finding:
    return Finding(
        code="PROGRAM-003",
        severity=Severity.INFO,
        source=Source.PROGRAM,
        message="this stack takes configuration from environments of Pulumi ESC, which a rehearsal does not read",
        hint="Where the program misses a value, give one under `config`.",
        path="environment",
        file=str(file),
    )


def _namespaced(key: str, project: str) -> str:
    return key if ":" in key else f"{project}:{key}"


def _text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, default=str)


def _offer(project: PulumiProject) -> str:
    stacks = project.stacks()
    return f" Its stacks: {', '.join(stacks)}." if stacks else ""
