"""The pages and the README do what they say: every example is run, every reference page is as the code has it."""

from __future__ import annotations

import re
import shlex
import shutil
from collections.abc import Callable, Iterator, Mapping
from doctest import ELLIPSIS, OutputChecker
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import yaml
from docs import generate

from penstock import aws, cli, gcp, spec, testing

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
PAGES = (ROOT / "README.md", *sorted(DOCS.rglob("*.md")))
GENERATED: Mapping[str, Callable[[], str]] = generate.PAGES

# Fragments of a description are shown alone; this is the rest of it.
REST = {
    "environment": "prod",
    "cloud": {"provider": "aws", "region": "us-east-1"},
    "cluster": {"admins": ["arn:aws:iam::123456789012:role/platform"]},
}
REST_ON_GCP = {
    "environment": "prod",
    "cloud": {"provider": "gcp", "region": "us-central1", "account": "my-ai-project"},
    "cluster": {"admins": ["group:ml-platform@example.com"]},
}

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


def examples(page: Path) -> Iterator[Example]:
    text = page.read_text(encoding="utf-8")
    for fence in re.finditer(r"^```(\w+)\n(.*?)^```$", text, re.DOTALL | re.MULTILINE):
        yield Example(fence[1], fence[2], text[: fence.start()].count("\n") + 2)


@pytest.fixture
def say(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Say:
    """Runs a command line of ours in a copy of the project, and gives what the terminal shows."""
    shutil.copy(ROOT / "Pulumi.yaml", tmp_path)
    shutil.copytree(ROOT / "stacks", tmp_path / "stacks")
    monkeypatch.chdir(tmp_path)

    def run(command: str) -> str:
        monkeypatch.setattr("sys.argv", shlex.split(command))
        with pytest.raises(SystemExit):
            cli.main()
        shown = capsys.readouterr()
        return shown.out + shown.err

    return run


@pytest.mark.slow
@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_a_page_does_what_it_shows(page: Path, say: Say) -> None:
    for example in examples(page):
        if example.file is not None:
            Path(example.file).parent.mkdir(exist_ok=True)
            Path(example.file).write_text(example.text, encoding="utf-8")
        elif example.language == "console":
            for command, shown in re.findall(r"^\$ (penstock .*)\n((?:(?!\$ ).*\n)*)", example.text, re.MULTILINE):
                told = say(command)
                assert OutputChecker().check_output(shown, told, ELLIPSIS), f"{command}\n{told}"
        elif example.language == "python":
            run(compile("\n" * (example.line - 1) + example.text, str(page), "exec"))
        elif example.language == "yaml":
            build(yaml.safe_load(example.text), REST_ON_GCP if page.stem == "gcp" else REST)


def run(code: Any) -> None:
    """Runs an example: the tests in it, or else all of it as a Pulumi program."""
    if any(name.startswith("test_") for name in code.co_names):
        names: dict[str, Any] = {}
        exec(code, names)
        for name, test in names.items():
            if name.startswith("test_"):
                test()
    else:
        assert testing.rehearse(lambda: exec(code, {})).findings == ()


def build(content: Mapping[str, Any], rest: Mapping[str, Any]) -> None:
    """Rehearses a fragment of a description; a Kubernetes object is only read."""
    if "apiVersion" not in content:
        assert testing.rehearse({**rest, **content}).findings == ()


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_whole_descriptions_of_a_page_can_be_built_unless_they_are_shown_as_wrong(page: Path, tmp_path: Path) -> None:
    for example in examples(page):
        if example.file is not None and "penstock:platform:" in example.text and "wrong" not in example.file:
            file = tmp_path / Path(example.file).name
            file.write_text(example.text, encoding="utf-8")
            spec.load(file)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_to_pages_and_headings(page: Path) -> None:
    for target in re.findall(r"\]\((?!https?:)([^)]+)\)", page.read_text(encoding="utf-8")):
        path, _, heading = target.partition("#")
        other = page.parent / path if path else page
        assert other.is_file(), target
        assert not heading or heading in anchors(other), target


def anchors(page: Path) -> set[str]:
    headings = re.findall(r"^#+ (.+)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\s-]", "", heading).replace(" ", "-").lower() for heading in headings}


@pytest.mark.slow
@pytest.mark.parametrize("name", GENERATED)
def test_a_reference_page_is_as_the_code_has_it(name: str, request: pytest.FixtureRequest) -> None:
    page = DOCS / "reference" / name
    text = GENERATED[name]()
    if request.config.getoption("--accept"):
        page.write_text(text, encoding="utf-8")

    assert text == page.read_text(encoding="utf-8")


def test_every_code_that_a_finding_can_carry_is_explained() -> None:
    sources = (file for part in ("components", "policies") for file in (ROOT / part).rglob("*.py"))
    form = r"[A-Z0-9]+(?:-[A-Z0-9]+)?-\d{3}"
    codes = {code for source in sources for code in re.findall(rf'"({form})"', source.read_text(encoding="utf-8"))}
    explained = GENERATED["codes.md"]() + GENERATED["rules.md"]()

    assert codes == set(re.findall(rf"^\| ({form}) ", explained, re.MULTILINE))


def test_the_guide_names_every_component() -> None:
    guide = (DOCS / "guides" / "components.md").read_text(encoding="utf-8")

    assert {name for name in (*aws.__all__, *gcp.__all__) if f"`{name}`" not in guide} == set()
