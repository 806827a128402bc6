"""The Pulumi types of the types that other scanners read: of Terraform's providers, and of Azure's resource manager."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Final, Self

from penstock.catalog import tables

_PACKAGES: Final = {"aws": "pulumi_aws", "gcp": "pulumi_gcp", "azure-native": "pulumi_azure_native"}
_TOKEN: Final = re.compile(r"__self__\)\.__init__\(\s*'([\w-]+:[\w/]+:\w+)'")
_AZURE_DOCS: Final = Path("website") / "docs" / "r"
_IMPORT: Final = re.compile(r"terraform import (azurerm_\w+)\.\S+ \"?(/\S+)")
_PROVIDER: Final = re.compile(r"/providers/(Microsoft\.[A-Za-z.]+)/(\S+)", re.IGNORECASE)
_FIRST_WORDS: Final = re.compile(r"^(?:api_gateway|apigatewayv2|cognito|vpc|db|ec2|ssoadmin|cloudwatch|iam)_")
_MODULES: Final = {"documentdb": "cosmosdb", "cache": "redis"}
"""Modules of the SDK whose name is not that of the resource provider."""
_BY_HAND: Final = {row["type"]: row["pulumi"] for row in tables.rows("peer_types", Path(__file__).parent)}


@dataclass(frozen=True, slots=True)
class TypeNames:
    """The types of the installed SDKs, by name without case, and the resource providers of Azure's Terraform types."""

    whole: Mapping[str, frozenset[str]]
    """By module and name."""

    last: Mapping[str, frozenset[str]]
    """By name."""

    arm: Mapping[str, str]
    """The type of Azure's resource manager, by Terraform's."""

    @classmethod
    def read(cls, homes: Iterable[Path]) -> Self:
        """Read the SDKs, and the documentation of Terraform's provider among some folders."""
        whole, last = defaultdict(set), defaultdict(set)
        for token in (token for package in _PACKAGES.values() for token in _tokens(package)):
            package, module, name = token.split(":")
            home = module.split("/")[0]
            for spelling in {home, home.removesuffix("s")}:
                whole[f"{package}:{_plain(spelling + name)}"].add(token)
            last[f"{package}:{_plain(name)}"].add(token)
        arm = {type_: id_ for home in homes for type_, id_ in _arm_types(home / _AZURE_DOCS)}
        return cls({k: frozenset(v) for k, v in whole.items()}, {k: frozenset(v) for k, v in last.items()}, arm)

    def pulumi(self, type_: str, platform: str) -> frozenset[str]:
        """The Pulumi types of a type of a peer; kinds of Kubernetes keep their name."""
        if platform == "kubernetes":
            return frozenset({type_}) if type_[:1].isupper() else frozenset()
        if type_ in _BY_HAND:
            return frozenset(_BY_HAND[type_].split())
        if type_.startswith("Microsoft.") or type_ in self.arm:
            return self._of_azure(self.arm.get(type_, type_))
        package = {"aws": "aws", "google": "gcp"}.get(type_.partition("_")[0])
        if package is None:
            return frozenset()
        name = type_.partition("_")[2]
        return (
            self.whole.get(f"{package}:{_plain(name)}")
            or self.last.get(f"{package}:{_plain(name)}")
            or self.last.get(f"{package}:{_plain(_FIRST_WORDS.sub('', name))}", frozenset())
        )

    def _of_azure(self, type_: str) -> frozenset[str]:
        """The type of the module with the provider's name, or all of that module: few modules have other names."""
        provider, *path = type_.split("/")
        module = provider.removeprefix("Microsoft.").lower()
        module = _MODULES.get(module, module)
        last = path[-1]
        singular = re.sub(r"ies$", "y", last) if last.endswith("ies") else re.sub(r"(?<=ss)es$|s$", "", last)
        return self.whole.get(f"azure-native:{_plain(module + singular)}", frozenset({f"azure-native:{module}:*"}))


def _plain(name: str) -> str:
    return re.sub(r"[^a-z0-9]", "", name.lower())


def _tokens(package: str) -> set[str]:
    found = find_spec(package)
    if found is None or found.origin is None:
        return set()
    files = (each for each in Path(found.origin).parent.rglob("*.py") if not each.name.startswith(("_", "get_")))
    return {token for file in files for token in _TOKEN.findall(file.read_text(encoding="utf-8"))}


def _arm_types(documentation: Path) -> Iterable[tuple[str, str]]:
    for file in sorted(documentation.glob("*.markdown")):
        for type_, id_ in _IMPORT.findall(file.read_text(encoding="utf-8")):
            ways = list(_PROVIDER.finditer(id_))
            if ways:
                provider, path = ways[-1].groups()
                yield type_, "/".join((provider, *path.strip("\"'").split("/")[::2]))
