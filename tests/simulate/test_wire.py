"""What crosses the wire means the same to us as to Pulumi."""

from __future__ import annotations

from typing import Any

import pytest

from penstock.graph.values import UNKNOWN, Secret
from penstock.simulate.wire import from_state, from_wire, to_wire

NOT_KNOWN = {
    "boolean": "1c4a061d-8072-4f0a-a4cb-0ff528b18fe7",
    "number": "3eeb2bf0-c639-47a8-9e75-3b44932eb421",
    "text": "04da6b54-80e4-46f7-96ec-b56ff0331ba9",
    "list": "6a19a0b0-7e62-4c92-b797-7f8e31da9cc2",
    "asset": "030794c1-ac77-496b-92df-f27374a8bd58",
    "archive": "e48ece36-62e2-4504-bad9-02848725956a",
    "object": "dd056dcd-154b-4c76-9bd3-c8f88648b5ff",
}
"""As Pulumi's engine has them: sdk/go/common/resource/plugin/rpc.go."""


@pytest.mark.parametrize("kind", NOT_KNOWN)
def test_what_is_not_known_is_unknown_whatever_its_kind_and_wherever_it_stands(kind: str) -> None:
    later = NOT_KNOWN[kind]
    reported = to_wire({"bare": later, "listed": [later], "within": {"a": later}, "hidden": Secret(later)})

    found = from_wire(reported)

    assert found == {"bare": UNKNOWN, "listed": [UNKNOWN], "within": {"a": UNKNOWN}, "hidden": Secret(UNKNOWN)}
    assert from_state({"a": [later]}) == {"a": [UNKNOWN]}
    assert from_wire(to_wire(found)) == found


@pytest.mark.parametrize("value", ["", "text", "04da6b54", 1, 1.5, True, None, [], [1, "a"], {}, {"a": {"b": None}}])
def test_any_other_value_comes_back_as_it_went(value: Any) -> None:
    assert from_wire(to_wire({"value": value})) == {"value": value}
