"""The page: what is on it, in which order, and what the browser is allowed to do with it.

The page holds its own styles and its own script, each known to the browser by its hash: whatever else a name or a
message might smuggle in, the Content-Security-Policy refuses, should the escaping of the templates ever fail.
"""

from __future__ import annotations

from base64 import b64encode
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from penstock import __version__
from penstock.graph.graph import Graph
from penstock.report.assessment import Assessment
from penstock.report.html import changes, checks, cost, figures, findings, preconditions, resources, timeline, topology
from penstock.report.overview import Overview
from penstock.report.topology import topology_of
from penstock.report.verdict import blocking_words, further_words
from penstock.report.wording import printable

_ASSETS: Final = Path(__file__).parent / "assets"


def render(assessment: Assessment) -> str:
    """Return an assessment as an HTML document, whose every text is escaped."""
    graph = graph_of(assessment)
    drawn = topology_of(graph) if graph is not None else []
    overview = assessment if isinstance(assessment, Overview) else None
    return (
        templates()
        .get_template("report.html.jinja")
        .render(
            **frame(f"{assessment.environment or 'stack'}: {blocking_words(assessment)}"),
            environment=assessment.environment,
            verdict=blocking_words(assessment),
            further=further_words(assessment),
            ok=assessment.ok,
            tiles=figures.tiles(assessment, graph, drawn),
            changes=changes.section(assessment),
            regions=topology.section(drawn),
            findings=findings.section(assessment),
            preconditions=preconditions.section(assessment),
            cost=cost.section(overview) if overview is not None else None,
            timeline=timeline.section(overview) if overview is not None else None,
            checks=checks.section(assessment),
            notes=figures.notes(overview) if overview is not None else [],
            resources=resources.section(graph, assessment.home) if graph is not None else [],
        )
    )


def graph_of(assessment: Assessment) -> Graph | None:
    """Return the Graph of a rehearsal or of an audited stack; None for an assessment without one."""
    graph = getattr(assessment, "graph", None)
    return graph if isinstance(graph, Graph) else None


def frame(title: str) -> dict[str, Any]:
    """What every page has around its content: a title, our own styles and script, and what the browser may do."""
    style, script = _asset("report.css"), _asset("report.js")
    return {
        "title": title,
        "version": __version__,
        "policy": _policy(style, script),
        "style": Markup(style),  # noqa: S704 our own file
        "script": Markup(script),  # noqa: S704 our own file
    }


def _policy(style: str, script: str) -> str:
    """The Content-Security-Policy: nothing is loaded, and no other style or script than ours counts."""
    return (
        f"default-src 'none'; style-src '{_hash(style)}'; script-src '{_hash(script)}'; base-uri 'none'; "
        "form-action 'none'"
    )


def _hash(text: str) -> str:
    return f"sha256-{b64encode(sha256(text.encode()).digest()).decode()}"


@cache
def _asset(name: str) -> str:
    return (_ASSETS / name).read_text(encoding="utf-8")


@cache
def templates() -> Environment:
    """The templates, which escape every text."""
    return Environment(
        loader=PackageLoader("penstock.report.html"),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_shown,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def _shown(value: Any) -> Any:
    """A value as the page shows it: no text turns its own direction, whoever wrote it."""
    return printable(value) if isinstance(value, str) and not isinstance(value, Markup) else value
