"""Supply chain on Azure: runtimes of web apps and functions."""

from __future__ import annotations

from penstock.azure.types import WEB_APP, WEB_APP_SLOT
from penstock.policies.ended_versions import Maintained
from penstock.rules.levels import MEDIUM, Category
from penstock.rules.rule import RuleSet

RULES = RuleSet(Category.SUPPLY_CHAIN)

RULES.row(
    "az-web-runtime",
    "The runtime of a web app receives security patches.",
    on=(WEB_APP, WEB_APP_SLOT),
    check=Maintained(),
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
