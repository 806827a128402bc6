"""Asks an inquiry all that a program needs, and gives the answers by what was asked."""

from __future__ import annotations

from collections.abc import Mapping

from tests.environments import environment, rehearsed

from penstock import description
from penstock.description.platform import Spec
from penstock.graph.graph import Graph
from penstock.graph.view import Site
from penstock.preconditions import preconditions_of
from penstock.preflight import Asked, Inquiry, Reply
from penstock.preflight.run import ask_all


def site_of(stack: str) -> Site:
    """What an environment builds."""
    return Site(rehearsed(stack).graph)


def described(stack: str) -> Spec:
    """The description of an environment."""
    return description.load(environment(stack).project.stack_file(stack))


def asked(provider: str, inquiry: Inquiry, graph: Graph, platform: Spec | None = None) -> tuple[Asked, ...]:
    """Ask for all preconditions of a program."""
    return ask_all({provider: inquiry}, preconditions_of(graph), Site(graph), platform)


def replies(provider: str, inquiry: Inquiry, graph: Graph, platform: Spec | None = None) -> Mapping[str, Reply]:
    """Ask for all preconditions of a program; the answers by the precondition's `what`."""
    return {each.precondition.what: each.reply for each in asked(provider, inquiry, graph, platform)}


def about(answers: Mapping[str, Reply], words: str) -> Reply:
    """The one answer whose precondition has some words."""
    found = {what: reply for what, reply in answers.items() if words in what}
    assert len(found) == 1, list(answers) if not found else list(found)
    return next(iter(found.values()))
