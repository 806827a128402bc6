"""What may be typed at a place of a stack file: fields, words, and names from the catalogue of the cloud and region."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from penstock.catalog import machines, offerings, regions
from penstock.core.errors import UnknownFact
from penstock.editor import schema_fields
from penstock.editor.stack_text import CursorPlace, Path, TextSpan, cursor_place
from penstock.providers import built_providers


@dataclass(frozen=True, slots=True)
class Proposal:
    """A text that may be at the cursor: what it is, in a few words, and what it means."""

    text: str
    is_key: bool
    detail: str = ""
    meaning: str = ""


def proposals(text: str, line: int, character: int) -> tuple[TextSpan | None, Sequence[Proposal]]:
    """Return what may be typed at a cursor, and the part of the line that it replaces."""
    place = cursor_place(text, line, character)
    if place is None:
        return None, ()
    return place.word, list(_keys(place) if place.is_key else _values(place))


def _keys(place: CursorPlace) -> Iterator[Proposal]:
    schemas = schema_fields.fields_at(place.path, place.data)
    present = _at(place.data, place.path)
    for key, field in schema_fields.keys_in(schemas).items():
        if not isinstance(present, Mapping) or key not in present:
            yield Proposal(key, is_key=True, meaning=schema_fields.described(field))


def _values(place: CursorPlace) -> Iterator[Proposal]:
    schemas = schema_fields.fields_at(place.path, place.data)
    words = {word: Proposal(word, is_key=False) for word in schema_fields.words_in(schemas)}
    yield from (words | {each.text: each for each in _known(place.path, place.data)}).values()
    if place.is_alone:
        yield from _keys(place)


def _known(path: Path, data: Any) -> Iterator[Proposal]:
    """Names of the catalogue that a field takes, of the cloud and the region that the description names."""
    cloud = _at(data, ("cloud",))
    provider = cloud.get("provider") if isinstance(cloud, Mapping) else None
    region = cloud.get("region") if isinstance(cloud, Mapping) else None
    field = next((step for step in reversed(path) if isinstance(step, str)), "")
    if not isinstance(provider, str) or provider not in built_providers():
        return
    if field == "region":
        for each in _regions(provider):
            yield Proposal(each.name, is_key=False, detail=each.place)
    elif field in ("zone", "zones"):
        zones = next((each.zones for each in _regions(provider) if each.name == region), ())
        yield from (Proposal(zone, is_key=False, detail=str(region)) for zone in zones)
    elif field in ("accelerator", "machine_type"):
        yield from _machines(field, provider, region)


def _regions(provider: str) -> Sequence[regions.Region]:
    try:
        return regions.all_regions(provider)
    except (UnknownFact, OSError):
        return ()


def _machines(field: str, provider: str, region: Any) -> Iterator[Proposal]:
    """The accelerators or the machine types that are sold in the region, or all where that is not known."""
    try:
        table = machines.machine_types(provider)
        sold = offerings.offered(region, provider) if isinstance(region, str) else None
    except (UnknownFact, OSError, KeyError):
        return
    there = [each for each in table if sold is None or each.machine_type in sold]
    if field == "accelerator":
        for name in sorted({each.accelerator for each in there if each.accelerator}):
            types = [each for each in there if each.accelerator == name]
            detail = ", ".join(f"{each.accelerators} × in {each.machine_type}" for each in types[:3])
            yield Proposal(name, is_key=False, detail=detail)
        return
    for each in there:
        has = f", {each.accelerators} {each.accelerator}" if each.accelerator else ""
        yield Proposal(each.machine_type, is_key=False, detail=f"{each.vcpu} vCPU{has}")


def _at(data: Any, path: Path) -> Any:
    for step in path:
        if isinstance(step, int):
            data = data[step] if isinstance(data, list) and step < len(data) else None
        else:
            data = data.get(step) if isinstance(data, Mapping) else None
    return data
