"""Images that pods are to run, from a registry that is the user's own."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from penstock.catalog.tables import rows
from penstock.graph.view import Site
from penstock.preconditions import need
from penstock.preconditions.precondition import Precondition
from penstock.preconditions.texts import created_texts, given_texts

_KUBERNETES = "kubernetes:"
_SCHEME = "oci://"


def missing_images(
    site: Site, form: re.Pattern[str], is_missing: Callable[[re.Match[str]], bool]
) -> Iterator[Precondition]:
    """Yield the images and charts of one form among the objects of Kubernetes, those that `is_missing` finds so."""
    for given in given_texts(site):
        if not given.token.startswith(_KUBERNETES):
            continue
        found = form.fullmatch(given.text)
        if found is None or given.text in created_texts(site) or not is_missing(found):
            continue
        image = given.text.removeprefix(_SCHEME)
        if image != given.text and image.rpartition("/")[2] in _pinned_charts():
            continue  # a kind of its own, which knows the version
        kind = "Chart" if given.text.startswith(_SCHEME) else "Image"
        yield Precondition(
            f"{kind} {image}",
            "The program does not create this repository: what is not copied there before cannot be pulled, so that "
            "pods wait and the release that starts them fails.",
            f"crane copy {_source_of(image)} {image.partition('@')[0]}",
            given.urn,
            need.named("image", {**found.groupdict(), "address": image}),
        )


def _pinned_charts() -> frozenset[str]:
    return frozenset(row["name"] for row in rows("kubernetes/charts"))


def _source_of(image: str) -> str:
    """The public image that a chart of the catalogue runs, where a mirror keeps its path; else a placeholder.

    A digest stays: what lies under the tag by now may be other bytes.
    """
    known = (row["image"] for row in rows("kubernetes/charts") if row["image"])
    repository, at, digest = image.partition("@")
    path = repository.rpartition("/")[0] + "/" + repository.rpartition("/")[2].partition(":")[0]
    public = next((each for each in known if path.endswith(f"/{each.partition('/')[2]}")), "SOURCE")
    return f"{public}{at}{digest}"
