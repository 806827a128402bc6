"""The inputs and outputs of each component as one pydantic model: the source of the schema and of every check."""

from __future__ import annotations

import inspect
from functools import cache
from typing import Any, Final

from pydantic import BaseModel, Field, StrictBool, StrictFloat, StrictInt, create_model

from penstock.component_provider.annotations import (
    Meaning,
    handle_fields,
    is_handle,
    item_types,
    meaning_of,
    value_type,
)
from penstock.component_provider.catalogue import Packaged
from penstock.description.block import SpecBlock
from penstock.providers import all_providers

SEPARATOR: Final = "__"
"""Between the module and the name of a model that is not one of the description's."""

_STRICT: Final[dict[Any, Any]] = {int: StrictInt, float: StrictFloat, bool: StrictBool}


@cache
def inputs_model(component: Packaged) -> type[BaseModel]:
    """The model of what a component takes: the fields of its part of a description, and its arguments beside them."""
    record = component.component
    hidden = _hidden(component)
    fields: dict[str, Any] = {
        name: (info.annotation, info) for name, info in record.spec.model_fields.items() if name not in hidden
    }
    if not component.is_platform and "name" in fields:
        description = f"{record.spec.model_fields['name'].description} By default the name of the resource."
        annotation = record.spec.model_fields["name"].rebuild_annotation()
        fields["name"] = (annotation | None, Field(default=None, description=description))
    fields |= {name: _field(component.module, meaning_of(each)) for name, each in record.arguments.items()}
    return _model(component.module, record.name, fields, record.description)


@cache
def outputs_model(component: Packaged) -> type[BaseModel]:
    """The model of what a component gives back."""
    record = component.component
    fields = {name: _field(component.module, meaning_of(each)) for name, each in record.outputs.items()}
    return _model(component.module, f"{record.name}Outputs", fields, "")


def _hidden(component: Packaged) -> frozenset[str]:
    """The fields that are no inputs: a piece has one kind, and reads no settings of other clouds."""
    record = component.component
    if component.is_platform:
        return frozenset(record.left_out)
    others = {provider.name for provider in all_providers()} - {component.module}
    return frozenset({*record.left_out, "kind", *others})


def _model(module: str, name: str, fields: dict[str, Any], description: str) -> type[BaseModel]:
    # A field may be called as a method of pydantic's old models, such as `json`; none of ours is.
    return create_model(f"{module}{SEPARATOR}{name}", __base__=SpecBlock, __doc__=description, **fields)


def _field(module: str, meaning: Meaning) -> tuple[Any, Any]:
    type_ = _plain_type(module, meaning.type)
    description = meaning.description or None
    if meaning.required:
        return type_, Field(description=description)
    return type_ | None, Field(default=None, description=description)


def _plain_type(module: str, type_: Any) -> Any:
    """The type of a value as other languages write it."""
    if is_handle(type_):
        return _handle_model(module, type_)
    if (items := item_types(type_)) is not None:
        inner = tuple(_plain_type(module, meaning_of(each).type) for each in items)
        return tuple[inner] if len(inner) > 1 else tuple[inner[0], ...]  # type: ignore[valid-type]
    if (values := value_type(type_)) is not None:
        return dict[str, _plain_type(module, meaning_of(values).type)]  # type: ignore[misc]
    return _STRICT.get(type_, type_)


@cache
def _handle_model(module: str, handle: type) -> type[BaseModel]:
    fields = {name: _field(module, meaning) for name, meaning in handle_fields(handle).items()}
    first_paragraph = inspect.cleandoc(handle.__doc__ or "").partition("\n\n")[0]
    return _model(module, handle.__name__, fields, " ".join(first_paragraph.split()))
