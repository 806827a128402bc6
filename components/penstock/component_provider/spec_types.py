"""Pydantic models as types of a Pulumi schema.

Pydantic's JSON Schema says what each field takes, so that the two cannot differ. Pulumi's schema knows neither bounds
nor patterns; its documentation repeats them, and the models enforce them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from pydantic import BaseModel
from pydantic.json_schema import models_json_schema

from penstock.component_provider.models import SEPARATOR
from penstock.component_provider.names import camel_case

Schema = dict[str, Any]

_ANYTHING: Final = {"$ref": "pulumi.json#/Any"}
_BOUNDS: Final = {
    "minimum": "at least {:g}",
    "exclusiveMinimum": "more than {:g}",
    "maximum": "at most {:g}",
}


class SpecTypes:
    """The types of some models, and the inputs that each of them stands for."""

    def __init__(self, models: Iterable[type[BaseModel]]) -> None:
        names, schema = models_json_schema([(model, "validation") for model in models])
        self._definitions: Mapping[str, Schema] = schema["$defs"]
        self._name_of = {model: reference["$ref"].rpartition("/")[2] for (model, _), reference in names.items()}
        self._tagged = {
            target.rpartition("/")[2]: tag["propertyName"]
            for tag in _discriminators(schema)
            for target in tag["mapping"].values()
        }
        self.types: dict[str, Schema] = {}

    def properties(self, model: type[BaseModel]) -> tuple[dict[str, Schema], list[str]]:
        """The properties of a model and the required ones of them; also registers the types that they name."""
        return self._object(self._name_of[model], self._definitions[self._name_of[model]])

    def _object(self, owner: str, schema: Schema) -> tuple[dict[str, Schema], list[str]]:
        tag = self._tagged.get(owner)
        properties = {
            camel_case(name): {**self._type(field, owner, name), **self._documentation(field)}
            for name, field in schema["properties"].items()
        }
        required = {*schema.get("required", ()), *([tag] if tag else [])}
        return properties, sorted(map(camel_case, required))

    def _type(self, field: Any, owner: str, name: str) -> Schema:
        if field is True or not field:
            return _ANYTHING
        if "$ref" in field:
            definition = field["$ref"].rpartition("/")[2]
            schema = self._definitions[definition]
            return self._named(definition, schema) if "properties" in schema else self._type(schema, definition, "")
        if options := [option for option in field.get("anyOf", ()) if option.get("type") != "null"]:
            found = [self._type(option, owner, name) for option in options]
            return found[0] if len(found) == 1 else {"oneOf": found}
        if "oneOf" in field:
            return self._tagged_union(field, owner, name)
        return self._plain_type(field, owner, name)

    def _plain_type(self, field: Schema, owner: str, name: str) -> Schema:
        """The type of what is neither a reference nor one of several."""
        if "enum" in field:
            return self._enum(field["enum"], f"{_name(owner)}{_capitalized(name)}")
        if "const" in field:
            return {"type": "string", "const": field["const"]}
        if field.get("type") == "array":
            items = field["items"] if "items" in field else field["prefixItems"][0]  # of a pair, both are alike
            return {"type": "array", "items": self._type(items, owner, name)}
        if "properties" in field:  # bounds beside a number: they have no model's name of their own
            return self._named(owner, field)
        if field.get("type") == "object":
            patterns = field.get("patternProperties", {}).values()
            values = next(iter(patterns), field.get("additionalProperties"))
            return {"type": "object", "additionalProperties": self._type(values, owner, name)}
        return {"type": field["type"]}

    def _named(self, definition: str, schema: Schema) -> Schema:
        token = _token(definition)
        if token not in self.types:
            self.types[token] = {}  # a type may have itself inside
            properties, required = self._object(definition, schema)
            described = {"description": schema["description"]} if "description" in schema else {}
            self.types[token] = {"type": "object", **described, "properties": properties, "required": required}
        return {"$ref": f"#/types/{token}"}

    def _tagged_union(self, field: Schema, owner: str, name: str) -> Schema:
        tag = field["discriminator"]
        mapping = {word: self._type({"$ref": target}, owner, name)["$ref"] for word, target in tag["mapping"].items()}
        return {
            "oneOf": [self._type(option, owner, name) for option in field["oneOf"]],
            "discriminator": {"propertyName": tag["propertyName"], "mapping": mapping},
        }

    def _enum(self, words: Iterable[str], name: str) -> Schema:
        token = f"penstock:index:{name}"  # the clouds share the words of a description
        self.types[token] = {"type": "string", "enum": [{"value": word} for word in words]}
        return {"$ref": f"#/types/{token}"}

    def _documentation(self, field: Schema) -> Schema:
        """The description of a field, or that of its type, with its bounds and its default."""
        bare = next((option for option in field.get("anyOf", ()) if option.get("type") != "null"), field)
        target = self._definitions.get(bare.get("$ref", "").rpartition("/")[2], {})
        text = field.get("description") or bare.get("description") or target.get("description", "")
        bounds = [words.format(bare[bound]) for bound, words in _BOUNDS.items() if bound in bare]
        notes = [", ".join(bounds).capitalize() + "."] if bounds else []
        default = field.get("default")
        if isinstance(default, bool):
            default = str(default).lower()
        if isinstance(default, str | int | float) and default != "" and "default" not in text:
            notes.append(f"By default {default}.")
        whole = " ".join([text, *notes]).strip()
        return {"description": whole} if whole else {}


def _discriminators(schema: Any) -> Iterable[Schema]:
    if isinstance(schema, Mapping):
        if "discriminator" in schema:
            yield schema["discriminator"]
        for value in schema.values():
            yield from _discriminators(value)
    elif isinstance(schema, list):
        for value in schema:
            yield from _discriminators(value)


def _token(definition: str) -> str:
    """The type of a definition: those of a cloud's models have its name in front."""
    return f"penstock:{definition.rpartition(SEPARATOR)[0] or 'index'}:{_name(definition)}"


def _name(definition: str) -> str:
    return definition.rpartition(SEPARATOR)[2].removesuffix("Spec")


def _capitalized(name: str) -> str:
    camel = camel_case(name)
    return camel[:1].upper() + camel[1:]
