"""The page on the rules of the strict packs that our own platforms break, from the list that the tests hold them to."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from docs.markdown import page, table
from tests.policies import exceptions

from penstock.providers import all_providers
from penstock.rules import registry


def exceptions_page() -> str:
    """Return the page."""
    return page(
        "Exceptions of our own platforms",
        "Generated from the tests. The platforms that Penstock builds pass everything that `strict` and `regulated` "
        "block. These rules of `regulated`, `cost` and `sovereign` report something in at least one environment of "
        "this repository, and it stays. Waive what an auditor asks you about, with the reason given here.",
        table(("Rule", "Severity", "In", "Reason"), _rules()),
        "## Pods that run as root",
        "Components whose pods break [`k8s-pod-nonroot`](policies/identity.md#k8s-pod-nonroot). Jobs of OpenMPI "
        "run as user 1000.",
        table(("Component", "Reason"), _described(exceptions.AS_ROOT)),
        "## Images by tag",
        "All other images that Penstock's own pods name have a digest. A digest is pinned only if public sources name "
        "it, because pods with a wrong one do not start. Charts are pinned by version, and name their images by tag.",
        table(("Image", "Reason"), _described(exceptions.IMAGES_BY_TAG)),
    )


def _rules() -> Iterator[tuple[str, str, str, str]]:
    listed = {
        "all": exceptions.ADVICE,
        "without `owner`": exceptions.ADVICE_WITHOUT_OWNER,
        "dev": exceptions.ADVICE_IN_DEV,
        **{provider.title: exceptions.ADVICE_ON.get(provider.name, {}) for provider in all_providers()},
    }
    rules = {rule.id: rule for rule in registry.policies()}
    for where, reasons in listed.items():
        for name, reason in reasons.items():
            rule = rules[name]
            yield f"[`{name}`](policies/{rule.category.value}.md#{name})", rule.severity.value, where, _sentence(reason)


def _described(reasons: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    for name, reason in reasons.items():
        yield f"`{name}`", _sentence(reason)


def _sentence(reason: str) -> str:
    return reason[0].upper() + reason[1:]
