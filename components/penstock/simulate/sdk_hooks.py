"""The switch of the hooks into Pulumi's SDK that only save time: the result is the same without them."""

from __future__ import annotations

import os
from contextlib import AbstractContextManager, nullcontext
from typing import Final

from penstock.core.errors import UnknownHook
from penstock.core.wording import one_of
from penstock.simulate import sdk_imports

VARIABLE: Final = "PENSTOCK_SDK_HOOKS"
IMPORTS: Final = "imports"
HOOKS: Final = (
    IMPORTS,
    "_copy",
    "_get_stack_trace",
    "collapse_alias_to_urn",
    "contains_unknowns",
    "create_urn",
    "debug",
    "declare_dependency",
    "deserialize_property",
    "input_type_types",
    "is_empty_function",
    "merge",
    "output_type_types",
    "prepare_aliases",
    "resource_types",
    "serialize_property",
    "transfer_properties",
    "unwrap_optional_type",
    "unwrap_type",
)
"""`imports` is `sdk_imports`. All others have the name of the SDK function that `sdk_shortcuts` replaces."""

_ALL: Final = "none"
_MINUS: Final = "-"


def turned_off() -> frozenset[str]:
    """Return the hooks that the environment variable turns off: `none` leaves none on, `-NAME,-NAME` all but these.

    Raises:
        UnknownHook: the variable has another word.
    """
    words = [word.strip() for word in os.environ.get(VARIABLE, "").split(",")]
    if words == [_ALL]:
        return frozenset(HOOKS)
    allowed = {f"{_MINUS}{hook}": hook for hook in HOOKS}
    for word in filter(None, words):
        if word not in allowed:
            raise UnknownHook(f"{VARIABLE} has {word!r}. {one_of(word, [_ALL, *allowed])}")
    return frozenset(allowed[word] for word in filter(None, words))


def imports_on_demand() -> AbstractContextManager[None]:
    """Make imports of SDKs load only what is used, unless that hook is off."""
    return nullcontext() if IMPORTS in turned_off() else sdk_imports.on_demand()
