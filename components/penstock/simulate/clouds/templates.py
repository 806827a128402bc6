"""Forms of ids and endpoints: texts with words in braces that are filled in for one resource.

{hex17} are made-up digits that stay the same for a resource, {HEX17} the same in capitals, {digits12} decimal ones,
{uuid} a made-up UUID; what follows an underscore distinguishes a second one of a kind from the first ({hex17_default}).
{in[x]} is the resource's input x, {end[x]} what is behind its last slash, {tail[x]} what is behind its first one,
{bare[x]} an address without its scheme, {lower[x]} the input in small letters.
All else is one of the words that a cloud knows, such as {region}.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from collections.abc import Set as AbstractSet
from functools import cache
from typing import Any

from penstock.graph.values import Secret, Unknown
from penstock.simulate.clouds import CreateRequest
from penstock.simulate.clouds.identity import decimal, hexadecimal, uuid

_CHOICES = re.compile(r"\{(zone|zone_id|three_zones|regions|eks_version|gke_version)\}|^\d+(\.\d+){3}(/\d+)?$")
"""What a template holds that a cloud chooses: a zone, a version, an address."""

_LISTS = ("{zones}", "{zone_ids}", "{three_zones}", "{regions}")
"""Templates that are a list, where nothing else stands beside the word."""


class Inputs(dict[str, Any]):
    """The inputs as a template sees them: what is absent, secret or not known yet reads as its own name."""

    def __getitem__(self, key: str) -> Any:
        """The value of an input, or the input's name."""
        value = super().get(key)
        return key if value is None or isinstance(value, Secret | Unknown) else value


class Ends(Inputs):
    """The inputs as a template sees them where it takes names, and programs may give whole paths."""

    def __getitem__(self, key: str) -> Any:
        """The end of the path or of the ARN that an input is, or the input's name."""
        value = str(super().__getitem__(key))
        return re.split(r"[/:]" if value.startswith("arn:") else "/", value)[-1]


class Tails(Inputs):
    """The inputs as a template sees them where the resource of one ARN goes on in another: a listener's balancer."""

    def __getitem__(self, key: str) -> Any:
        """What is behind the first slash of an input, or the input's name."""
        value = str(super().__getitem__(key))
        return value.partition("/")[2] or value


class Lower(Inputs):
    """The inputs as a template sees them where the cloud writes them in small letters."""

    def __getitem__(self, key: str) -> Any:
        """An input in small letters, or the input's name."""
        return str(super().__getitem__(key)).lower()


class Bare(Inputs):
    """The inputs as a template sees them where it takes an address without https:// before it."""

    def __getitem__(self, key: str) -> Any:
        """The address that an input is, without its scheme, or the input's name."""
        return str(super().__getitem__(key)).rpartition("://")[2]


def filled(template: Any, words: Mapping[str, Any], given: Any = None) -> Any:
    """A template with its words filled in; an object keeps what was given, and the cloud adds the rest.

    `words` holds at least the `urn` that made-up parts are drawn from, and `zones` for a template that is just that.
    """
    if given is not None and not isinstance(given, Mapping | list) and not isinstance(template, Mapping | list):
        return given
    if isinstance(template, str):
        return words[template[1:-1]] if template in _LISTS else template.format_map(_Words(words))
    if isinstance(template, Mapping):
        kept = given if isinstance(given, Mapping) else {}
        return {**kept, **{key: filled(value, words, kept.get(key)) for key, value in template.items()}}
    if isinstance(template, list):
        items = [*given, *[None] * len(template)] if isinstance(given, list) else [None] * len(template)
        return [filled(item, words, item_given) for item, item_given in zip(template, items, strict=False)]
    return template


def documented(form: Mapping[str, Any]) -> Iterator[str]:
    """Yield the outputs of a row of answers whose form is the cloud's own, `id` and `arn` among them.

    What the cloud would choose by itself, such as a zone, is not among them: nobody can know it.
    """
    yield from (key for key in ("id", "arn") if key in form)
    of_resource = form.get("outputs", {})
    for key, template in {**of_resource, **form.get("answers", {})}.items():
        is_list_of_zones = key in of_resource and template in _LISTS
        if not (is_list_of_zones or (isinstance(template, str) and _CHOICES.search(template))):
            yield key


def certain(documented: AbstractSet[str], request: CreateRequest) -> frozenset[str]:
    """Return which documented outputs are certain: of what others created, only what identifies it."""
    return frozenset(documented & {"id", "arn", "name", "region", "project"} if request.looked_up else documented)


def parts(text: str, template: str) -> dict[str, str]:
    """The words that a text of a template's form shows: `n` as `name` and `c` as `in[c]`; none where it has another."""
    found = _pattern(template)[0].fullmatch(text) if text and template else None
    return dict(zip(_pattern(template)[1], found.groups(), strict=True)) if found else {}


@cache
def _pattern(template: str) -> tuple[re.Pattern[str], tuple[str, ...]]:
    pieces = re.split(r"\{(\w+(?:\[\w+\])?)\}", template)
    groups = (re.escape(piece) if index % 2 == 0 else "(.+?)" for index, piece in enumerate(pieces))
    return re.compile("".join(groups)), tuple(pieces[1::2])


class _Words(dict[str, Any]):
    """Adds to the words what a resource makes up."""

    def __missing__(self, key: str) -> str:
        kind, _, salt = key.partition("_")
        if kind == "uuid":
            return uuid(self["urn"], salt)
        if kind.startswith("digits"):
            return decimal(self["urn"], int(kind.removeprefix("digits")), salt)
        if kind[:3] in ("hex", "HEX"):
            digits = hexadecimal(self["urn"], int(kind[3:]), salt)
            return digits.upper() if kind.startswith("HEX") else digits
        raise KeyError(key)
