"""The HTML report as a browser shows it: light and dark, on a phone, by keyboard, without scripts, and on paper.

Needs a Chromium (`apt-get install chromium`) and Playwright (`pip install playwright`), and is skipped where a machine
has only Python.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from tests.environments import rehearsed
from tests.graphs import graph_of
from tests.report.assessments import BUDGET, CLOUD

from penstock.app.assess import overview_of
from penstock.changes.diff import diff as compare
from penstock.core.findings import Severity
from penstock.graph.graph import Graph
from penstock.report import html
from penstock.report.overview import Overview

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

playwright = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed: pip install playwright")
CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(CHROMIUM is None, reason="no Chromium on this machine: apt-get install chromium"),
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]

FLAGS = (
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
)
CONTRAST = (Path(__file__).parent / "contrast.js").read_text(encoding="utf-8").partition("\n")[2].strip().rstrip(";")
LEAST_CONTRAST = 4.5
"""Of text against what is behind it (WCAG 2.2, 1.4.3, level AA)."""

PHONE = {"width": 360, "height": 740}
Opened = Callable[..., Any]


@cache
def _rehearsed(stack: str, cloud: str) -> Overview:
    return overview_of(rehearsed(stack), environment=stack, cloud=cloud)


@cache
def with_findings() -> str:
    """A report of aws-train with a finding of each severity, more than the others have."""
    error = replace(CLOUD, severity=Severity.ERROR, message="the pools can reach 3072 vCPU; the quota allows 2880")
    info = replace(BUDGET, severity=Severity.INFO, message="a remark on a very-long-name-" + "x" * 200)
    return html.render(replace(_rehearsed("aws-train", "aws"), findings=(error, CLOUD, BUDGET, info)))


@cache
def of_a_change() -> str:
    """A report of a change that loses the file system of aws-train."""
    run = rehearsed("aws-train")
    before = run.graph
    left = graph_of(*(each for each in before if "scratch" not in each.name))
    after = replace(run, graph=Graph(before.project, before.stack, left.resources))
    return html.render(overview_of(after, environment="aws-train", cloud="aws", changes=compare(before, after)))


REPORTS: dict[str, Callable[[], str]] = {
    "a rehearsal": lambda: html.render(_rehearsed("aws-train", "aws")),
    "aws-train": with_findings,
    "a change": of_a_change,
    "gcp-mega": lambda: html.render(_rehearsed("gcp-mega", "gcp")),
    "azure-train": lambda: html.render(_rehearsed("azure-train", "azure")),
    "onprem-train": lambda: html.render(_rehearsed("onprem-train", "kubernetes")),
}


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with playwright.sync_playwright() as started:
        chromium = started.chromium.launch(executable_path=CHROMIUM, args=[*FLAGS])
        yield chromium
        chromium.close()


@pytest.fixture
def opened(browser: Browser, tmp_path: Path) -> Opened:
    """Opens a report as a file; whatever the page asks of a network or complains of fails the test."""

    @contextmanager
    def open_report(text: str, **options: Any) -> Iterator[Page]:
        file = tmp_path / "report.html"
        file.write_text(text, encoding="utf-8")
        context = browser.new_context(**options)
        page = context.new_page()
        asked: list[str] = []
        said: list[str] = []
        page.on("request", lambda request: asked.append(request.url))
        page.on("console", lambda message: said.append(message.text))
        page.on("pageerror", lambda error: said.append(str(error)))
        page.goto(file.as_uri())
        yield page
        context.close()
        assert {url.partition("#")[0] for url in asked} == {file.as_uri()}
        assert said == []

    return open_report


@pytest.mark.parametrize("report", REPORTS)
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_text_stands_out(opened: Opened, report: str, scheme: str) -> None:
    with opened(REPORTS[report](), color_scheme=scheme) as page:
        page.evaluate("document.querySelectorAll('details').forEach((each) => (each.open = true))")
        measured = page.evaluate(CONTRAST)

    assert len(measured) > 100
    assert [each for each in measured if each["ratio"] < LEAST_CONTRAST] == []


@pytest.mark.parametrize("report", REPORTS)
@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no scripts"])
def test_nothing_is_wider_than_a_phone(opened: Opened, report: str, scripts: bool) -> None:
    with opened(REPORTS[report](), viewport=PHONE, java_script_enabled=scripts) as page:
        width = page.locator("html").evaluate("(page) => page.scrollWidth") if scripts else None
        last = page.locator("footer").bounding_box()

    assert width in (PHONE["width"], None)
    assert last["width"] <= PHONE["width"]


def test_findings_are_filtered_by_severity_source_and_text(opened: Opened) -> None:
    with opened(with_findings()) as page:
        shown = page.locator(".finding:visible")
        status = page.locator(".shown")
        assert shown.count() == 4
        assert status.inner_text() == "4 of 4 shown"

        page.get_by_label("warning").uncheck()
        assert shown.count() == 2
        page.get_by_label("provider rule").uncheck()
        assert shown.count() == 1
        page.get_by_label("provider rule").check()
        page.get_by_label("warning").check()
        page.get_by_label("Text").fill("vcpu QUOTA")

        assert shown.count() == 1
        assert status.inner_text() == "1 of 4 shown"


def test_a_reader_without_scripts_sees_all_findings_and_no_dead_button(opened: Opened) -> None:
    with opened(with_findings(), java_script_enabled=False) as page:
        assert page.locator(".finding:visible").count() == 4
        assert page.locator("button:visible, input:visible").count() == 0
        page.get_by_text("Not in the sum").click()  # folding needs no script
        assert page.locator("#cost details li").first.is_visible()


def test_everything_is_reached_by_keyboard_and_shows_that_it_is(opened: Opened) -> None:
    with opened(with_findings()) as page:
        page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement.className") == "skip"
        page.keyboard.press("Enter")
        assert page.evaluate("location.hash") == "#main"

        reached: list[str] = []
        for _ in range(300):
            page.keyboard.press("Tab")
            tag, outline = page.evaluate(
                "[document.activeElement.tagName, getComputedStyle(document.activeElement).outlineStyle]"
            )
            if tag == "BODY":
                break
            reached.append(tag)
            assert outline != "none", tag
        assert {"INPUT", "SUMMARY", "BUTTON", "PRE"} <= set(reached)
        expected = page.locator("main :is(a[href], button, input, summary, [tabindex='0']):visible").count()
        assert len(reached) == expected


def test_a_command_is_copied(opened: Opened) -> None:
    with opened(with_findings(), permissions=["clipboard-read", "clipboard-write"]) as page:
        page.get_by_role("button", name="Copy").first.click()
        page.get_by_role("button", name="Copied").wait_for()

        assert page.evaluate("navigator.clipboard.readText()").startswith("aws iam create-role")


def test_a_page_has_landmarks_and_headings_in_order(opened: Opened) -> None:
    with opened(with_findings()) as page:
        assert [page.get_by_role(role).count() for role in ("banner", "main", "contentinfo")] == [1, 1, 1]
        assert page.get_by_role("navigation").count() == 1
        levels = page.locator("h1, h2, h3, h4, h5").evaluate_all("(all) => all.map((each) => Number(each.tagName[1]))")

    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after - before <= 1 for before, after in pairwise(levels))


def test_what_is_folded_is_printed(opened: Opened) -> None:
    with opened(with_findings()) as page:
        page.evaluate("dispatchEvent(new Event('beforeprint'))")
        page.emulate_media(media="print")

        assert page.locator("details:not([open])").count() == 0
        assert page.locator("nav:visible, .filters:visible").count() == 0


def test_no_script_of_a_name_runs(opened: Opened) -> None:
    finding = replace(BUDGET, message="<script>window.bad = 1</script><img src=x onerror='window.bad = 1'>")

    with opened(html.render(replace(_rehearsed("aws-train", "aws"), findings=(finding,)))) as page:
        assert page.evaluate("window.bad") is None


def test_the_policy_of_the_page_stops_what_would_get_through(opened: Opened) -> None:
    text = with_findings().replace("</main>", "<script>window.bad = 1</script></main>")

    with pytest.raises(AssertionError, match="Content Security Policy"), opened(text) as page:
        assert page.evaluate("window.bad") is None
