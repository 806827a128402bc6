"""The HTML report is one file that loads nothing, and whatever a program names stays text in it."""

from __future__ import annotations

import re
from base64 import b64encode
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from hashlib import sha256
from html.parser import HTMLParser

import pytest
from hypothesis import example, given
from tests.environments import rehearsed
from tests.graphs import graph_of, resource
from tests.report.assessments import BUDGET, CLOUD, TEXTS, assessment

from penstock.app.assess import overview_of
from penstock.changes.diff import diff as compare
from penstock.changes.diff_findings import findings_of
from penstock.core.findings import Severity
from penstock.preconditions import Precondition
from penstock.report import html
from penstock.report.assessment import Assessment
from penstock.report.overview import Overview
from penstock.simulate.run import rehearse

VOID = frozenset({"meta", "input", "br", "link", "img"})
INJECTIONS = (
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "'><svg onload=alert(1)>",
    "</style><script>alert(1)</script>",
    "</title><base href=//evil>",
    "{{ 7 * 7 }}{% raw %}",
    "javascript:alert(1)",
    "<!--<script>",
    "&lt;b&gt; &#60;i&#62;",
    "\u202egnp.exe",
)


class Page(HTMLParser):
    """What a browser would find in a page: its elements with their attributes, and its text."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str]]] = []
        self.open: list[str] = []
        self.said: list[str] = []
        self.raw: dict[str, str] = {}
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, {name: value or "" for name, value in attrs}))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, {name: value or "" for name, value in attrs}))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] in ("style", "script"):
            self.raw[self.open[-1]] = self.raw.get(self.open[-1], "") + data
        else:
            self.said.append(data)

    @property
    def text(self) -> str:
        return "".join(self.said)

    def of(self, tag: str) -> list[dict[str, str]]:
        return [attributes for name, attributes in self.elements if name == tag]

    @property
    def shape(self) -> Counter[tuple[str, ...]]:
        """How many elements there are of each tag, with the names of their attributes."""
        return Counter((tag, *sorted(attributes)) for tag, attributes in self.elements)


@cache
def trained() -> Overview:
    return overview_of(rehearsed("aws-train"), environment="aws-train", cloud="aws")


def hostile(text: str) -> Assessment:
    """An assessment of a program in which everything is called by a text."""
    volume = resource("aws:ebs/volume:Volume", text, inputs={"size": 8, "availabilityZone": text})
    subnet = resource("aws:ec2/subnet:Subnet", text, inputs={"cidrBlock": text, "availabilityZone": text})
    before = graph_of(replace(volume, inputs={"size": 4, "tags": {text: text}}))
    rehearsal = replace(rehearse(lambda: None), graph=graph_of(volume, subnet))
    changes = compare(before, rehearsal)
    whole = overview_of(rehearsal, environment=text, cloud="aws", changes=changes)
    finding = replace(
        CLOUD, message=text, hint=text, path=text, file=text, severity=Severity.ERROR, places=(text, text)
    )
    needed = Precondition(text, text, f"aws {text}", volume.urn)
    return replace(whole, findings=(finding, *findings_of(changes)), preconditions=(needed,))


def test_a_report_has_what_a_rehearsal_found() -> None:
    page = Page(html.render(trained()))

    for said in (
        "aws-train",
        "Nothing blocks",
        "us-east-1a",
        "10.40.0.0/19",
        "16 × p5.48xlarge",
        "EFA",
        "platform-prod-scratch",
    ):
        assert said in page.text
    assert f"{trained().cost.monthly_usd:,.2f}" in page.text


def test_it_loads_nothing() -> None:
    text = html.render(trained())
    page = Page(text)

    assert not [tag for tag, _ in page.elements if tag in ("img", "link", "iframe", "object", "embed", "base", "video")]
    assert not [attributes for _, attributes in page.elements if {"src", "srcset", "style"} & attributes.keys()]
    assert not re.search(r"@import|url\(", page.raw["style"])
    assert not re.search(r"fetch\(|XMLHttpRequest|import\(|innerHTML|eval\(", page.raw["script"])


def test_the_browser_is_told_to_take_no_other_style_and_script() -> None:
    page = Page(html.render(trained()))
    (policy,) = (each["content"] for each in page.of("meta") if each.get("http-equiv") == "Content-Security-Policy")

    assert policy.startswith("default-src 'none'; ")
    for kind in ("style", "script"):
        digest = b64encode(sha256(page.raw[kind].encode()).digest()).decode()
        assert f"{kind}-src 'sha256-{digest}'" in policy
    assert "unsafe" not in policy


@pytest.mark.parametrize("text", INJECTIONS)
def test_no_name_becomes_markup(text: str) -> None:
    page = Page(html.render(hostile(text)))

    assert page.shape == Page(html.render(hostile("harmless"))).shape
    assert page.text.count(text.replace("\u202e", "\N{REPLACEMENT CHARACTER}")) > 5
    assert "\u202e" not in page.text


@given(text=TEXTS)
@example(text="\x00")
@example(text="\ud800")
@example(text="\r\n")
def test_no_text_becomes_markup(text: str) -> None:
    finding = replace(CLOUD, message=f"a{text}", hint=f"b{text}", path=f"c{text}", file=f"d{text}")

    page = Page(html.render(Assessment(environment=f"e{text}", findings=(finding,))))

    assert page.shape == Page(html.render(Assessment(environment="e", findings=(finding,)))).shape


def test_links_lead_somewhere() -> None:
    page = Page(html.render(assessment(frameworks=["hipaa"])))
    ids = [attributes["id"] for _, attributes in page.elements if "id" in attributes]
    links = [each["href"] for each in page.of("a")]
    named = [each for _, a in page.elements for each in a.get("aria-labelledby", "").split()]

    assert len(ids) == len(set(ids))
    assert {link.removeprefix("#") for link in links if link.startswith("#")} <= set(ids)
    assert set(named) <= set(ids)
    assert all(link.startswith(("#", "https://")) for link in links)


def test_what_blocks_comes_first() -> None:
    page = Page(html.render(assessment()))
    severities = [each["data-severity"] for each in page.of("li") if "data-severity" in each]

    assert severities == ["error", "warning", "warning"]
    assert "1 problem" in page.text


def test_waivers_and_what_was_undetermined_are_named() -> None:
    page = Page(html.render(assessment()))

    assert "until 2027-01-31" in page.text
    assert "aws-ebs-size-range" in page.text
    assert "excused" in page.text


def test_the_cost_has_its_bounds_and_the_dates_of_its_prices() -> None:
    page = Page(html.render(trained()))
    cost = trained().cost
    missing = len({each.urn for each in cost.unpriced})
    dates = sorted({line.as_of for line in cost.lines if line.as_of and line.monthly_usd})

    assert page.text.count(f"{cost.low_usd:,.0f} to {cost.high_usd:,.0f}") == 2
    assert f"Prices are of {dates[0]} to {dates[-1]}." in page.text
    assert len(cost.unpriced) > missing > 1
    assert f"{missing} resources not counted" in page.text
    assert f"{missing} more resources are usage-based" in page.text
    assert f"{len(cost.unpriced)} amounts of {missing} resources" in page.text


def test_a_change_shows_what_is_lost_and_its_cost() -> None:
    bucket = resource("aws:s3/bucket:Bucket", "data")
    before = graph_of(bucket, resource("aws:ec2/instance:Instance", "m", inputs={"instanceType": "m7i.2xlarge"}))
    changes = compare(before, replace(rehearse(lambda: None), graph=graph_of()))
    whole = overview_of(
        replace(rehearse(lambda: None), graph=graph_of()), environment="dev", cloud=None, changes=changes
    )

    text = Page(html.render(whole)).text

    assert "Data will be lost" in text
    assert "every object in it" in text
    assert "2 deleted" in text


def test_commands_can_be_copied_and_sentences_are_none() -> None:
    needed = (
        Precondition("a quota", "why", "aws service-quotas list-services", ""),
        Precondition("a person", "why", "az rest --url x shows it; somebody creates it.", ""),
    )

    page = Page(html.render(Assessment(environment="dev", findings=(), preconditions=needed)))

    assert len(page.of("pre")) == 1


def test_a_report_stays_small() -> None:
    assert len(html.render(trained()).encode()) < 1_000_000


def test_tiles_of_the_map_fill_it() -> None:
    tiles = [each for each in Page(html.render(trained())).of("svg") if each.get("class", "").startswith("tone-")]

    def share(tile: Mapping[str, str]) -> float:
        return float(tile["width"].rstrip("%")) * float(tile["height"].rstrip("%")) / 10_000

    assert sum(map(share, tiles)) == pytest.approx(1, abs=0.001)


def test_nothing_but_findings_is_a_page_too() -> None:
    page = Page(html.render(Assessment(environment="dev", findings=(BUDGET,))))

    assert "it costs more than allowed" in page.text
    assert "Topology" not in page.text
