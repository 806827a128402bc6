"""Secrets in clear in any stack file are errors at their line, and their values are in no message."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

Run = Callable[..., tuple[int, str, str]]

KEY_OF_AWS = "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"
TOKEN_OF_GITHUB = "ghp_" + "aB3" * 12


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "Pulumi.yaml").write_text("name: shop\nruntime: python\n", encoding="utf-8")
    (tmp_path / "__main__.py").write_text("import pulumi\n", encoding="utf-8")
    return tmp_path


def found_in(penstock: Run, project: Path, config: str) -> tuple[int, list[tuple[str, int]], str]:
    (project / "Pulumi.dev.yaml").write_text(f"config:\n  aws:region: eu-west-1\n  {config}\n", encoding="utf-8")
    status, out, err = penstock("check", project, "--stack", "dev", "--format", "json")
    findings = [each for each in json.loads(out)["findings"] if each["code"] == "SPEC-016"]
    return status, [(Path(each["file"]).name, each["line"]) for each in findings], out + err


@pytest.mark.parametrize(
    ("config", "secret"),
    [
        (f"aws:secretKey: {KEY_OF_AWS}", KEY_OF_AWS),
        ("aws:accessKey: AKIAQ3EGWAF7JLV2PZXN", "AKIAQ3EGWAF7JLV2PZXN"),
        ("shop:dbPassword: hunter2hunter2", "hunter2hunter2"),
        ("shop:dbPassword: 4815162342", "4815162342"),
        ("shop:db: {host: db, password: swordfish}", "swordfish"),
        (f"shop:repositories: [{{name: it, token: {TOKEN_OF_GITHUB}}}]", TOKEN_OF_GITHUB),
        (f"github:token: {TOKEN_OF_GITHUB}", TOKEN_OF_GITHUB),
        ("shop:environment: [{name: DB_PASSWORD, value: swordfish}]", "swordfish"),
        ("shop:url: postgres://app:c0rrect-horse-battery@db.example.com/app", "c0rrect-horse-battery"),
        ("azure-native:clientSecret: Zq8~kT2mWx7VbN4pLr9sYh3JcF6dGa1E", "Zq8~kT2mWx7VbN4pLr9sYh3JcF6dGa1E"),
    ],
)
def test_a_secret_in_clear_is_an_error_at_its_line(penstock: Run, project: Path, config: str, secret: str) -> None:
    status, places, printed = found_in(penstock, project, config)

    assert (status, places) == (1, [("Pulumi.dev.yaml", 3)])
    assert secret not in printed


@pytest.mark.parametrize(
    "config",
    [
        "shop:dbPassword: {secure: AAABAFk3Zm9v}",
        "shop:db: {host: db, password: {secure: AAABAFk3Zm9v}}",
        "shop:passwordLength: 16",
        "shop:maxToken: 4096",
        "shop:imagePullSecret: regcred",
        "shop:dbSecret: prod-db",
        "shop:passwordParameter: /prod/db/password",
        "shop:dbPassword: arn:aws:secretsmanager:us-east-1:123456789012:secret:db",
        "shop:dbPassword: ${DB_PASSWORD}",
        "shop:auth: oidc",
        "gcp:credentials: ./key.json",
        "aws:skipCredentialsValidation: true",
    ],
)
def test_encrypted_values_and_names_of_secrets_are_fine(penstock: Run, project: Path, config: str) -> None:
    status, places, _ = found_in(penstock, project, config)

    assert (status, places) == (0, [])


def test_a_default_of_the_project_is_judged_too(penstock: Run, project: Path) -> None:
    text = "name: shop\nruntime: python\nconfig:\n  shop:dbPassword: {type: string, default: swordfish}\n"
    (project / "Pulumi.yaml").write_text(text, encoding="utf-8")

    status, places, printed = found_in(penstock, project, "shop:size: 3")

    assert (status, places, "swordfish" in printed) == (1, [("Pulumi.yaml", 4)], False)
