"""The pipelines for GitLab that `penstock init` writes: they keep its schema, and their scripts do what they say."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
import yaml
from tests.pipelines import code_host, linters
from tests.pipelines.code_host import TOKEN
from tests.pipelines.runner import CLOUDS, bash, environment, program, write_pipeline

REPORT = "<!-- penstock review: acme-ai -->\n## acme-ai\n"
TEMPLATE = Path("templates") / "penstock-review" / "template.yml"


@pytest.fixture(params=CLOUDS)
def repository(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """What is written for a cloud."""
    return write_pipeline("gitlab", request.param, tmp_path)


def component(repository: Path, **inputs: str) -> Mapping[str, Any]:
    """The jobs of the component, with inputs in place of what they stand for, as GitLab puts them there."""
    header, body = (repository / TEMPLATE).read_text(encoding="utf-8").split("\n---\n")
    declared = yaml.safe_load(header)["spec"]["inputs"]
    for name, declaration in declared.items():
        body = body.replace(f"$[[ inputs.{name} ]]", inputs.get(name, declaration["default"]))
    assert "$[[" not in body, "an input that is not declared"
    jobs: Mapping[str, Any] = yaml.safe_load(body)
    return jobs


def pipeline(repository: Path) -> Mapping[str, Any]:
    jobs: Mapping[str, Any] = yaml.safe_load((repository / ".gitlab-ci.yml").read_text(encoding="utf-8"))
    return jobs


def test_files_keep_the_schema_of_gitlab(repository: Path) -> None:
    body = repository / "component.yml"
    body.write_text(yaml.safe_dump(dict(component(repository))), encoding="utf-8")

    assert linters.schema_errors("vendor.gitlab-ci", repository / ".gitlab-ci.yml", body) == ""


def test_a_merge_request_runs_without_credentials(repository: Path) -> None:
    review = component(repository)
    deploying = [name for name, job in pipeline(repository).items() if isinstance(job, dict) and "rules" in job]

    assert [name for name, job in review.items() if "id_tokens" in job or "KUBECONFIG" in str(job)] == []
    assert [name for name, job in review.items() if "environment" in job] == ["penstock-comment"]
    assert "GITLAB_TOKEN" not in str(review["penstock-review"]), "a job that runs the program of a merge request"
    for name in set(deploying) - {"workflow"}:
        assert "merge_request_event" not in str(pipeline(repository)[name]["rules"])


def test_an_update_waits_for_a_person_in_the_environment_of_its_stack(repository: Path) -> None:
    up = pipeline(repository)["up"]

    assert [rule.get("when") for rule in up["rules"]] == ["manual"]
    assert up["environment"]["name"] == up["resource_group"] == "$STACK"
    assert pipeline(repository)[".pulumi"]["parallel"]["matrix"] == [{"STACK": ["dev"]}]


def test_a_destroy_is_previewed_and_waits_for_a_person_in_the_environment_of_its_stack(repository: Path) -> None:
    jobs = pipeline(repository)
    destroy = jobs["destroy"]

    assert [rule.get("when") for rule in destroy["rules"]] == ["manual"]
    assert destroy["environment"]["name"] == destroy["resource_group"] == "$DESTROY"
    assert destroy["needs"] == ["destroy-preview"]
    for rule in (*jobs[".destroy"]["rules"], *destroy["rules"]):
        assert "$CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH && $DESTROY" in rule["if"]
    for name in ("preview", "up"):
        assert jobs[name]["rules"][0]["if"].endswith("$DESTROY == null")
    assert jobs[".destroy"]["parallel"] is None


def test_a_cloud_trusts_an_id_token_and_no_key_is_stored(repository: Path, request: pytest.FixtureRequest) -> None:
    text = (repository / ".gitlab-ci.yml").read_text(encoding="utf-8")
    cloud = request.node.callspec.params["repository"]

    assert ("id_tokens:" in text) == (cloud != "kubernetes")
    for key in ("ACCESS_KEY", "CLIENT_SECRET", "PULUMI_ACCESS_TOKEN", "PASSPHRASE", "CREDENTIALS_JSON"):
        assert key not in text


SIGN_IN = {
    "aws": {"AWS_TOKEN": "jwt", "AWS_ROLE_ARN": "arn:aws:iam::123456789012:role/read"},
    "gcp": {"GCP_TOKEN": "jwt", "GCP_IDENTITY_PROVIDER": "projects/1/p", "GCP_SERVICE_ACCOUNT": "read@x.example"},
    "azure": {"AZURE_TOKEN": "jwt", "AZURE_CLIENT_ID": "c", "AZURE_TENANT_ID": "t", "AZURE_SUBSCRIPTION_ID": "s"},
    "kubernetes": {"KUBECONFIG": __file__},
}


def test_a_job_signs_in_and_passes_on_the_status_of_the_cli(repository: Path, request: pytest.FixtureRequest) -> None:
    cloud = request.node.callspec.params["repository"]
    jobs = pipeline(repository)
    program(repository / "bin", "python", "exit 0")  # installs nothing
    program(
        repository / "bin", "pulumi", 'env | sort > "$CI_PROJECT_DIR/seen"; echo "$@" > "$CI_PROJECT_DIR/asked"; exit 7'
    )
    folder = repository / "builds"
    folder.mkdir()
    variables = environment(**SIGN_IN[cloud], CI_PROJECT_DIR=str(folder), CI_JOB_ID="9", STACK="dev")
    variables["PATH"] = f"{repository / 'bin'}:{variables['PATH']}"
    result = run([*jobs[".pulumi"]["before_script"], *jobs["drift"]["script"]], folder, variables)

    assert result.returncode == 7, result.stdout + result.stderr
    assert (folder / "asked").read_text(encoding="utf-8").startswith("preview --stack dev --refresh --diff")
    token = repository / "builds.token"
    if cloud != "kubernetes":
        assert token.read_text(encoding="utf-8") == "jwt"
        assert token.stat().st_mode & 0o077 == 0
    if cloud == "gcp":
        config = json.loads((repository / "builds.json").read_text(encoding="utf-8"))
        assert config["audience"] == "//iam.googleapis.com/projects/1/p"
        assert config["credential_source"] == {"file": str(token)}
        assert config["service_account_impersonation_url"].endswith("/read@x.example:generateAccessToken")
    if cloud == "aws":
        assert f"AWS_WEB_IDENTITY_TOKEN_FILE={token}" in (folder / "seen").read_text(encoding="utf-8")


def run(script: Sequence[str], folder: Path, variables: Mapping[str, str]) -> Any:
    return bash("\n".join(script), folder, variables)


@pytest.fixture
def jobs(tmp_path: Path) -> Mapping[str, Any]:
    requirements = tmp_path / "requirements.txt"
    requirements.write_text("# nothing to install: Penstock is there\n", encoding="utf-8")
    return component(write_pipeline("gitlab", "aws", tmp_path / "written"))


@pytest.mark.slow
@pytest.mark.parametrize("token", [TOKEN, ""])
def test_the_note_is_updated_in_place_and_a_fork_without_the_token_writes_none(
    jobs: Mapping[str, Any], tmp_path: Path, token: str
) -> None:
    builds = tmp_path / "builds"
    (builds / "review").mkdir(parents=True)
    (builds / "venv").mkdir()
    (builds / "venv" / "__init__.py").write_text("raise SystemExit('code of the merge request')\n", encoding="utf-8")
    script = jobs["penstock-comment"]["script"]
    program(tmp_path / "bin", "git", 'mkdir -p "${@: -1}"; echo "$@" > "$CI_PROJECT_DIR/cloned"')
    program(tmp_path / "bin", "python", FAKE_VENV)
    with code_host.started(user="project_1_bot") as gitlab:
        project, _, _ = gitlab.merge_request.partition("/-/")
        variables = environment(
            CI_MERGE_REQUEST_PROJECT_URL=project,
            CI_MERGE_REQUEST_IID="7",
            CI_MERGE_REQUEST_TARGET_BRANCH_NAME="main",
            CI_PROJECT_DIR=str(builds),
            CI_REPOSITORY_URL=f"{project}.git",
            CI_SERVER_URL=gitlab.address,
            GITLAB_TOKEN=token,
        )
        variables["PATH"] = f"{tmp_path / 'bin'}:{variables['PATH']}"
        for text in ("first", "second"):
            (builds / "review" / "review.md").write_text(f"{REPORT}{text}\n", encoding="utf-8")
            result = run(script, builds, variables)
            assert result.returncode == 0, result.stderr

        assert gitlab.bodies() == ([f"{REPORT}second\n"] if token else [])
        if token:
            assert (builds / "cloned").read_text(encoding="utf-8").endswith(f"--branch main {project}.git target\n")
            installed = (builds / "installed").read_text(encoding="utf-8")
            assert installed == "install --quiet --requirement requirements.txt\n"


FAKE_VENV = f"""
[ "$*" = "-I -m venv venv" ] || exit 9
mkdir -p venv/bin
ln -s {Path(sys.executable).parent / "penstock"} venv/bin/penstock
printf '#!/bin/sh\\necho "$@" > "$CI_PROJECT_DIR/installed"\\n' > venv/bin/pip
chmod +x venv/bin/pip
"""
"""Makes an environment that has Penstock, in place of one that installs it."""


def test_the_job_with_the_token_checks_nothing_out(jobs: Mapping[str, Any]) -> None:
    assert jobs["penstock-comment"]["variables"]["GIT_STRATEGY"] == "none"


def test_findings_become_code_quality(jobs: Mapping[str, Any], tmp_path: Path) -> None:
    place = {"physicalLocation": {"artifactLocation": {"uri": "Pulumi.dev.yaml"}, "region": {"startLine": 7}}}
    results = [
        {
            "ruleId": "SPEC-061",
            "level": "error",
            "message": {"text": "'h1000' is no accelerator"},
            "locations": [place],
        },
        {"ruleId": "DIFF-001", "level": "note", "message": {"text": "without a place"}},
    ]
    (tmp_path / "review").mkdir()
    (tmp_path / "review" / "review.sarif").write_text(json.dumps({"runs": [{"results": results}]}), encoding="utf-8")
    result = run(jobs["penstock-review"]["after_script"], tmp_path, environment())

    assert result.returncode == 0, result.stderr
    first, second = json.loads((tmp_path / "review" / "codequality.json").read_text(encoding="utf-8"))
    assert first["severity"] == "major"
    assert first["location"] == {"path": "Pulumi.dev.yaml", "lines": {"begin": 7}}
    assert second["location"]["path"] == "Pulumi.yaml"
    assert first["fingerprint"] != second["fingerprint"]


def test_without_findings_there_is_no_code_quality_and_no_error(jobs: Mapping[str, Any], tmp_path: Path) -> None:
    assert run(jobs["penstock-review"]["after_script"], tmp_path, environment()).returncode == 0
    assert run(jobs["penstock-comment"]["script"], tmp_path, environment(GITLAB_TOKEN=TOKEN)).returncode == 0
