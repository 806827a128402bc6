"""The schema that SDKs of other languages are generated from."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from penstock import __version__
from penstock.component_provider.schema import package_schema

GOLDEN = Path(__file__).with_name("schema.txt")
SCHEMA = package_schema()
Properties = Mapping[str, Mapping[str, Any]]


def test_the_schema_is_as_reviewed(request: pytest.FixtureRequest) -> None:
    """A changed line is a changed SDK in every language: a removed or renamed property breaks programs."""
    text = "\n".join(outline()) + "\n"
    if request.config.getoption("--accept"):
        GOLDEN.write_text(text, encoding="utf-8")

    assert text == GOLDEN.read_text(encoding="utf-8")


def outline() -> Iterator[str]:
    """One line for each input, output and field; an asterisk marks the required ones."""
    for token, resource in SCHEMA["resources"].items():
        yield f"{token}: {resource['description']}"
        yield from lines("in ", resource["inputProperties"], resource["requiredInputs"])
        yield from lines("out ", resource["properties"], resource["required"])
    for token, each in SCHEMA["types"].items():
        if "enum" in each:
            yield f"{token}: {' | '.join(word['value'] for word in each['enum'])}"
        else:
            yield f"{token}: {each.get('description', '')}"
            yield from lines("", each["properties"], each["required"])


def lines(side: str, properties: Properties, required: list[str]) -> Iterator[str]:
    for name, each in properties.items():
        mark = "*" if name in required else ""
        yield f"  {side}{name}{mark}: {type_of(each)}  {each.get('description', '')}".rstrip()


def type_of(each: Mapping[str, Any]) -> str:
    if "oneOf" in each:
        return " | ".join(map(type_of, each["oneOf"]))
    if "$ref" in each:
        return str(each["$ref"]).rpartition("/")[2].removeprefix("penstock:")
    if "const" in each:
        return repr(each["const"])
    if each["type"] == "array":
        return f"[{type_of(each['items'])}]"
    return f"{{{type_of(each['additionalProperties'])}}}" if each["type"] == "object" else str(each["type"])


def everything(value: Any) -> Iterator[Mapping[str, Any]]:
    if isinstance(value, Mapping):
        yield value
        for inner in value.values():
            yield from everything(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from everything(inner)


def test_every_type_that_is_referred_to_exists() -> None:
    referred = {each["$ref"] for each in everything(SCHEMA) if isinstance(each.get("$ref"), str)}

    assert referred - {"pulumi.json#/Any"} <= {f"#/types/{token}" for token in SCHEMA["types"]}


def test_every_input_and_output_is_described() -> None:
    undescribed = [
        f"{token} {name}"
        for token, resource in SCHEMA["resources"].items()
        for name, each in {**resource["inputProperties"], **resource["properties"]}.items()
        if not each.get("description")
    ]

    assert undescribed == []


def test_the_schema_has_the_version_of_penstock() -> None:
    assert SCHEMA["version"] == __version__


def test_what_a_union_tells_its_members_by_is_required() -> None:
    """Without it the generated SDKs could not tell one kind of storage from another."""
    (union,) = (each for each in everything(SCHEMA) if "discriminator" in each)
    tag = union["discriminator"]["propertyName"]

    for target in union["discriminator"]["mapping"].values():
        assert tag in SCHEMA["types"][target.removeprefix("#/types/")]["required"]


def test_no_property_has_a_name_that_pulumi_keeps_for_itself() -> None:
    """The CLI refuses the whole schema for one: such a field needs another name in `names`."""
    of_types = {name for each in SCHEMA["types"].values() for name in each.get("properties", {})}
    of_resources = {name for each in SCHEMA["resources"].values() for name in each["inputProperties"]}

    assert not (of_types | of_resources) & {"pulumi"}
    assert not of_resources & {"id", "urn"}
