"""What is done in less time does what the SDK does."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pulumi
import pulumi_aws as aws
import pytest
from google.protobuf.struct_pb2 import Struct
from hypothesis import given
from hypothesis import strategies as st
from pulumi import _types, _utils
from pulumi.output import Unknown
from pulumi.runtime import resource as registration
from pulumi.runtime import resource_cycle_breaker as breaker
from pulumi.runtime import rpc
from pulumi.runtime.rpc import UNKNOWN
from pulumi_kubernetes.core import v1 as core
from pulumi_kubernetes.meta import v1 as meta

from penstock.simulate import sdk_shortcuts


def shortcut(name: str, function: Any) -> Any:
    """What takes the place of a function of the SDK."""
    (found,) = (changing(function) for _, name_, changing in sdk_shortcuts.shortcuts() if name_ == name)
    return found


class Nested:
    """Constructed as a resource is: by the SDK's two constructors and its own."""

    def __init__(self, depth: int, traces: list[Any]) -> None:
        if depth:
            Nested(depth - 1, traces)
        else:
            traces += [find() for find in (registration._get_stack_trace, bare)]  # noqa: SLF001


bare = sdk_shortcuts._bare_stack_trace(registration._get_stack_trace)  # noqa: SLF001


@pytest.mark.parametrize("depth", range(5))
def test_a_resource_has_the_lines_of_its_program_of_the_stack_that_the_sdk_finds(depth: int) -> None:
    traces: list[Any] = []

    Nested(depth, traces)

    theirs, ours = ([(frame.pc.uri, frame.pc.line) for frame in trace.frames] for trace in traces)
    assert ours == [(file, line) for file, line in theirs if file and "/lib/python" not in file]


@pytest.mark.hypothesis
@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), max_size=30))
def test_the_same_dependencies_close_a_circle(edges: list[tuple[int, int]]) -> None:
    theirs, ours = ([pulumi.Resource.__new__(pulumi.Resource) for _ in range(10)] for _ in range(2))
    declare = shortcut("declare_dependency", breaker.declare_dependency)

    for source, target in edges:
        assert declare(ours[source], ours[target]) == breaker.declare_dependency(theirs[source], theirs[target])


@pytest.mark.parametrize(
    ("asked", "owner"),
    [
        ("input_type_types", core.ContainerArgs),
        ("input_type_types", core.SecurityContextArgs),
        ("input_type_types", meta.ObjectMetaArgs),
        ("input_type_types", aws.ec2.SecurityGroupIngressArgs),
        ("output_type_types", core.outputs.PodSpec),
        ("output_type_types", aws.ec2.outputs.SecurityGroupIngress),
        ("resource_types", core.Pod),
        ("resource_types", aws.ec2.SecurityGroup),
        ("resource_types", pulumi.StackReference),
    ],
)
def test_the_same_types_are_expected(asked: str, owner: type) -> None:
    theirs: Any = getattr(_types, asked)
    ours = shortcut(asked, theirs)(owner)

    assert {name: ours.get(name) for name in (*theirs(owner), "other")} == {**theirs(owner), "other": None}


def test_a_copy_of_options_is_one() -> None:
    options = pulumi.ResourceOptions(protect=True, aliases=[pulumi.Alias(name="before")])
    copied: Any = shortcut("_copy", pulumi.ResourceOptions._copy)(options)  # noqa: SLF001
    copied.protect = False

    assert type(copied) is pulumi.ResourceOptions
    assert vars(copied) == {**vars(options), "protect": False}
    assert options.protect


class OwnOptions(pulumi.ResourceOptions):
    __slots__ = ("team",)


def test_options_of_a_program_are_copied_as_they_are() -> None:
    options = OwnOptions(protect=True)
    options.team = "vision"  # type: ignore[attr-defined] # as mypy knows no slots of a subclass
    copied: Any = shortcut("_copy", pulumi.ResourceOptions._copy)(options)  # noqa: SLF001

    assert (copied.team, copied.protect) == ("vision", True)


class OwnResource(pulumi.CustomResource):
    @property
    @pulumi.getter
    def size(self) -> pulumi.Output[Nope]:  # type: ignore[name-defined] # noqa: F821
        return pulumi.get(self, "size")  # type: ignore[no-any-return]


def test_a_mistake_in_a_class_of_a_program_is_one() -> None:
    with pytest.raises(NameError):
        shortcut("resource_types", _types.resource_types)(OwnResource)


def test_the_same_hooks_are_bound() -> None:
    def hook(_: pulumi.ResourceHookArgs) -> None: ...

    own = pulumi.ResourceHookBinding(after_create=[hook])
    theirs: Any = pulumi.ResourceHookBinding.merge
    ours = shortcut("merge", theirs.__func__)

    for pair in ((None, None), (own, None), (None, own), (own, own)):
        assert vars(ours(*pair)) == vars(theirs(*pair))


@pytest.mark.parametrize("value", ["text", "", 1, 0.5, True, None, UNKNOWN, ["a", {"b": 1}], {"c": None}])
def test_the_same_is_sent_and_received(value: Any) -> None:
    send, receive = rpc.serialize_property, rpc.deserialize_property
    sent = asyncio.run(shortcut("serialize_property", send)(value, [], "key"))

    assert sent == asyncio.run(send(value, [], "key"))
    assert shortcut("deserialize_property", receive)(sent, True) == receive(sent, True) or sent == UNKNOWN
    assert type(shortcut("deserialize_property", receive)(sent, True)) is type(receive(sent, True))


TYPES: tuple[Any, ...] = (
    *(None, Any, str, dict, list, list[Any], dict[str, Any], Mapping[str, str], Mapping[str, Mapping[str, str]]),
    *(Sequence[str], Sequence[Mapping[str, str]], Mapping[str, Sequence[Any]], Mapping[int, Any], str | list[str]),
    *(core.ContainerArgs, Mapping[str, core.ContainerArgs], Sequence[core.ContainerArgs]),
    *(core.ContainerArgsDict | core.ContainerArgs, Mapping[str, Sequence[str]] | None),
)


def renamed(name: str) -> str:
    return f"{name}_renamed"


KEPT = pulumi.Resource.__new__(pulumi.Resource).translate_input_property


@pytest.mark.hypothesis
@given(
    st.recursive(
        st.one_of(st.none(), st.text(), st.integers(), st.builds(Unknown), st.builds(core.EnvVarArgs, name=st.text())),
        lambda inner: st.one_of(
            st.lists(inner), st.dictionaries(st.one_of(st.text(), st.just("image_pull_policy")), inner)
        ),
    ),
    st.sampled_from(TYPES),
    st.sampled_from((None, KEPT, renamed)),
)
def test_the_same_is_sent_of_objects_and_lists(value: Any, type_: Any, translate: Any) -> None:
    def sent(by: Any) -> Any:
        try:
            return asyncio.run(by(value, [], "key", None, translate, type_))
        except (AssertionError, ValueError, TypeError) as error:
            return repr(error)

    assert sent(shortcut("serialize_property", rpc.serialize_property)) == sent(rpc.serialize_property)


def without_addresses(value: Any) -> str:
    return re.sub(" at 0x[0-9a-f]+", "", repr(value))


SPECIAL = {rpc._special_sig_key: rpc._special_secret_sig, "value": "hidden"}  # noqa: SLF001


@pytest.mark.hypothesis
@given(
    st.recursive(
        st.one_of(
            st.none(), st.text(), st.booleans(), st.integers(-9, 9), st.just(UNKNOWN), st.just(SPECIAL), st.just({})
        ),
        lambda inner: st.one_of(st.lists(inner), st.dictionaries(st.sampled_from(("a", "__b", "c")), inner)),
    ),
    st.sampled_from(((), (True,), (True, False), (None, True))),
)
def test_the_same_is_received_of_objects_and_lists(value: Any, keep: tuple[Any, ...]) -> None:
    sent = Struct()
    sent["value"] = value
    theirs = rpc.deserialize_property
    ours = shortcut("deserialize_property", theirs)

    assert without_addresses(ours(sent["value"], *keep)) == without_addresses(theirs(sent["value"], *keep))


def test_an_object_that_holds_itself_is_left_to_the_sdk() -> None:
    value: dict[str, Any] = {}
    value["self"] = value

    with pytest.raises(RecursionError):
        asyncio.run(shortcut("serialize_property", rpc.serialize_property)(value, [], "key", None, None, None))


VALUES = st.recursive(
    st.one_of(st.none(), st.text(), st.integers(), st.builds(Unknown)),
    lambda inner: st.one_of(st.lists(inner), st.dictionaries(st.text(), inner), st.tuples(inner)),
)


@pytest.mark.hypothesis
@given(VALUES)
def test_the_same_is_unknown(value: Any) -> None:
    theirs = rpc.contains_unknowns

    assert shortcut("contains_unknowns", theirs)(value) == theirs(value)


@pytest.mark.parametrize(
    "aliases",
    [
        None,
        [],
        [pulumi.Alias(type_="a:b:C"), pulumi.Alias(type_="a:b:D")],
        [pulumi.Alias(type_="a:b:C"), pulumi.Alias(name="before")],
        [pulumi.Alias(type_="a:b:C", parent=None)],
        ["urn:pulumi:dev::p::a:b:C::before"],
    ],
)
def test_the_same_aliases_are_sent(aliases: list[Any] | None) -> None:
    theirs: Any = registration.prepare_aliases
    options = pulumi.ResourceOptions(aliases=aliases)
    ours = shortcut("prepare_aliases", theirs)

    assert asyncio.run(ours(None, options, True)) == asyncio.run(theirs(None, options, True))


def nothing() -> None: ...


def documented() -> None:
    """Does nothing."""


def something(self: Any) -> Any:
    return pulumi.get(self, "name")


@pytest.mark.parametrize("function", [nothing, documented, something, lambda: None, lambda: 1])
def test_the_same_functions_are_empty(function: Callable[..., Any]) -> None:
    theirs = _utils.is_empty_function

    assert shortcut("is_empty_function", theirs)(function) == theirs(function)
