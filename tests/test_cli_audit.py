"""`penstock audit` as a person meets it: any stack as it stands, without its program."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

Run = Callable[..., tuple[int, str, str]]

HEAD = "urn:pulumi:prod::shop::"
RULE = "aws-ebs-encrypted"
STACK = {
    "urn": f"{HEAD}pulumi:pulumi:Stack::shop-prod",
    "type": "pulumi:pulumi:Stack",
    "custom": False,
    "outputs": {"url": "https://shop.example.com"},
}
VOLUME: dict[str, Any] = {
    "urn": f"{HEAD}aws:ebs/volume:Volume::data",
    "type": "aws:ebs/volume:Volume",
    "custom": True,
    "id": "vol-1",
    "inputs": {"size": 10, "encrypted": False},
    "outputs": {"size": 10, "encrypted": False},
    "sourcePosition": "project:///__main__.py#7,3",
}
ENCRYPTED = {**VOLUME, "inputs": {"size": 10, "encrypted": True}}
DATABASE = {
    "urn": f"{HEAD}aws:docdb/cluster:Cluster::db",
    "type": "aws:docdb/cluster:Cluster",
    "custom": True,
    "id": "db",
    "inputs": {"masterPassword": "tr0ub4dor&3"},
}
SECRET = "AKIA" + "IOSFODNN7EXAMPLQ"
ONE_RULE: dict[str, Any] = {"packs": [], "rules": {RULE: "mandatory"}}


@pytest.fixture
def export(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Path]:
    """Writes what `pulumi stack export` would, into a folder without a project."""
    monkeypatch.chdir(tmp_path)

    def write(*resources: dict[str, Any], provider: str = "awskms") -> Path:
        deployment = {"secrets_providers": {"type": provider}, "resources": list(resources)}
        file = tmp_path / "export.json"
        file.write_text(json.dumps({"version": 3, "deployment": deployment}))
        return file

    return write


def configured(folder: Path, policies: dict[str, Any]) -> Path:
    file = folder / "Pulumi.prod.yaml"
    file.write_text(yaml.safe_dump({"config": {"penstock:policies": policies, "other": 5}}))
    return file


def test_a_stack_that_breaks_the_baseline_ends_with_status_1(penstock: Run, export: Callable[..., Path]) -> None:
    export(STACK, {**VOLUME, "inputs": {**VOLUME["inputs"], "tags": {"key": SECRET}}})

    status, out, _ = penstock("audit", "export.json")

    assert status == 1
    assert "error  __main__.py:7  tags.key  [aws-tag-no-secret]" in out
    assert f"warning  __main__.py:7  encrypted  [{RULE}]" in out
    assert SECRET not in out
    assert "(baseline)" in out
    assert "Audited 1 resource of stack prod of project shop." in out


def test_a_stack_that_is_fine_ends_well(penstock: Run, export: Callable[..., Path], tmp_path: Path) -> None:
    status, out, _ = penstock("audit", export(STACK, ENCRYPTED), "--config", configured(tmp_path, ONE_RULE))

    assert status == 0
    assert "1 policy check passed (single rules)." in out
    assert "No findings. Audited" in out


def test_verbose_lists_what_an_audit_leaves_undetermined(
    penstock: Run, export: Callable[..., Path], tmp_path: Path
) -> None:
    sealed = {"4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270", "ciphertext": "v1:x"}
    file = export(STACK, {**VOLUME, "inputs": {"size": 10, "encrypted": sealed}})
    config = configured(tmp_path, ONE_RULE)

    _, brief, _ = penstock("audit", file, "--config", config)
    _, whole, _ = penstock("audit", file, "--config", config, "-v")

    assert "Undetermined policies: 1 of encryption-at-rest (`--verbose` lists it)." in brief
    assert f"Undetermined policy checks:\n  {RULE}  data (Volume)\n" in whole


def test_a_secret_in_clear_is_found_with_its_resource_and_never_shown(
    penstock: Run, export: Callable[..., Path], tmp_path: Path
) -> None:
    config = configured(tmp_path, ONE_RULE)

    for form in ("text", "json", "sarif", "junit", "markdown", "html"):
        status, out, err = penstock("audit", export(STACK, DATABASE), "--config", config, "--format", form)

        assert status == 1
        assert "state-secret-in-properties" in out
        assert "masterPassword" in out
        assert "db" in out
        assert "tr0ub4dor" not in out + err


def test_a_state_that_nothing_encrypts_blocks(penstock: Run, export: Callable[..., Path], tmp_path: Path) -> None:
    status, out, _ = penstock(
        "audit", export(STACK, provider="b64"), "--config", configured(tmp_path, ONE_RULE), "--format", "json"
    )

    assert status == 1
    assert [finding["code"] for finding in json.loads(out)["findings"]] == ["state-secrets-encrypted"]


def test_settings_and_waivers_of_a_stack_file_count(penstock: Run, export: Callable[..., Path], tmp_path: Path) -> None:
    waiver = {"rule": RULE, "urn": "*::data", "reason": "scratch", "owner": "ml", "expires": "2999-01-31"}
    config = configured(tmp_path, {**ONE_RULE, "waivers": [waiver]})

    status, out, _ = penstock("audit", export(STACK, VOLUME), "--config", config)

    assert status == 0
    assert "data (Volume): scratch (ml, until 2999-01-31)" in out


def test_a_secret_that_is_waived_is_listed_in_every_form(
    penstock: Run, export: Callable[..., Path], tmp_path: Path
) -> None:
    waiver = {
        "rule": "state-secret-in-properties",
        "urn": "*::db",
        "reason": "a scratch",
        "owner": "ml",
        "expires": "2999-01-31",
    }
    config = configured(tmp_path, {**ONE_RULE, "waivers": [waiver, {**waiver, "urn": "*::gone"}]})

    for form in ("text", "json", "sarif", "junit", "markdown", "html"):
        status, out, _ = penstock("audit", export(STACK, DATABASE), "--config", config, "--format", form)

        assert status == 0
        for words in ("state-secret-in-properties", "a scratch", "POLICY-003"):
            assert words in out
        assert "tr0ub4dor" not in out
        if form == "text":
            assert "warning  Pulumi.prod.yaml:" in out.replace(f"{tmp_path}/", "")
        if form == "sarif":
            assert not [
                each for each in json.loads(out)["runs"][0]["results"] if each["ruleId"] == "state-secret-in-properties"
            ]


def test_a_stack_file_that_says_nothing_of_policies_leaves_the_baseline(
    penstock: Run, export: Callable[..., Path], tmp_path: Path
) -> None:
    (tmp_path / "Pulumi.prod.yaml").write_text("encryptionsalt: v1:abc\n")

    status, out, _ = penstock("audit", export(STACK, VOLUME), "--config", tmp_path / "Pulumi.prod.yaml")

    assert status == 0
    assert f"warning  __main__.py:7  encrypted  [{RULE}]" in out


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("config:\n  penstock:policies:\n    packs: [baselin]\n", "baseline"),
        ("config: hello\n", "penstock:platform"),
        ("config: {a: [\n", "YAML"),
        ('{"version": 3, "deployment": {}}', "There is no `config:` here"),
    ],
)
def test_settings_that_are_wrong_are_reported_in_words(
    penstock: Run, export: Callable[..., Path], tmp_path: Path, content: str, words: str
) -> None:
    (tmp_path / "Pulumi.prod.yaml").write_text(content)

    status, out, err = penstock("audit", export(STACK), "--config", tmp_path / "Pulumi.prod.yaml")

    assert (status, out) == (2, "")
    assert words in err
    assert "Traceback" not in err


@pytest.mark.parametrize("content", ["", "[]", "{}", '{"version": 9}', '{"version": 3}'])
@pytest.mark.parametrize("form", ["text", "json", "sarif", "junit", "markdown", "html"])
def test_what_is_no_export_is_refused(penstock: Run, tmp_path: Path, content: str, form: str) -> None:
    (tmp_path / "export.json").write_text(content)

    status, out, err = penstock("audit", tmp_path / "export.json", "--format", form)

    assert status == 2
    assert "Traceback" not in err
    assert ("RUN-005" in out) is (form != "text")


def test_a_file_of_two_stacks_is_refused(penstock: Run, export: Callable[..., Path]) -> None:
    other = {**VOLUME, "urn": str(VOLUME["urn"]).replace("prod", "dev")}

    status, _, err = penstock("audit", export(VOLUME, other))

    assert status == 2
    assert "is the state of stack dev" in err


def test_an_empty_stack_has_nothing_to_find(penstock: Run, export: Callable[..., Path]) -> None:
    status, out, _ = penstock("audit", export())

    assert status == 0
    assert "Audited 0 resources." in out


def test_names_that_steer_a_terminal_or_break_a_form_do_neither(penstock: Run, export: Callable[..., Path]) -> None:
    urn = f"{HEAD}aws:ebs/volume:Volume::\x1b[31mred\n::<b>|`x`\ud800"
    export(STACK, {**VOLUME, "urn": urn, "sourcePosition": None})

    for form in ("text", "json", "sarif", "junit", "markdown", "html"):
        status, out, err = penstock("audit", "export.json", "--format", form)

        assert status == 0
        assert RULE in out
        assert "\x1b" not in out
        assert "Traceback" not in err


def test_an_error_is_reported_also_where_it_cannot_be_written(penstock: Run, tmp_path: Path) -> None:
    status, _, err = penstock("audit", tmp_path / "none.json", "--format", "sarif", "--out", tmp_path / "none" / "a")

    assert status == 2
    assert "cannot be written" in err
    assert "none.json cannot be read" in err


def test_an_export_that_is_refused_does_not_steer_the_terminal(penstock: Run, export: Callable[..., Path]) -> None:
    odd = {**VOLUME, "urn": f"{HEAD}t::data\x1b]0;title\x07\u202e", "type": 5}

    code, _, reported = penstock("audit", str(export(odd)))

    assert code == 2
    assert "data" in reported
    assert reported.replace("\n", "").isprintable()
