"""`penstock check` as a person and a pipeline meet it: what it asks, what it prints, and the status it ends with."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml

from penstock.rules.levels import Category

pytestmark = pytest.mark.slow

Run = Callable[..., tuple[int, str, str]]

ROOT = Path(__file__).parents[1]
PROGRAM = """
from pulumi_aws import ebs

ebs.Volume("data", availability_zone="us-east-1a", size=10)
"""
RULE = "aws-ebs-encrypted"
PACKS: dict[str, object] = {"packs": [], "rules": {RULE: "mandatory"}}
FORMS = ("json", "sarif", "junit", "markdown", "html")


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project with one volume that is not encrypted."""
    (tmp_path / "Pulumi.yaml").write_text("name: shop\nruntime: python\n")
    (tmp_path / "__main__.py").write_text(PROGRAM)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def configure(folder: Path, policies: dict[str, object] | None) -> None:
    config = {} if policies is None else {"penstock:policies": policies}
    (folder / "Pulumi.dev.yaml").write_text(yaml.safe_dump({"config": config}))


def waiver(**changes: str) -> dict[str, object]:
    reported = {"rule": RULE, "urn": "*::data", "reason": "scratch", "owner": "ml", "expires": "2999-01-31", **changes}
    return {**PACKS, "waivers": [reported]}


def test_a_broken_policy_blocks_and_tells_its_place(penstock: Run, project: Path) -> None:
    configure(project, PACKS)

    status, out, _ = penstock("check", "dev")

    assert status == 1
    assert f"error  __main__.py:4  encrypted  [{RULE}]" in out
    assert "0 policy checks passed (single rules), 1 failed." in out
    assert "1 error. Checked in" in out


def test_a_check_draws_no_tree_and_prices_nothing(penstock: Run, project: Path) -> None:
    configure(project, PACKS)

    _, out, _ = penstock("check", "dev")
    document = json.loads(penstock("check", "dev", "--format", "json")[1])

    assert "USD" not in out
    assert "accelerator" not in out
    assert document.keys() == {
        "environment",
        "cloud",
        "ok",
        "findings",
        "checks",
        "policies",
        "coverage",
        "preconditions",
    }


DRIVER = """
from pulumi_kubernetes.core.v1 import Pod

container = {"name": "plugin", "image": "nvcr.io/nvidia/k8s-device-plugin:v1", "securityContext": {"privileged": True}}
Pod("driver", spec={"containers": [container]})
"""


def test_the_page_on_json_names_each_field(penstock: Run, project: Path) -> None:
    (project / "__main__.py").write_text(PROGRAM + DRIVER)
    configure(project, {**waiver(), "packs": ["baseline"], "frameworks": ["hipaa"]})
    page = (Path(__file__).parents[1] / "docs" / "guides" / "json.md").read_text(encoding="utf-8")
    tables = "".join(line for line in page.splitlines() if line.startswith("|"))
    named = set(re.findall(r"\w+", " ".join(re.findall(r"`([^`]+)`", tables))))

    document = json.loads(penstock("check", "dev", "--format", "json")[1])

    assert all(document["policies"][key] for key in ("waived", "exempt", "frameworks"))
    types = document["coverage"]["without_provider_rule"] | document["coverage"]["without_policy"]
    assert fields(document) - set(Category) - types.keys() <= named


def fields(value: object) -> set[str]:
    if isinstance(value, list):
        return {name for item in value for name in fields(item)}
    return {*value, *(name for item in value.values() for name in fields(item))} if isinstance(value, dict) else set()


def test_policies_that_nobody_turned_on_advise_only(penstock: Run, project: Path) -> None:
    configure(project, None)

    status, out, _ = penstock("check", "dev")

    assert status == 0
    assert f"warning  __main__.py:4  encrypted  [{RULE}]" in out
    assert "(baseline)" in out


def test_a_waiver_excuses_and_is_reported(penstock: Run, project: Path) -> None:
    configure(project, waiver())

    status, out, _ = penstock("check", "dev")
    reported = json.loads(penstock("check", "dev", "--format", "json")[1])["policies"]

    assert status == 0
    assert f"{RULE}  data (Volume): scratch (ml, until 2999-01-31)" in out
    assert [(each["rule"], each["reason"], each["expires"]) for each in reported["waived"]] == [
        (RULE, "scratch", "2999-01-31")
    ]
    assert reported["counts"]["encryption-at-rest"]["waived"] == 1


def test_a_waiver_that_has_expired_excuses_nothing(penstock: Run, project: Path) -> None:
    configure(project, waiver(expires="2020-01-31"))

    status, out, _ = penstock("check", "dev")

    assert status == 1
    assert RULE in out
    assert "warning  Pulumi.dev.yaml:7:7  penstock:policies.waivers[0]  [POLICY-002]" in out
    assert "expired on 2020-01-31" in out


def test_frameworks_are_viewed_where_they_are_asked_for(penstock: Run, project: Path) -> None:
    configure(project, {"frameworks": ["gdpr"]})

    _, out, _ = penstock("check", "dev")
    (view,) = json.loads(penstock("check", "dev", "--format", "json")[1])["policies"]["frameworks"]

    assert "GDPR (by a mapping that is unverified): rules speak to" in out
    assert view["unverified"] is True
    assert RULE in next(each for each in view["controls"] if each["control"] == "Art. 32(1)(a)")["failed"]


def test_what_is_fine_ends_well(penstock: Run, project: Path) -> None:
    (project / "__main__.py").write_text(PROGRAM.replace("size=10", "size=10, encrypted=True"))
    configure(project, PACKS)

    status, out, _ = penstock("check", "dev")

    assert status == 0
    assert "1 policy check passed (single rules)." in out
    assert "No findings." in out


def test_verbose_lists_what_is_undetermined(penstock: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    title = "Undetermined provider rules:\n"

    _, brief, _ = penstock("check", "aws-train")
    _, checked, _ = penstock("check", "aws-train", "-v")
    _, rehearsed, _ = penstock("rehearse", "aws-train", "--verbose")

    assert "3 undetermined (`--verbose` lists them)." in brief
    assert title not in brief
    for whole in (checked, rehearsed):
        listed = whole.partition(title)[2].partition("\n\n")[0]
        assert "  aws-eks-unsupported-zones  platform-prod (Cluster)\n" in listed
        assert "  aws-instance-type-in-zone  platform-prod-batch (NodeGroup)\n" in listed
