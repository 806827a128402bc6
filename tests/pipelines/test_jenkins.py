"""The Jenkinsfile that `penstock init` writes: its shell steps run. No linter of Jenkins works without its server."""

from __future__ import annotations

import json
import re
import textwrap
from pathlib import Path

import pytest
from tests.pipelines import code_host
from tests.pipelines.code_host import TOKEN
from tests.pipelines.runner import CLOUDS, bash, environment, program, write_pipeline


@pytest.fixture(params=CLOUDS)
def jenkinsfile(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """What is written for a cloud."""
    return (write_pipeline("jenkins", request.param, tmp_path) / "Jenkinsfile").read_text(encoding="utf-8")


def shell_of(stage: str, jenkinsfile: str) -> list[str]:
    """The shell scripts of a stage."""
    _, _, text = jenkinsfile.partition(f"stage('{stage}')")
    text = re.split(r"\n *stage\(|\ndef ", text)[0]
    return [textwrap.dedent(script) for script in re.findall(r"sh '''\n(.*?)'''", text, re.DOTALL)]


def test_brackets_are_balanced(jenkinsfile: str) -> None:
    code = re.sub(r"'''.*?'''|'[^'\n]*'|//[^\n]*", "", jenkinsfile, flags=re.DOTALL)
    closing = {")": "(", "]": "[", "}": "{"}
    opened: list[str] = []
    for character in code:
        if character in "([{":
            opened.append(character)
        elif character in closing:
            assert opened.pop() == closing[character]
    assert opened == []


def test_only_steps_that_sign_in_reach_the_cloud_and_an_update_waits_for_input(jenkinsfile: str) -> None:
    stages = ["Set up", "Review", "Stacks", "Preview", "Update", "Drift", "Preflight"]
    texts = dict(zip(stages, re.split(r"stage\('[\w ]+'\)", jenkinsfile.partition("\ndef ")[0])[1:], strict=True))

    assert {name for name, text in texts.items() if "signedIn(" in text} == {"Preview", "Update", "Drift", "Preflight"}
    assert {name for name, text in texts.items() if "input {" in text} == {"Update"}
    assert "signedIn('DEPLOY')" in texts["Update"]
    assert jenkinsfile.count("'DEPLOY'") == 1
    assert re.search(r"if \(!env\.CHANGE_FORK && .*\n *withCredentials", texts["Review"])
    assert jenkinsfile.count("withCredentials") == 2


@pytest.mark.parametrize(
    ("stage", "asked"),
    [
        ("Preview", "preview --stack dev --diff --non-interactive --policy-pack /packs"),
        ("Update", "up --stack dev --yes --diff --non-interactive --policy-pack /packs"),
        ("Drift", "preview --stack dev --refresh --diff --non-interactive --expect-no-changes"),
    ],
)
def test_a_stage_ends_with_the_status_of_the_cli(jenkinsfile: str, tmp_path: Path, stage: str, asked: str) -> None:
    (script,) = shell_of(stage, jenkinsfile)
    scripts = tmp_path / ".venv" / "bin"
    program(scripts, "pulumi", 'echo "$@" > asked; exit 7')
    program(scripts, "penstock", "echo /packs")
    (scripts / "activate").write_text(f'PATH="{scripts}:$PATH"\n', encoding="utf-8")
    result = bash(script, tmp_path, environment(STACK="dev"))

    assert result.returncode == 7, result.stderr
    assert (tmp_path / "asked").read_text(encoding="utf-8").strip() == asked


@pytest.mark.slow
def test_the_comment_is_posted_on_the_change(jenkinsfile: str, tmp_path: Path) -> None:
    *_, script = shell_of("Review", jenkinsfile)
    (tmp_path / ".venv" / "bin").mkdir(parents=True)
    (tmp_path / ".venv" / "bin" / "activate").touch()
    (tmp_path / "review").mkdir()
    (tmp_path / "review" / "review.md").write_text("<!-- penstock review: a -->\n", encoding="utf-8")
    with code_host.started(user="jenkins") as host:
        for url in (host.pull_request, host.merge_request):
            result = bash(script, tmp_path, environment(TOKEN=TOKEN, CHANGE_URL=url))
            assert result.returncode == 0, result.stderr

        assert len(host.comments) == 1
        assert [asked.split()[0] for asked in host.asked if not asked.startswith("GET")] == ["POST", "PUT"]


def test_google_gets_a_configuration_that_names_the_token_of_the_build(tmp_path: Path) -> None:
    jenkinsfile = (write_pipeline("jenkins", "gcp", tmp_path / "written") / "Jenkinsfile").read_text(encoding="utf-8")
    (script,) = re.findall(r"sh '''\n(.*?)'''", jenkinsfile.partition("def signedIn")[2], re.DOTALL)
    file = tmp_path / "dev.json"
    program(tmp_path / "bin", "gcloud", 'echo "$@" > asked')
    variables = {"GCP_IDENTITY_PROVIDER": "projects/1/p", "GCP_ACCOUNT": "read@x.example", "TOKEN_FILE": "/tokens/1"}
    given = environment(**variables, GOOGLE_APPLICATION_CREDENTIALS=str(file))
    result = bash(script, tmp_path, {**given, "PATH": f"{tmp_path / 'bin'}:{given['PATH']}"})

    assert result.returncode == 0, result.stderr
    assert (tmp_path / "asked").read_text(encoding="utf-8") == f"auth login --quiet --cred-file {file}\n"
    config = json.loads(file.read_text(encoding="utf-8"))
    assert config["audience"] == "//iam.googleapis.com/projects/1/p"
    assert config["credential_source"] == {"file": "/tokens/1"}
    assert config["service_account_impersonation_url"].endswith("/read@x.example:generateAccessToken")
