"""Images that come from a registry of the platform's own, in place of public ones."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

import pulumi

from penstock.kubernetes.facts.charts import Chart

_ASKED: ContextVar[dict[str, None] | None] = ContextVar("images that a mirror is asked for", default=None)


@contextmanager
def asked_of_mirror() -> Iterator[dict[str, None]]:
    """Collect the public images, without tags, that whatever is installed meanwhile takes from a mirror, each once."""
    asked: dict[str, None] = {}
    before = _ASKED.set(asked)
    try:
        yield asked
    finally:
        _ASKED.reset(before)


def from_mirror(public: str, mirror: pulumi.Input[str] | None) -> pulumi.Input[str]:
    """An image from its public registry or, by the same path, from a registry that mirrors it."""
    if mirror is None:
        return public
    _ask(public)
    if isinstance(mirror, str):
        return in_mirror(public, mirror)
    return pulumi.Output.concat(mirror, "/", public.partition("/")[2])


def in_mirror(public: str, mirror: str) -> str:
    """The name of a public image in a registry that mirrors it by the same path."""
    return f"{mirror}/{public.partition('/')[2]}"


def ask_for_images_of(chart: Chart) -> None:
    """Note that a chart takes its images from a mirror: all that it names, whichever of them its values need."""
    for public in (chart.image, *chart.images):
        if public is not None:
            _ask(public)


def ask_for_images(images: Iterable[str]) -> None:
    """Note that pods of users take public images from a mirror, which nothing in the program names."""
    for public in images:
        _ask(public)


def _ask(image: str) -> None:
    asked = _ASKED.get()
    if asked is not None:
        registry, _, path = image.partition("/")
        asked[f"{registry}/{path.partition(':')[0]}"] = None
