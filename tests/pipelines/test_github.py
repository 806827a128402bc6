"""The pipelines for GitHub that `penstock init` writes: they pass linters, and their shell steps do what they say."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml
from tests.pipelines import code_host, linters
from tests.pipelines.code_host import TOKEN, CodeHost
from tests.pipelines.runner import CLOUDS, Job, environment, program, steps_of, write_pipeline

ROOT = Path(__file__).parents[2]
ACTION = ROOT / "action.yml"


@pytest.fixture(params=CLOUDS)
def repository(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """What is written for a cloud."""
    write_pipeline("github", request.param, tmp_path)
    (tmp_path / ".git").mkdir()  # actionlint looks for local actions below the root of a repository
    return tmp_path


def workflows(repository: Path) -> list[Path]:
    return sorted((repository / ".github" / "workflows").glob("*.yml"))


def jobs(repository: Path) -> Iterator[tuple[str, str, Mapping[str, Any]]]:
    for file in workflows(repository):
        for name, job in yaml.safe_load(file.read_text(encoding="utf-8"))["jobs"].items():
            yield file.stem, name, job


def test_files_keep_the_schemas_of_github(repository: Path) -> None:
    actions = sorted((repository / ".github" / "actions").glob("*/action.yml"))

    assert linters.schema_errors("vendor.github-workflows", *workflows(repository)) == ""
    assert linters.schema_errors("vendor.github-actions", *actions) == ""
    assert linters.schema_errors("vendor.dependabot", repository / ".github" / "dependabot.yml") == ""


def test_workflows_pass_zizmor(repository: Path) -> None:
    assert linters.zizmor(repository, ".") == ""


@pytest.mark.slow
def test_workflows_pass_actionlint(repository: Path) -> None:
    assert linters.actionlint(workflows(repository), repository) == ""


def test_no_trigger_gives_code_of_forks_more_than_a_token_that_reads(repository: Path) -> None:
    for file in workflows(repository):
        triggers = yaml.load(file.read_text(encoding="utf-8"), yaml.BaseLoader)["on"]
        assert not {"pull_request_target", "workflow_run", "issue_comment"} & set(triggers)
        if "pull_request" in triggers:
            assert "secrets." not in file.read_text(encoding="utf-8")
            assert "id-token" not in file.read_text(encoding="utf-8")


def test_jobs_have_the_least_rights_a_timeout_and_no_credentials_of_git(repository: Path) -> None:
    allowed = {
        ("review", "review"): {"contents": "read"},
        ("review", "comment"): {"contents": "read", "pull-requests": "write", "security-events": "write"},
        ("deploy", "stacks"): {"contents": "read"},
        ("deploy", "preview"): {"contents": "read", "id-token": "write"},
        ("deploy", "changed"): {},
        ("deploy", "up"): {"contents": "read", "id-token": "write"},
        ("destroy", "preview"): {"contents": "read", "id-token": "write"},
        ("destroy", "destroy"): {"contents": "read", "id-token": "write"},
        ("nightly", "stacks"): {"contents": "read"},
        ("nightly", "check"): {"contents": "read", "id-token": "write"},
        ("nightly", "report"): {"issues": "write"},
    }
    assert {(file, name): job["permissions"] for file, name, job in jobs(repository)} == allowed
    for _, _, job in jobs(repository):
        assert job["timeout-minutes"] <= 180
        checkouts = [step for step in job["steps"] if step.get("uses", "").startswith("actions/checkout@")]
        assert all(step["with"]["persist-credentials"] is False for step in checkouts)


def test_only_an_update_or_a_destroy_runs_in_an_environment_and_no_key_of_a_cloud_is_stored(repository: Path) -> None:
    in_environments = {(file, name) for file, name, job in jobs(repository) if "environment" in job}
    text = "".join(file.read_text(encoding="utf-8") for file in (repository / ".github").rglob("*.yml"))

    assert in_environments == {("deploy", "up"), ("destroy", "destroy")}
    for key in ("access-key", "credentials_json", "client-secret", "creds:", "PULUMI_ACCESS_TOKEN", "PASSPHRASE"):
        assert key not in text


def test_a_token_that_writes_is_never_in_a_job_with_code_of_the_pull_request(repository: Path) -> None:
    (review,) = (job for file, name, job in jobs(repository) if (file, name) == ("review", "review"))
    (comment,) = (job for file, name, job in jobs(repository) if (file, name) == ("review", "comment"))
    action = (repository / ".github" / "actions" / "penstock-review" / "action.yml").read_text(encoding="utf-8")

    assert not [right for right in review["permissions"].values() if right != "read"]
    assert "token" not in action.partition("\ninputs:")[2]
    assert comment["steps"][0]["with"]["ref"] == "${{ github.event.pull_request.base.sha }}"
    assert [step["uses"] for step in comment["steps"][1:]] == ["./.github/actions/penstock-comment"]


@pytest.mark.parametrize(
    ("ref", "changed", "runs"),
    [
        ("refs/heads/main", '["dev"]', True),
        ("refs/heads/main", "[]", False),
        ("refs/heads/main", "", False),
        ("refs/heads/mine", '["dev"]', False),
        ("refs/tags/main", '["dev"]', False),
    ],
)
def test_only_main_is_deployed_also_by_hand(
    deploy: Mapping[str, Any], tmp_path: Path, ref: str, changed: str, *, runs: bool
) -> None:
    job = Job(tmp_path, tmp_path, {"github.ref": ref, "needs.changed.outputs.stacks": changed}, {})

    assert job.holds(deploy["up"]["if"]) == runs


def test_a_destroy_is_previewed_on_main_and_waits_for_the_environment_of_its_stack(repository: Path) -> None:
    found = {name: job for file, name, job in jobs(repository) if file == "destroy"}
    folder = repository / "run"
    program(folder / "bin", "pulumi", 'echo "$@" >> asked')
    for job in found.values():
        assert run_steps(job, folder, {}, **{"inputs.stack": "old; touch evil"})[0] == 0

    assert found["preview"]["if"] == "${{ github.ref == 'refs/heads/main' }}"
    assert found["destroy"]["needs"] == "preview"
    assert found["destroy"]["environment"] == "${{ inputs.stack }}"
    assert (folder / "asked").read_text(encoding="utf-8").splitlines() == [
        "destroy --stack old; touch evil --preview-only --diff --non-interactive",
        "destroy --stack old; touch evil --yes --diff --non-interactive",
    ]
    assert not (folder / "evil").exists()


def test_code_owners_are_comments_until_somebody_names_a_team(repository: Path) -> None:
    lines = (repository / ".github" / "CODEOWNERS").read_text(encoding="utf-8").splitlines()

    assert all(line.startswith("#") for line in lines)
    assert {line.split()[1] for line in lines if "@OWNER/TEAM" in line and line.startswith("# /")} == {
        "/.github/",
        "/penstock_rules/",
        "/requirements*.txt",
        "/vendor/",
        "/Pulumi*.yaml",
    }


def test_existing_code_owners_are_kept(tmp_path: Path) -> None:
    file = tmp_path / ".github" / "CODEOWNERS"
    file.parent.mkdir()
    file.write_text("* @acme/platform\n", encoding="utf-8")
    write_pipeline("github", "aws", tmp_path)

    assert file.read_text(encoding="utf-8") == "* @acme/platform\n"
    assert (tmp_path / ".github" / "workflows" / "review.yml").exists()


def test_the_action_of_this_repository_is_the_one_that_is_written(tmp_path: Path) -> None:
    written = write_pipeline("github", "aws", tmp_path) / ".github" / "actions" / "penstock-review" / "action.yml"

    assert ACTION.is_symlink()
    assert ACTION.read_text(encoding="utf-8") == written.read_text(encoding="utf-8")


@pytest.fixture
def github() -> Iterator[CodeHost]:
    with code_host.started() as host:
        yield host


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """A clone of a bare repository, as a runner has it: main on the remote, and a branch that adds a node."""
    clone = tmp_path / "clone"
    git(tmp_path, "init", "--quiet", "--bare", "--initial-branch=main", "origin.git")
    git(tmp_path, "clone", "--quiet", str(tmp_path / "origin.git"), str(clone))
    write_pipeline("github", "aws", clone)
    (clone / "requirements.txt").write_text("# nothing to install: Penstock is there\n", encoding="utf-8")
    commit(clone, "Add dev")
    git(clone, "push", "--quiet", "origin", "HEAD:main")
    git(clone, "checkout", "--quiet", "-b", "more")
    change(clone, "max: 1}", "max: 2}")
    return clone


def change(clone: Path, old: str, new: str) -> None:
    """Commit a change of the stack file."""
    file = clone / "Pulumi.dev.yaml"
    text = file.read_text(encoding="utf-8")
    assert text.count(old) == 1, text
    file.write_text(text.replace(old, new), encoding="utf-8")
    commit(clone, f"Write {new}")


def commit(clone: Path, message: str) -> None:
    git(clone, "add", ".")
    git(clone, "commit", "--quiet", "-m", message)


def git(folder: Path, *arguments: str) -> None:
    who = ("-c", "user.name=Ann", "-c", "user.email=ann@example.com")
    subprocess.run(["git", *who, *arguments], cwd=folder, check=True, capture_output=True)


def review_job(clone: Path, github: CodeHost, *, fork: bool = False, base: str = "origin/main") -> Job:
    """A run of the review action on the pull request."""
    temp = clone.parent / f"temp{len(list(clone.parent.glob('temp*')))}"
    temp.mkdir()
    contexts = {
        "github.event_name": "pull_request",
        "github.ref": "refs/pull/7/merge",
        "github.repository": "acme/infra",
        "github.sha": "0" * 40,
        "github.event.pull_request.head.repo.full_name": "mallory/infra" if fork else "acme/infra",
        "github.event.pull_request.html_url": github.pull_request,
        "runner.temp": str(temp),
        "inputs.project": ".",
        "inputs.base": base,
        "inputs.requirements": "requirements.txt",
        "inputs.python-version": "3.12",
        "inputs.token": TOKEN,
    }
    return Job(clone, temp, contexts, variables={"GITHUB_SERVER_URL": github.address})


def comment_job(reviewed: Job) -> Job | None:
    """The run of the comment action after a review, in a checkout of the base; None if its condition does not hold."""
    base = reviewed.temp / "base"
    git(reviewed.folder, "worktree", "add", "--detach", str(base), "origin/main")
    workflow = yaml.safe_load((base / ".github" / "workflows" / "review.yml").read_text(encoding="utf-8"))
    if not reviewed.holds(workflow["jobs"]["comment"]["if"]):
        return None
    job = Job(base, reviewed.temp, reviewed.contexts, reviewed.variables)
    assert job.run(steps_of(base / ".github" / "actions" / "penstock-comment" / "action.yml")) == 0, job.log
    return job


@pytest.mark.slow
def test_a_pull_request_gets_one_comment_that_is_updated_in_place(clone: Path, github: CodeHost) -> None:
    steps = steps_of(ACTION)
    first = review_job(clone, github)
    assert first.run(steps) == 0, first.log
    assert github.asked == []
    comment_job(first)
    (comment,) = github.bodies()
    change(clone, "max: 2}", "max: 3}")
    second = review_job(clone, github)
    assert second.run(steps) == 0, second.log
    commented = comment_job(second)

    assert comment.startswith("<!-- penstock review")
    assert len(github.comments) == 1
    assert github.bodies() != [comment]
    assert second.summary == github.bodies()[0]
    assert {file.name for file in (second.temp / "review").iterdir()} == {
        f"review.{e}" for e in ("md", "sarif", "html", "json")
    }
    assert second.used == ["actions/setup-python", "actions/upload-artifact"]
    assert commented is not None
    assert commented.used[1:] == ["actions/download-artifact", "github/codeql-action/upload-sarif"]


@pytest.mark.slow
def test_a_change_that_blocks_fails_the_job_and_is_commented(clone: Path, github: CodeHost) -> None:
    change(clone, "name: datasets", "name: corpus")  # which loses what is in the bucket
    job = review_job(clone, github)

    assert job.run(steps_of(ACTION)) == 1, job.log
    comment_job(job)
    assert len(github.comments) == 1


@pytest.mark.slow
def test_a_fork_gets_the_summary_and_nothing_else(clone: Path, github: CodeHost) -> None:
    job = review_job(clone, github, fork=True)

    assert job.run(steps_of(ACTION)) == 0, job.log
    assert job.summary.startswith("<!-- penstock review")
    assert comment_job(job) is None
    assert github.asked == []


@pytest.mark.slow
def test_a_review_without_a_result_fails_with_status_2_and_leaves_the_comment(clone: Path, github: CodeHost) -> None:
    job = review_job(clone, github, base="origin/nosuch")

    assert job.run(steps_of(ACTION)) == 2
    assert job.summary == "There is no result. The log of this job says why.\n"
    comment_job(job)
    assert github.asked == []


@pytest.fixture
def deploy(tmp_path: Path) -> Mapping[str, Any]:
    file = write_pipeline("github", "aws", tmp_path / "written") / ".github" / "workflows" / "deploy.yml"
    jobs: Mapping[str, Any] = yaml.safe_load(file.read_text(encoding="utf-8"))["jobs"]
    return jobs


def run_steps(job: Mapping[str, Any], folder: Path, variables: Mapping[str, str], **contexts: str) -> tuple[int, Job]:
    """Run the shell steps of a job with other programs first on the PATH: `bin` below the folder."""
    temp = folder / "temp"
    temp.mkdir(exist_ok=True)
    path = f"{folder / 'bin'}:{environment()['PATH']}"
    ran = Job(folder, temp, contexts, {**variables, "PATH": path})
    return ran.run(job["steps"]), ran


@pytest.mark.parametrize(("status", "ends", "changes"), [(0, 0, []), (7, 0, ["dev"]), (255, 255, []), (1, 1, [])])
def test_a_preview_notes_a_stack_that_changes_and_fails_where_the_cli_fails(
    deploy: Mapping[str, Any], tmp_path: Path, status: int, ends: int, changes: list[str]
) -> None:
    program(tmp_path / "bin", "pulumi", f'echo "$@" >> asked; exit {status}')
    ended, job = run_steps(deploy["preview"], tmp_path, {}, **{"matrix.stack": "dev"})

    asked = (tmp_path / "asked").read_text(encoding="utf-8")
    assert ended == ends, job.log
    assert asked.startswith("preview --stack dev --diff --non-interactive --expect-no-changes --policy-pack /")
    assert [file.name for file in tmp_path.glob("changed/*")] == changes
    assert job.summary.startswith("### dev\n")


@pytest.mark.parametrize("names", [[], ["dev"], ["aws-train", "edge", "prod"]])
def test_stacks_that_change_become_a_matrix(deploy: Mapping[str, Any], tmp_path: Path, names: list[str]) -> None:
    for name in names:
        (tmp_path / "changed").mkdir(exist_ok=True)
        (tmp_path / "changed" / name).touch()
    status, job = run_steps(deploy["changed"], tmp_path, {})

    assert status == 0, job.log
    assert json.loads(job.outputs["stacks"]) == names


def test_the_stacks_of_the_project_become_a_matrix(clone: Path, tmp_path: Path) -> None:
    written = write_pipeline("github", "aws", tmp_path / "written")
    steps = steps_of(written / ".github" / "actions" / "list-stacks" / "action.yml")
    shutil.copy(clone / "Pulumi.dev.yaml", clone / "Pulumi.prod.yaml")
    status, job = run_steps({"steps": steps}, clone, {})

    assert status == 0, job.log
    assert json.loads(job.outputs["stacks"]) == ["dev", "prod"]


GH = """
echo "gh $*" >> asked
case "$1 $2" in
  "issue list") echo "$OPEN" | jq "${@: -1}" | grep -v '^$' || true ;;
  "issue create" | "issue edit") cat body.md > issue.md ;;
esac
"""


@pytest.mark.parametrize(
    ("result", "issues", "expected"),
    [
        ("failure", [], "gh issue create --title Nightly checks fail --body-file body.md"),
        ("failure", [{"number": 4, "title": "Nightly checks fail"}], "gh issue edit 4 --body-file body.md"),
        (
            "failure",
            [{"number": 5, "title": "Something"}],
            "gh issue create --title Nightly checks fail --body-file body.md",
        ),
        ("success", [{"number": 4, "title": "Nightly checks fail"}], "gh issue close 4 --comment"),
        ("success", [], None),
    ],
)
def test_one_issue_is_opened_updated_and_closed(
    tmp_path: Path, result: str, issues: list[Mapping[str, Any]], expected: str | None
) -> None:
    file = write_pipeline("github", "aws", tmp_path / "written") / ".github" / "workflows" / "nightly.yml"
    report = yaml.safe_load(file.read_text(encoding="utf-8"))["jobs"]["report"]
    program(tmp_path / "bin", "gh", GH)
    for check in ("drift", "preflight"):
        folder = tmp_path / "failed" / f"failed-{check}-dev"
        folder.mkdir(parents=True)
        (folder / f"{check}.txt").write_text(f"{check} says no\n" * 9000, encoding="utf-8")
    contexts = {
        "github.token": TOKEN,
        "github.repository": "acme/infra",
        "github.server_url": "https://github.com",
        "github.run_id": "17",
        "needs.check.result": result,
    }
    status, job = run_steps(report, tmp_path, {"OPEN": json.dumps(issues)}, **contexts)

    listed, *asked = (tmp_path / "asked").read_text(encoding="utf-8").splitlines()
    assert status == 0, job.log
    assert listed.startswith("gh issue list --app github-actions --state open")
    assert len(asked) == (expected is not None)
    assert all(line.startswith(str(expected)) for line in asked)
    if result == "failure":
        body = (tmp_path / "issue.md").read_text(encoding="utf-8")
        assert "The checks of https://github.com/acme/infra/actions/runs/17 did not pass." in body
        assert body.index("<summary>drift-dev</summary>") < body.index("<summary>preflight-dev</summary>")
        assert "drift says no" in body
        assert len(body) < 60_000


@pytest.mark.parametrize("status", [0, 7, 255])
def test_drift_keeps_what_the_cli_printed_only_where_it_failed(tmp_path: Path, status: int) -> None:
    file = write_pipeline("github", "aws", tmp_path / "written") / ".github" / "workflows" / "nightly.yml"
    check = yaml.safe_load(file.read_text(encoding="utf-8"))["jobs"]["check"]
    program(tmp_path / "bin", "pulumi", f'echo "a role was changed by hand"; exit {status}')
    ended, job = run_steps(check, tmp_path, {}, **{"matrix.stack": "dev", "matrix.check": "drift"})

    kept = tmp_path / "failed" / "drift.txt"
    assert ended == status
    assert "a role was changed by hand" in job.log
    assert kept.exists() == (status != 0)
