"""Asks for all preconditions of a program at once, a few at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from typing import Final

from penstock.description.platform import Spec
from penstock.graph.view import Site
from penstock.preconditions import Precondition
from penstock.preconditions.find import kinds_of
from penstock.preconditions.need import NamedNeed
from penstock.preflight.inquiry import Asked, Inquiry, Reply, not_asked
from penstock.providers import all_providers

AT_ONCE: Final = 8
"""Questions that wait for an answer at a time: more only meet the clouds' throttling."""

_ON_REQUEST: Final = "kubernetes"
"""The provider that is asked only where a program names a cluster that exists: others are not there yet."""

_ANYWHERE: Final = "image"
"""The kind of thing that any cloud's registry may have: a chart of a cluster in a registry of AWS."""


def inquiries_for(site: Site, preconditions: Sequence[Precondition], described: Spec | None) -> dict[str, Inquiry]:
    """Open a way to each cloud of a program, by the provider's name.

    Raises:
        CannotAsk: an SDK is missing, or there are no credentials that the cloud accepts.
    """
    packages = {resource.type.removeprefix("pulumi:providers:").partition(":")[0] for resource in site.graph}
    packages |= {lookup.token.partition(":")[0] for lookup in site.graph.lookups}
    found: dict[str, Inquiry] = {}
    for provider in all_providers():
        if provider.package not in packages:
            continue
        named = any(each.kind == "kubernetes-cluster" for each in preconditions)
        module = provider.module("preflight") if provider.name != _ON_REQUEST or named else None
        if module is not None:
            found[provider.name] = module.open_inquiry(site, described)
    return found


def ask_all(
    inquiries: Mapping[str, Inquiry],
    preconditions: Sequence[Precondition],
    site: Site,
    described: Spec | None,
    progress: Callable[[int, int], None] | None = None,
) -> tuple[Asked, ...]:
    """Ask for each precondition, and for what else each cloud must offer; in order, each thing once."""
    questions: dict[str, tuple[Precondition, list[Inquiry]]] = {}
    for precondition in preconditions:
        own = _provider_of(precondition)
        others = isinstance(precondition.need, NamedNeed) and precondition.need.kind == _ANYWHERE
        asked = [inquiries[name] for name in inquiries if name == own or others]
        questions[precondition.what] = precondition, asked
    for inquiry in inquiries.values():
        for precondition in inquiry.further(site, described):
            questions.setdefault(precondition.what, (precondition, [inquiry]))
    with ThreadPoolExecutor(AT_ONCE, thread_name_prefix="preflight") as pool:
        waiting = {pool.submit(_answer, *question): what for what, question in questions.items()}
        replies: dict[str, Reply] = {}
        for done in as_completed(waiting):
            replies[waiting[done]] = done.result()
            if progress is not None:
                progress(len(replies), len(questions))
    return tuple(Asked(precondition, replies[what]) for what, (precondition, _) in questions.items())


def _provider_of(precondition: Precondition) -> str:
    kinds = ((provider.name, kinds_of(provider.name)) for provider in all_providers())
    return next((name for name, own in kinds if any(kind.id == precondition.kind for kind in own)), "")


def _answer(precondition: Precondition, inquiries: Iterable[Inquiry]) -> Reply:
    for inquiry in inquiries:
        try:
            reply = inquiry.answer(precondition)
        except (AttributeError, LookupError, TypeError, ValueError):
            return not_asked("The answer is not of the form that the cloud documents.", precondition.how)
        if reply is not None:
            return reply
    return not_asked("No API shows it; see for yourself.", precondition.how)
