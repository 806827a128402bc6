"""The pages and the README: every example is run, every link leads somewhere, every code and rule is explained."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields
from doctest import ELLIPSIS, OutputChecker
from functools import cache
from importlib.util import find_spec
from os.path import normpath
from pathlib import Path
from typing import Any, NamedTuple, cast

import pytest
import yaml
from docs import addon_pages, generate
from docs.navigation import completed
from tests.addon_cases import controllers

from penstock import aws, cli, description, gcp, testing
from penstock.providers import built_clouds
from penstock.rules import registry
from penstock.rules.levels import RuleKind

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
DOORS = tuple(ROOT / f"{name}.md" for name in ("CHANGELOG", "CONTRIBUTING", "SECURITY"))
GUIDES = {DOCS / name: file for name, file in addon_pages.guides().items()}
"""The files of the guides that are in the folders of add-ons, by their places on the site."""

PAGES = (ROOT / "README.md", *sorted(DOCS.rglob("*.md")), *GUIDES)
RUN_HERE = tuple(page for page in PAGES if page != DOCS / "getting-started.md")
"""Pages whose examples run in a clone; `tests/test_new_user.py` runs the other one from the built wheel."""

REFERENCE = DOCS / "reference"
GENERATED: Mapping[str, Callable[[], str]] = generate.PAGES
SHORT = tuple(name for name in GENERATED if not name.startswith("environments/"))
"""The page of an environment takes seven rehearsals: one of each cloud stands for all."""

Say = Callable[[str], str]


class Example(NamedTuple):
    """One fenced block of a page."""

    language: str
    text: str
    line: int

    @property
    def file(self) -> str | None:
        """The file that the example is, where its first line names one."""
        named = re.match(r"# (\S+\.(?:py|yaml))\n", self.text)
        return named[1] if named else None


def text_of(page: Path) -> str:
    return GUIDES.get(page, page).read_text(encoding="utf-8")


def examples(page: Path) -> Iterator[Example]:
    text = text_of(page)
    for fence in re.finditer(r"^```(\w+)\n(.*?)^```$", text, re.DOTALL | re.MULTILINE):
        yield Example(fence[1], fence[2], text[: fence.start()].count("\n") + 2)


@pytest.fixture
def say(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Say:
    """Run a command line of Penstock in a copy of the project, and return its output."""
    shutil.copy(ROOT / "Pulumi.yaml", tmp_path)
    shutil.copytree(ROOT / "stacks", tmp_path / "stacks")
    (tmp_path / ".venv").symlink_to(sys.prefix)  # the environment that `Pulumi.yaml` names
    monkeypatch.chdir(tmp_path)

    def run(command: str) -> str:
        monkeypatch.setattr("sys.argv", shlex.split(command))
        with pytest.raises(SystemExit):
            cli.main()
        shown = capsys.readouterr()
        return shown.out + shown.err

    return run


@pytest.mark.exhaustive
@pytest.mark.parametrize("page", RUN_HERE, ids=lambda page: str(page.relative_to(ROOT)))
def test_a_page_does_what_it_shows(page: Path, say: Say) -> None:
    base: Mapping[str, Any] = {}
    for example in examples(page):
        if example.file is not None:
            base = base or described(example)
            Path(example.file).parent.mkdir(parents=True, exist_ok=True)
            Path(example.file).write_text(example.text, encoding="utf-8")
        elif example.language == "console":
            for command, shown in re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", example.text, re.MULTILINE):
                if command.startswith("git "):
                    git(command)
                if not command.startswith("penstock "):
                    continue
                printed = say(command)
                assert OutputChecker().check_output(shown, printed, ELLIPSIS), f"{command}\n{printed}"
        elif example.language == "python":
            run(compile("\n" * (example.line - 1) + example.text, str(page), "exec"))
        elif example.language == "yaml":
            build(yaml.safe_load(example.text), base)


def run(code: Any) -> None:
    """Run an example: the tests in it, or else all of it as a Pulumi program."""
    if any(name.startswith("test_") for name in code.co_names):
        names: dict[str, Any] = {}
        exec(code, names)
        for name, test in names.items():
            if name.startswith("test_"):
                test()
    else:
        assert testing.rehearse(lambda: exec(code, {})).findings == ()


def described(example: Example) -> Mapping[str, Any]:
    """The description in an example: the first one of a page is the base that its fragments are shown on."""
    content = yaml.safe_load(example.text) if example.language == "yaml" else {}
    found: Mapping[str, Any] = content.get("config", {}).get("penstock:platform", {})
    return found


def git(command: str) -> None:
    """Run git in the copy of the project, which is a repository from then on."""
    as_somebody = ["git", "-c", "user.name=Reader", "-c", "user.email=reader@example.com"]
    if not Path(".git").exists():
        subprocess.run(["git", "init", "--quiet"], check=True)
        subprocess.run(["git", "add", "Pulumi.yaml", "stacks/__main__.py"], check=True)
    subprocess.run([*as_somebody, *shlex.split(command)[1:]], check=True, capture_output=True)


def build(content: Mapping[str, Any], base: Mapping[str, Any]) -> None:
    """Rehearse a fragment of a description on the base that the page names; a Kubernetes object is only read."""
    if "apiVersion" not in content:
        assert base, "the page names no base for its fragments"
        assert testing.rehearse({**base, **content}).findings == ()


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_a_file_of_the_repository_is_shown_as_it_is(page: Path) -> None:
    for example in examples(page):
        file = ROOT / (example.file or "")
        if file.is_file():
            assert example.text.partition("\n")[2] == file.read_text(encoding="utf-8"), example.file


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_patterns_for_faults_are_quoted(page: Path) -> None:
    assert not re.findall(r"--faults [^'`\s]*\*", text_of(page))


def test_the_guide_explains_every_field_of_the_handles() -> None:
    guide = (DOCS / "guides" / "components.md").read_text(encoding="utf-8").partition("## The fields of handles")[2]
    for package, section in zip((aws, gcp), guide.split("`penstock.gcp`"), strict=True):
        for handle in (getattr(package, name) for name in package.__all__ if name.endswith("Handle")):
            rows = re.split(r"^\| (?=`)", section, flags=re.MULTILINE)
            (mine,) = (row for row in rows if row.startswith(f"`{handle.__name__}`"))
            assert {field.name for field in fields(handle)} == set(re.findall(r"`(\w+)`", rows_of(mine)))


def rows_of(handle: str) -> str:
    """The second cells of a handle's rows."""
    return " ".join(re.findall(r"^(?:`\w+`|\|) \| ([^|]*) \|", handle, re.MULTILINE))


@pytest.mark.parametrize("page", RUN_HERE, ids=lambda page: str(page.relative_to(ROOT)))
def test_whole_descriptions_of_a_page_can_be_built_unless_they_are_shown_as_wrong(page: Path, tmp_path: Path) -> None:
    for example in examples(page):
        if example.file is not None and "penstock:platform:" in example.text and "wrong" not in example.file:
            file = tmp_path / Path(example.file).name
            file.write_text(example.text, encoding="utf-8")
            description.load(file)


@pytest.mark.parametrize("page", [*PAGES, *DOORS], ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_to_pages_and_headings(page: Path) -> None:
    check_links(page, text_of(page))


@pytest.mark.exhaustive
@pytest.mark.parametrize("name", [*SHORT, "environments/aws-train.md", "environments/gcp-train.md"])
def test_a_reference_page_has_a_title_and_links_that_lead_somewhere(name: str) -> None:
    text = generated(name)

    assert re.match(r"# \S", text)
    check_links(REFERENCE / name, text)


def check_links(page: Path, text: str) -> None:
    for target in re.findall(r"\]\((?!https?:)([^)]+)\)", text):
        path, _, heading = target.partition("#")
        other = Path(normpath(page.parent / path)) if path else page
        name = str(other.relative_to(REFERENCE)) if other.is_relative_to(REFERENCE) else ""
        assert name in GENERATED or GUIDES.get(other, other).is_file(), target
        assert page.name != "README.md" or name not in GENERATED, f"{target} is not a file of a clone"
        if heading:
            target_text = text if other == page else generated(name) if name else text_of(other)
            assert heading in anchors(target_text), target


@cache
def generated(name: str) -> str:
    return GENERATED[name]()


@cache
def anchors(text: str) -> set[str]:
    headings = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    return {re.sub(r"[^\w\s-]", "", heading).replace(" ", "-").lower() for heading in headings}


@pytest.mark.exhaustive
@pytest.mark.parametrize("name", ["aws-train", "gcp-train", "azure-train"])
def test_the_page_of_an_environment_answers_each_question_with_what_a_command_prints(name: str) -> None:
    text = generated(f"environments/{name}.md")

    answers = re.split(r"^## \d+\. ", text, flags=re.MULTILINE)[1:]
    assert len(answers) == 16
    for answer in answers:
        shown = re.findall(r"^```(?:console|text)\n(.+?)^```$", answer, re.DOTALL | re.MULTILINE)
        assert any(
            line not in ("...", "") for block in shown for line in block.splitlines()[1:] or block.splitlines()
        ), answer


def test_pages_of_environments_know_each_cloud_that_is_built() -> None:
    assert {find_spec(f"docs.environments.{cloud}") is not None for cloud in built_clouds()} == {True}


def test_the_site_has_every_page_in_its_navigation() -> None:
    listed = completed(yaml.safe_load((ROOT / "mkdocs.yml").read_text(encoding="utf-8"))["nav"])
    written = [str(page.relative_to(DOCS)) for page in [*DOCS.rglob("*.md"), *GUIDES]]

    assert sorted(pages_of(listed)) == sorted([*written, *(f"reference/{name}" for name in GENERATED)])


def pages_of(navigation: object) -> Iterator[str]:
    """The pages of a navigation, as often as it lists them."""
    if isinstance(navigation, str):
        yield navigation
    else:
        for inner in navigation.values() if isinstance(navigation, dict) else cast("list[object]", navigation):
            yield from pages_of(inner)


def test_controllers_on_the_page_of_add_ons_ran_in_tests_that_exist() -> None:
    for _, _, test in controllers():
        assert (ROOT / "tests" / "cluster" / test).is_file(), test


def test_every_code_that_a_finding_can_carry_is_explained() -> None:
    sources = (ROOT / "components").rglob("*.py")
    form = r"INTERNAL|[A-Z0-9]+(?:-[A-Z0-9]+)?-\d{3}"
    codes = {code for source in sources for code in re.findall(rf'"({form})"', source.read_text(encoding="utf-8"))}

    assert codes == set(re.findall(rf"^\| ({form}) ", generated("codes.md"), re.MULTILINE))


def test_every_rule_is_on_the_page_of_its_kind() -> None:
    kinds = {RuleKind.PROVIDER: "rules.md", RuleKind.POLICY: "policies.md"}
    for kind, overview in kinds.items():
        listed = re.findall(r"^\| \[`([\w-]+)`\]", generated(overview), re.MULTILINE)
        assert sorted(listed) == sorted(rule.id for rule in registry.rules_of(kind))


@pytest.mark.exhaustive
def test_a_reference_entry_shows_what_both_kinds_of_rules_have() -> None:
    (entry,) = re.findall(
        r"^## aws-fsx-capacity-step\n.*?(?=^## )", generated("rules/aws.md"), re.DOTALL | re.MULTILINE
    )

    assert "**High**" in entry
    assert "- On: `aws:fsx/lustreFileSystem:LustreFileSystem`" in entry
    assert "- Reads: " in entry
    assert re.search(r"^- Sources: \[.*\]\(https://", entry, re.MULTILINE)


def test_the_guide_names_every_component() -> None:
    guide = (DOCS / "guides" / "components.md").read_text(encoding="utf-8")

    assert {name for name in (*aws.__all__, *gcp.__all__) if f"`{name}`" not in guide} == set()
