"""`penstock init`: what it writes rehearses clean, and what is wrong leaves nothing behind."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from penstock.app.assess import check
from penstock.app.init import plan_repository
from penstock.core.errors import InvalidDescription, NotAProject, Unwritable
from penstock.scaffold.cloud_scaffold import accelerators, clouds
from penstock.scaffold.templates import ci_systems
from penstock.simulate.environment import find_environment

STARTS = [(cloud, accelerator) for cloud in clouds() for accelerator in accelerators(cloud)]
REFUSED = {("aws", "gb200"), ("aws", "rtx-pro-4500"), ("gcp", "tpu-v4"), ("azure", "gb300")}
"""What Penstock cannot build where it is sold."""

COMMON = [
    *((cloud, accelerator) for cloud in ("aws", "gcp", "azure", "kubernetes") for accelerator in ("h100", "t4")),
    ("aws", "l4"),
    ("aws", "trainium"),
    ("gcp", "l4"),
    ("gcp", "gb200"),
    ("gcp", "tpu-v5e"),
    ("gcp", "tpu-v6e"),
    ("azure", "mi300x"),
    ("kubernetes", "gaudi3"),
]
H100 = {"cloud": "aws", "accelerator": "h100"}


def write(folder: Path, options: Mapping[str, str]) -> None:
    plan_repository(options, folder).write()


def files_in(folder: Path) -> dict[str, str]:
    return {str(each.relative_to(folder)): each.read_text() for each in folder.rglob("*") if each.is_file()}


@pytest.mark.parametrize(("cloud", "accelerator"), [each for each in COMMON if each in STARTS])
def test_a_new_repository_rehearses_without_a_finding(cloud: str, accelerator: str, tmp_path: Path) -> None:
    write(tmp_path / "new", {"cloud": cloud, "accelerator": accelerator})

    assert check(find_environment(str(tmp_path / "new"))).findings == ()


@pytest.mark.exhaustive
@pytest.mark.parametrize(("cloud", "accelerator"), [each for each in STARTS if each not in {*REFUSED, *COMMON}])
def test_so_does_one_for_any_other_accelerator(cloud: str, accelerator: str, tmp_path: Path) -> None:
    write(tmp_path / "new", {"cloud": cloud, "accelerator": accelerator})

    assert check(find_environment(str(tmp_path / "new"))).findings == ()


@pytest.mark.parametrize(("cloud", "accelerator"), sorted(REFUSED))
def test_what_penstock_cannot_build_is_refused_with_the_reason(cloud: str, accelerator: str, tmp_path: Path) -> None:
    with pytest.raises(InvalidDescription, match=f"A pool of {accelerator} cannot be built in .*: "):
        write(tmp_path / "new", {"cloud": cloud, "accelerator": accelerator})

    assert list(tmp_path.iterdir()) == []


def test_every_example_to_replace_is_marked_and_nothing_else_is_longer_than_a_screen(tmp_path: Path) -> None:
    write(tmp_path, H100)

    lines = (tmp_path / "Pulumi.dev.yaml").read_text().splitlines()
    examples = ("123456789012", "203.0.113.0", "platform@example.com", "platform-team")
    assert all("CHANGE" in line for line in lines if any(example in line for example in examples))
    assert len(lines) <= 25


def test_its_program_is_the_one_of_stacks_and_of_a_description_alone(tmp_path: Path) -> None:
    write(tmp_path, H100)
    root = Path(__file__).parents[2]
    programs = (tmp_path, root / "stacks", root / "components/penstock/platform/program")

    assert len({(folder / "__main__.py").read_text().partition("\n")[2] for folder in programs}) == 1


@pytest.mark.slow
def test_its_own_test_passes(tmp_path: Path) -> None:
    write(tmp_path, {"cloud": "kubernetes", "accelerator": "l4"})

    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)

    assert "2 passed" in done.stdout, done.stdout + done.stderr


@pytest.mark.parametrize("ci", ci_systems())
def test_a_pipeline_is_written_for_the_stack(ci: str, tmp_path: Path) -> None:
    write(tmp_path / "with", {**H100, "ci": ci, "name": "acme"})
    write(tmp_path / "without", {**H100, "name": "acme"})

    added = {*files_in(tmp_path / "with")} - {*files_in(tmp_path / "without")}
    pipeline = "".join((tmp_path / "with" / name).read_text() for name in added)
    assert "penstock" in pipeline


def test_a_pipeline_that_exists_is_not_overwritten(project: Path) -> None:
    (project / "Jenkinsfile").write_text("mine")

    with pytest.raises(Unwritable, match=r"Jenkinsfile exists in .* and is not overwritten"):
        write(project, {**H100, "stack": "gpu", "ci": "jenkins"})

    assert not (project / "stacks" / "Pulumi.gpu.yaml").exists()


def test_the_stack_decides_on_the_environment(tmp_path: Path) -> None:
    write(tmp_path / "a", {**H100, "stack": "prod", "name": "acme"})
    write(tmp_path / "b", {**H100, "stack": "east"})

    assert find_environment(str(tmp_path / "a")).project.name == "acme"
    assert "environment: prod" in (tmp_path / "a" / "Pulumi.prod.yaml").read_text()
    assert "environment: dev" in (tmp_path / "b" / "Pulumi.east.yaml").read_text()


def test_everything_wrong_with_the_options_is_said_at_once_with_the_nearest_names(tmp_path: Path) -> None:
    wrong = {"cloud": "awz", "accelerator": "h1000", "ci": "gitbub", "stack": "a/b", "name": ""}

    with pytest.raises(InvalidDescription) as refused:
        write(tmp_path / "new", wrong)

    findings = {each.path: f"{each.message} {each.hint}" for each in refused.value.findings}
    assert findings.keys() == {"--cloud", "--accelerator", "--ci", "--stack", "--name"}
    assert "Did you mean aws?" in findings["--cloud"]
    assert "Did you mean h100?" in findings["--accelerator"]
    assert not (tmp_path / "new").exists()


@pytest.mark.parametrize(
    ("options", "option", "message"),
    [
        ({}, "--cloud", "The cloud is missing. Set one of aws, gcp, azure, kubernetes."),
        ({"cloud": "aws"}, "--accelerator", "The accelerator is missing."),
        ({"cloud": "aws", "accelerator": "H100"}, "--accelerator", "Did you mean h100?"),
        (
            {"cloud": "aws", "accelerator": "mi300x"},
            "--accelerator",
            "'mi300x' is not an accelerator that AWS offers. Azure, Kubernetes offer it.",
        ),
        ({**H100, "region": "us-est-1"}, "--region", "'us-est-1' is not a region of AWS. Did you mean us-east-1?"),
        (
            {**H100, "region": "af-south-1"},
            "--region",
            "AWS does not offer h100 in af-south-1. Offered in ap-northeast-1, ",
        ),
        (
            {"cloud": "kubernetes", "accelerator": "h100", "region": "us-east-1"},
            "--region",
            "An existing cluster has no region. Leave it out.",
        ),
    ],
)
def test_a_wrong_option_is_refused_with_what_is_right(
    options: Mapping[str, str], option: str, message: str, tmp_path: Path
) -> None:
    with pytest.raises(InvalidDescription) as refused:
        write(tmp_path / "new", options)

    findings = [(each.path, f"{each.message} {each.hint}") for each in refused.value.findings]
    assert any(path == option and message in text for path, text in findings), findings
    assert not (tmp_path / "new").exists()


def test_the_region_is_one_that_sells_the_accelerator(tmp_path: Path) -> None:
    write(tmp_path, {"cloud": "aws", "accelerator": "trainium2"})

    description = find_environment(str(tmp_path)).description
    assert description is not None
    assert description.cloud.region != "us-east-1"


def test_a_folder_with_other_files_is_refused_by_their_names(tmp_path: Path) -> None:
    (tmp_path / "train.py").write_text("")

    with pytest.raises(NotAProject, match=r"is not empty: it has train\.py\. Name a new folder"):
        write(tmp_path, H100)

    assert files_in(tmp_path) == {"train.py": ""}


def test_a_file_is_no_folder(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")

    with pytest.raises(NotAProject, match="file is not a folder"):
        write(tmp_path / "file", H100)


def test_a_fresh_clone_keeps_what_it_has(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / ".venv").mkdir()
    for name in ("README.md", "LICENSE", ".gitignore"):
        (tmp_path / name).write_text("mine\n")

    repository = plan_repository(H100, tmp_path)
    repository.write()

    assert repository.in_git
    assert [str(path) for path in repository.kept] == [".gitignore"]
    assert {(tmp_path / name).read_text() for name in ("README.md", "LICENSE", ".gitignore")} == {"mine\n"}
    assert (tmp_path / "__main__.py").is_file()


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A Pulumi project in Python that somebody has."""
    (tmp_path / "Pulumi.yaml").write_text("name: shop\nruntime: python\nmain: infra\nstackConfigDir: stacks\n")
    for folder in ("infra", "stacks"):
        (tmp_path / folder).mkdir()
    (tmp_path / "infra" / "__main__.py").write_text("import pulumi\n")
    (tmp_path / "stacks" / "Pulumi.dev.yaml").write_text("config: {shop:size: 1}\n")
    (tmp_path / "requirements.txt").write_text("pulumi\n")
    return tmp_path


def test_an_existing_project_gets_a_stack_and_keeps_its_files(project: Path) -> None:
    before = files_in(project)

    repository = plan_repository({**H100, "stack": "gpu"}, project)
    repository.write()

    after = files_in(project)
    assert after.keys() - before.keys() == {"stacks/Pulumi.gpu.yaml"}
    assert {name: after[name] for name in before} == before
    assert [str(path) for path in repository.kept] == ["Pulumi.yaml", "requirements.txt"]
    assert check(find_environment(str(project), "gpu")).findings == ()


def test_an_existing_project_without_a_program_gets_one(project: Path) -> None:
    (project / "infra" / "__main__.py").unlink()

    write(project, {**H100, "stack": "gpu"})

    assert "deploy()" in (project / "infra" / "__main__.py").read_text()


def test_an_existing_stack_is_not_overwritten(project: Path) -> None:
    before = files_in(project)

    with pytest.raises(
        Unwritable, match=r"stacks/Pulumi\.dev\.yaml exists in .* not overwritten\. Choose another --stack"
    ):
        write(project, H100)

    assert files_in(project) == before


@pytest.mark.parametrize("runtime", ["nodejs", "yaml", "go"])
def test_a_project_in_another_language_is_refused_with_what_works_there(project: Path, runtime: str) -> None:
    (project / "Pulumi.yaml").write_text(f"name: shop\nruntime: {runtime}\n")

    with pytest.raises(NotAProject, match=rf"(?s)runs {runtime}, .*penstock check.*policy-pack.*penstock audit"):
        write(project, H100)


def test_a_file_that_appears_meanwhile_stays_and_nothing_else_is_written(tmp_path: Path) -> None:
    repository = plan_repository(H100, tmp_path / "new")
    (tmp_path / "new" / "tests").mkdir(parents=True)
    (tmp_path / "new" / "tests" / "test_platform.py").write_text("theirs")

    with pytest.raises(Unwritable, match=r"test_platform\.py cannot be written: file exists"):
        repository.write()

    assert files_in(tmp_path / "new") == {"tests/test_platform.py": "theirs"}


def test_a_folder_that_cannot_be_created_is_an_error_in_words(tmp_path: Path) -> None:
    repository = plan_repository(H100, tmp_path / "x" / "new")
    (tmp_path / "x").write_text("")

    with pytest.raises(Unwritable, match="cannot be written: "):
        repository.write()


def penstock(*arguments: str, folder: Path, stdin: int = subprocess.DEVNULL) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "penstock", *arguments]
    return subprocess.run(command, cwd=folder, stdin=stdin, capture_output=True, text=True, check=False)


def test_the_command_says_what_it_wrote_and_what_comes_next(tmp_path: Path) -> None:
    done = penstock("init", "lab", "--cloud", "gcp", "--accelerator", "tpu-v5e", folder=tmp_path)

    assert done.returncode == 0, done.stderr
    wrote, _, following = done.stdout.partition("Next:\n")
    assert {line.strip() for line in wrote.splitlines()} >= {"Wrote in lab:", *files_in(tmp_path / "lab")}
    assert "not a git repository. Run `git init`" in wrote
    assert [line.strip() for line in following.splitlines()[:3]] == [
        "cd lab",
        "penstock rehearse dev",
        "python -m pytest",
    ]


def test_the_command_says_what_it_left_alone(project: Path) -> None:
    done = penstock("init", "--cloud", "aws", "--accelerator", "l4", "--stack", "gpu", folder=project)

    assert done.returncode == 0, done.stderr
    assert "Left as it is: Pulumi.yaml, requirements.txt\n" in done.stdout
    assert "from penstock.platform import deploy; deploy()" in done.stdout


def test_without_a_terminal_nothing_is_asked(tmp_path: Path) -> None:
    done = penstock("init", folder=tmp_path)

    assert done.returncode == 2
    assert "--cloud  [INIT-001]\n  The cloud is missing." in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_on_a_terminal_a_wrong_answer_is_asked_again(tmp_path: Path) -> None:
    pty = pytest.importorskip("pty")
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "penstock", "init", "lab"]
    with subprocess.Popen(command, cwd=tmp_path, stdin=theirs, stdout=subprocess.PIPE, stderr=theirs) as process:
        os.write(ours, b"azur\nazure\nh100\n\n")
        assert process.stdout is not None
        shown = process.stdout.read().decode()
    os.close(theirs)
    asked = os.read(ours, 1 << 16).decode()
    os.close(ours)

    assert "Did you mean azure?" in asked
    assert "Wrote in lab:" in shown
    assert "provider: azure" in (tmp_path / "lab" / "Pulumi.dev.yaml").read_text()


def test_it_imports_no_sdk(tmp_path: Path) -> None:
    script = (
        "import sys; from pathlib import Path; from penstock.app.init import plan_repository\n"
        f"plan_repository({H100!r}, Path({str(tmp_path)!r})).write()\n"
        "print([name for name in sys.modules if name.startswith('pulumi')])"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)

    assert done.stdout == "[]\n"
