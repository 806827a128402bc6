"""Supply chain on Azure: runtimes of web apps and functions."""

from __future__ import annotations

from typing import Final

from penstock.rules.checks import All, Unlike
from penstock.rules.levels import MEDIUM, Category
from penstock.rules.rule import RuleSet

RULES = RuleSet(Category.SUPPLY_CHAIN)

_ENDED: Final = (
    r"(?i)(PYTHON\|(2\.\d+|3\.[0-9])|PHP\|([4-7]\.\d+|8\.[01])|NODE\|(\d|1\d)([.-].*)?|DOTNETCORE\|([1-3]\.\d|[5-7]\.0)|"
    r"RUBY\|([12]\.\d+.*|3\.[01]))"
)
"""Runtimes that their projects no longer patch: Python below 3.10, PHP below 8.2, Node.js below 20, .NET below 8."""

RULES.row(
    "az-web-runtime",
    "The runtime of a web app receives security patches.",
    on=("azure-native:web:WebApp", "azure-native:web:WebAppSlot"),
    check=All(
        Unlike("siteConfig.linuxFxVersion", _ENDED),
        Unlike("siteConfig.phpVersion", r"[4-7]\.\d+|8\.[01]"),
        Unlike("siteConfig.pythonVersion", r"2\.\d+|3\.[0-9]"),
        Unlike("siteConfig.javaVersion", r"1\.[0-7](\..*)?|7(\..*)?"),
        Unlike("siteConfig.netFrameworkVersion", r"v?([1-3]\.\d|[5-7]\.0)"),
    ),
    severity=MEDIUM,
    rationale="Vulnerabilities found from now on stay open.",
    fix="Set siteConfig.linuxFxVersion (phpVersion, pythonVersion, javaVersion, netFrameworkVersion on Windows) to a "
    "supported version, such as PYTHON|3.13.",
    sources=(
        "Python, status of versions <https://devguide.python.org/versions/>",
        "PHP, supported versions <https://www.php.net/supported-versions.php>",
        "Node.js, releases <https://nodejs.org/en/about/previous-releases>",
        ".NET support policy <https://dotnet.microsoft.com/platform/support/policy/dotnet-core>",
    ),
    peers="CKV_AZURE_80 CKV_AZURE_81 CKV_AZURE_82 CKV_AZURE_83 AZU-0069 AZU-0070 KICS:96fe318e KICS:cc4aaa9d",
)
