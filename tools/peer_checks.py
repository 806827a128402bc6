"""The checks of other scanners: identifier, severity, the types that they read, and the properties.

`python -m tools.peer_checks FOLDER ...` reads checkouts of bridgecrewio/checkov, aquasecurity/trivy-checks,
Checkmarx/kics and kubescape/regolibrary, and of hashicorp/terraform-provider-azurerm for the resource providers of its
types. It writes `tests/peers/checks.csv`; checks that only inform, and those of other platforms, are not in it.
"""

from __future__ import annotations

import ast
import json
import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import yaml

from tools.generated import table
from tools.peer_types import TypeNames

TARGET: Final = Path(__file__).parents[1] / "tests" / "peers" / "checks.csv"
HEADER: Final = ("platform", "tool", "id", "severity", "types", "reads")

_CHECKOV_PLATFORMS: Final = {"AWS": "aws", "GCP": "gcp", "AZURE": "azure", "K8S": "kubernetes"}
_CHECKOV_FOLDERS: Final = (
    "terraform/checks/resource",
    "terraform/checks/data",
    "terraform/checks/provider",
    "terraform/checks/graph_checks",
    "arm/checks",
    "kubernetes/checks",
)
_TRIVY_PLATFORMS: Final = {
    "cloud/aws": "aws",
    "cloud/google": "gcp",
    "cloud/azure": "azure",
    "cloud/kubernetes": "kubernetes",
    "kubernetes": "kubernetes",
}
_KICS_FOLDERS: Final = {
    "terraform/aws": "aws",
    "terraform/gcp": "gcp",
    "terraform/azure": "azure",
    "terraform/databricks": "azure",
    "azureResourceManager": "azure",
    "k8s": "kubernetes",
}
_INFORMS: Final = ("info", "trace")
_TYPE: Final = re.compile(r"\b(?:aws|google|azurerm)_[a-z0-9_]+\b|\"(Microsoft\.[A-Za-z]+/[A-Za-z/]+)\"")
_KIND: Final = re.compile(r"kind\s*(?:==?|:=)\s*\"([A-Z]\w+)\"")
_SAM: Final = "sam"
_TYPES: Final = ("aws_", "google_", "azurerm_")
_OF_THE_FORMAT: Final = ("sk", "module", "resource_type", "lifecycle", "prevent_destroy", "apiVersion", "networking")
"""Words in keys that name no property of a resource."""
_KUBESCAPE_SEVERITIES: Final = ((9.0, "critical"), (7.0, "high"), (4.0, "medium"), (0.0, "low"))


@dataclass(slots=True)
class Check:
    """One check of another tool; types and properties are as that tool writes them."""

    platform: str
    tool: str
    id: str
    severity: str
    types: set[str] = field(default_factory=set)
    reads: set[str] = field(default_factory=set)


def checkov(root: Path) -> Iterator[Check]:
    """The checks of Checkov, which publishes no severities; a check may have a file for each format."""
    for folder in _CHECKOV_FOLDERS:
        for file in sorted((root / "checkov" / folder).rglob("*")):
            if file.suffix == ".py":
                yield from _checkov_function(file, root)
            elif file.suffix in (".yaml", ".json") and "graph_checks" in file.parts:
                yield from _checkov_graph(yaml.safe_load(file.read_text(encoding="utf-8")))


def _checkov_function(file: Path, root: Path) -> Iterator[Check]:
    """A check of one file; one that says no types has those of the abstract check that it imports."""
    named, reads = _said(file)
    types = named.get("types", set())
    for base in _abstract(file, root) if not types else ():
        inherited, more = _said(base)
        types, reads = types | inherited.get("types", set()), reads | more
    for id_ in sorted(named.get("id", set()) | named.get("check_id", set())):
        yield from _of_checkov(id_, types, reads)


def _abstract(file: Path, root: Path) -> Iterator[Path]:
    for module in re.findall(r"^from (checkov[\w.]+\.Abs\w+) import", file.read_text(encoding="utf-8"), re.MULTILINE):
        yield root / f"{module.replace('.', '/')}.py"


def _said(file: Path) -> tuple[dict[str, set[str]], set[str]]:
    """The texts by the names that they are given in a file, and those that properties are read by."""
    named: dict[str, set[str]] = {}
    reads: set[str] = set()
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            named.setdefault(node.targets[0].id, set()).update(_texts(node.value))
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and node.value is not None:
            named.setdefault(node.target.id, set()).update(_texts(node.value))
        elif isinstance(node, ast.keyword) and node.arg is not None:
            named.setdefault(node.arg, set()).update(_texts(node.value))
        elif isinstance(node, ast.FunctionDef) and node.name in ("get_inspected_key", "get_inspected_keys"):
            reads |= _texts(node)
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "get":
            reads |= _texts(node.args[0]) if node.args else set()
        elif isinstance(node, ast.Subscript):
            reads |= _texts(node.slice)
    named["types"] = named.get("supported_resources", set()) | named.get("supported_entities", set())
    return named, reads


def _checkov_graph(document: Mapping[str, Any]) -> Iterator[Check]:
    types: set[str] = set()
    reads: set[str] = set()
    _read_graph(document.get("definition"), types, reads)
    yield from _of_checkov(document["metadata"]["id"], types, reads)


def _read_graph(value: Any, types: set[str], reads: set[str]) -> None:
    if isinstance(value, list):
        for item in value:
            _read_graph(item, types, reads)
    elif isinstance(value, Mapping):
        for key, inner in value.items():
            if key in ("resource_types", "connected_resource_types"):
                types.update([inner] if isinstance(inner, str) else inner)
            elif key == "attribute" and isinstance(inner, str):
                reads.add(inner)
            else:
                _read_graph(inner, types, reads)


def _of_checkov(id_: str, types: set[str], reads: set[str]) -> Iterator[Check]:
    found = re.fullmatch(r"CKV2?_([A-Z0-9]+)_\d+", id_)
    platform = _CHECKOV_PLATFORMS.get(found[1]) if found else None
    if platform is not None:
        yield Check(platform, "checkov", id_, "", set(types), set(reads))


def _texts(node: ast.AST) -> set[str]:
    return {each.value for each in ast.walk(node) if isinstance(each, ast.Constant) and isinstance(each.value, str)}


def trivy(root: Path) -> Iterator[Check]:
    """The checks of Trivy; their types come from their examples, for they read a model of their own."""
    for file in sorted((root / "checks").rglob("*.rego")):
        text = file.read_text(encoding="utf-8")
        folder = file.relative_to(root / "checks")
        platform = next((each for at, each in _TRIVY_PLATFORMS.items() if folder.as_posix().startswith(f"{at}/")), None)
        header = re.match(r"(?:.*\n)*?# METADATA\n((?:#.*\n)+)", text)
        if file.stem.endswith("_test") or platform is None or header is None or _SAM in folder.parts:
            continue
        custom = yaml.safe_load(re.sub(r"^# ?", "", header[1], flags=re.MULTILINE)).get("custom", {})
        if "id" not in custom or custom.get("deprecated"):
            continue
        check = Check(platform, "trivy", custom["id"], custom.get("severity", "").lower())
        examples = file.with_suffix(".yaml")
        if examples.exists():
            shown = examples.read_text(encoding="utf-8")
            check.types |= set(re.findall(r'resource "(\w+)"', shown)) | set(re.findall(r"kind: (\w+)", shown))
        yield check


def kics(root: Path) -> Iterator[Check]:
    """The queries of KICS, by the first eight digits of their identifiers."""
    for folder, platform in _KICS_FOLDERS.items():
        for file in sorted((root / "assets" / "queries" / folder).rglob("metadata.json")):
            said = json.loads(file.read_text(encoding="utf-8"))
            severity = said["severity"].lower()
            query = file.with_name("query.rego")
            if severity in _INFORMS or not query.exists():
                continue
            text = query.read_text(encoding="utf-8")
            types = {found[1] or found[0] for found in _TYPE.finditer(text)} | set(_KIND.findall(text))
            reads = {word for key in re.findall(r'"searchKey"[^\n]*"([^"\n]+)"', text) for word in key.split(".")}
            yield Check(platform, "kics", f"KICS:{said['id'][:8]}", severity, types, reads)


def kubescape(root: Path) -> Iterator[Check]:
    """The controls of Kubescape, with the scale of its scores."""
    for file in sorted((root / "controls").glob("*.json")):
        said = json.loads(file.read_text(encoding="utf-8"))
        score = float(said.get("baseScore", 0))
        severity = next(word for least, word in _KUBESCAPE_SEVERITIES if score >= least)
        check = Check("kubernetes", "kubescape", said["controlID"], severity)
        for name in said.get("rulesNames", ()):
            rule = root / "rules" / name / "rule.metadata.json"
            matches = json.loads(rule.read_text(encoding="utf-8")).get("match", ()) if rule.exists() else ()
            check.types |= {kind for match in matches for kind in match.get("resources", ())}
        yield check


_READERS: Final = {"checkov": checkov, "checks": trivy, "assets": kics, "controls": kubescape}
"""The reader of each tool, by a folder that only its checkout has."""


def merged(checks: Iterable[Check]) -> list[Check]:
    """One check for each identifier, in the order of the table."""
    found: dict[str, Check] = {}
    for check in checks:
        known = found.setdefault(check.id, check)
        known.types |= check.types
        known.reads |= check.reads
    return sorted(found.values(), key=lambda check: (check.platform, check.tool, check.id))


def property_name(word: str) -> str:
    """The name of a property as Pulumi writes it: camel case; empty for what names none."""
    last = re.sub(r"[\[{(].*", "", word.replace("/", ".").strip("./")).split(".")[-1]
    if not re.fullmatch(r"[A-Za-z][A-Za-z0-9_]*", last) or last.startswith(_TYPES) or last in _OF_THE_FORMAT:
        return ""
    head, *rest = last.split("_")
    return head[:1].lower() + head[1:] + "".join(part.title() for part in rest)


def main(folders: Iterable[Path]) -> None:
    """Write the table of what is read in some checkouts."""
    homes = list(folders)
    names = TypeNames.read(homes)
    checks = [
        check for home in homes for mark, read in _READERS.items() if (home / mark).is_dir() for check in read(home)
    ]
    written = []
    for check in merged(checks):
        types = sorted({name for type_ in check.types for name in names.pulumi(type_, check.platform)})
        words = {word for each in check.reads for word in re.split(r"[/.]", each)}
        reads = sorted({name for word in words if (name := property_name(word))})
        written.append((check.platform, check.tool, check.id, check.severity, " ".join(types), " ".join(reads)))
    TARGET.write_text(table(HEADER, written), encoding="utf-8")


if __name__ == "__main__":
    main(Path(each) for each in sys.argv[1:])
