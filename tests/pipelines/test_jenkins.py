"""The Jenkinsfile that `penstock init` writes: its shell steps run. No linter of Jenkins works without its server."""

from __future__ import annotations

import json
import re
import sys
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


STAGES = ["Review", "Stacks", "Preview", "Update", "Preview the end", "Destroy", "Drift", "Preflight"]


def stages_of(jenkinsfile: str) -> dict[str, str]:
    """The text of each stage."""
    text = jenkinsfile.partition("\n  post {")[0]
    return dict(zip(STAGES, re.split(r"stage\('[\w ]+'\)", text)[1:], strict=True))


def test_only_steps_that_sign_in_reach_the_cloud_and_an_update_waits_for_input(jenkinsfile: str) -> None:
    texts = stages_of(jenkinsfile)

    assert {name for name, text in texts.items() if "signedIn(" in text} == {*STAGES} - {"Review", "Stacks"}
    assert {name for name, text in texts.items() if "input {" in text} == {"Update", "Destroy"}
    assert {name for name, text in texts.items() if "signedIn('DEPLOY')" in text} == {"Update", "Destroy"}
    assert jenkinsfile.count("'DEPLOY'") == 2
    assert jenkinsfile.count("withCredentials") == 2


def test_an_approval_holds_no_agent_and_changes_run_on_agents_of_their_own(jenkinsfile: str) -> None:
    labels = {name: re.findall(r"agent \{ label '([\w-]+)' \}", text) for name, text in stages_of(jenkinsfile).items()}

    assert re.findall(r"^  agent (\w+)$", jenkinsfile, re.MULTILINE) == ["none"]
    assert labels.pop("Review") == ["penstock-review"]
    assert labels.pop("Stacks") == []
    assert set(map(tuple, labels.values())) == {("penstock-deploy",)}
    assert all(
        re.search(r"before(Agent|Input) true", text)
        for name, text in stages_of(jenkinsfile).items()
        if name != "Stacks"
    )


def test_the_token_of_the_comment_meets_no_code_of_the_change(jenkinsfile: str) -> None:
    review = stages_of(jenkinsfile)["Review"]
    comment = jenkinsfile.partition("def comment()")[2].partition("\ndef ")[0]

    assert "withCredentials" not in review
    assert review.index("stash name: 'target'") < review.index("pip install")
    assert re.search(r"env\.CHANGE_ID && !env\.CHANGE_FORK\) \{\n *node\('penstock-comment'\)", jenkinsfile)
    assert comment.index("cd target") < comment.index("withCredentials")
    assert "checkout" not in comment


@pytest.mark.parametrize(
    ("stage", "asked"),
    [
        ("Preview", "preview --stack dev --diff --non-interactive --policy-pack /packs"),
        ("Update", "up --stack dev --yes --diff --non-interactive --policy-pack /packs"),
        ("Preview the end", "destroy --stack dev --preview-only --diff --non-interactive"),
        ("Destroy", "destroy --stack dev --yes --diff --non-interactive"),
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
    comment = jenkinsfile.partition("def comment()")[2]
    _, script = [textwrap.dedent(each) for each in re.findall(r"sh '''\n(.*?)'''", comment, re.DOTALL)][:2]
    (tmp_path / ".venv" / "bin").mkdir(parents=True)
    (tmp_path / ".venv" / "bin" / "penstock").symlink_to(Path(sys.executable).parent / "penstock")
    (tmp_path / "review").mkdir()
    (tmp_path / "review" / "review.md").write_text("<!-- penstock review: a -->\n", encoding="utf-8")
    with code_host.started(user="jenkins") as host:
        servers = {"GITHUB_SERVER_URL": host.address, "CI_SERVER_URL": host.address}
        for url in (host.pull_request, host.merge_request):
            result = bash(script, tmp_path, environment(TOKEN=TOKEN, CHANGE_URL=url, **servers))
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
