"""Transforms and hooks: functions of the program run where the real engine would call them."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, cast

import pulumi
import pytest
from pulumi import ResourceOptions, ResourceTransformArgs, ResourceTransformResult
from pulumi_aws import ec2, get_caller_identity

from penstock.core.errors import ProgramFailed
from penstock.graph.graph import Graph, Resource
from penstock.graph.values import UNKNOWN, Secret
from penstock.simulate.run import rehearse

Transform = Callable[
    [ResourceTransformArgs], Awaitable[ResourceTransformResult | None] | ResourceTransformResult | None
]


def named(graph: Graph, name: str) -> Resource:
    (found,) = (resource for resource in graph if resource.name == name)
    return found


def tagging(word: str) -> Transform:
    """Adds a word to those in the tag `seen`, so that the order of transforms shows."""

    def transform(args: ResourceTransformArgs) -> ResourceTransformResult | None:
        if not args.custom:
            return None
        seen = cast(Mapping[str, Any], args.props).get("tags", {}).get("seen", "")
        return ResourceTransformResult({**args.props, "tags": {"seen": f"{seen}{word} "}}, args.opts)

    return transform


def vpc(name: str = "v", opts: ResourceOptions | None = None) -> ec2.Vpc:
    return ec2.Vpc(name, cidr_block="10.0.0.0/16", opts=opts)


def test_transforms_run_from_the_resource_over_its_parents_to_the_stack() -> None:
    def program() -> None:
        pulumi.runtime.register_resource_transform(tagging("stack"))
        outer = pulumi.ComponentResource("t:i:Outer", "outer", None, ResourceOptions(transforms=[tagging("outer")]))
        inner = pulumi.ComponentResource(
            "t:i:Inner", "inner", None, ResourceOptions(parent=outer, transforms=[tagging("inner")])
        )
        vpc(opts=ResourceOptions(parent=inner, transforms=[tagging("own")]))
        vpc("beside")

    graph = rehearse(program).graph

    assert named(graph, "v").inputs["tags"] == {"seen": "own inner outer stack "}
    assert named(graph, "beside").inputs["tags"] == {"seen": "stack "}


@pytest.mark.parametrize("preview", [False, True])
def test_a_program_reads_what_a_transform_has_made_of_a_resource(preview: bool) -> None:
    seen: dict[str, Any] = {}

    def program() -> None:
        network = vpc(opts=ResourceOptions(transforms=[tagging("own")]))
        other = vpc("other", ResourceOptions(transforms=[_named_after(network)]))
        network.tags.apply(lambda tags: seen.update(tags=tags))
        other.ipv6_ipam_pool_id.apply(lambda given: seen.update(given=given))
        pulumi.export("given", other.ipv6_ipam_pool_id)

    graph = rehearse(program, preview=preview).graph

    assert seen == {"tags": {"seen": "own "}, **({} if preview else {"given": named(graph, "v").id})}
    assert graph.exports["given"] == (UNKNOWN if preview else named(graph, "v").id)


def _named_after(network: ec2.Vpc) -> Transform:
    def transform(args: ResourceTransformArgs) -> ResourceTransformResult:
        return ResourceTransformResult({**args.props, "ipv6IpamPoolId": network.id}, args.opts)

    return transform


def test_a_transformation_of_the_old_kind_shows_too() -> None:
    seen: list[Any] = []

    def program() -> None:
        def tagged(args: pulumi.ResourceTransformationArgs) -> pulumi.ResourceTransformationResult:
            return pulumi.ResourceTransformationResult({**args.props, "tags": {"by": "transformation"}}, args.opts)

        vpc(opts=ResourceOptions(transformations=[tagged])).tags.apply(seen.append)

    rehearse(program)

    assert seen == [{"by": "transformation"}]


def test_a_transform_changes_options() -> None:
    def protect(args: ResourceTransformArgs) -> ResourceTransformResult:
        more = ResourceOptions(protect=True, ignore_changes=["tags"], aliases=[pulumi.Alias(name="old")])
        return ResourceTransformResult(args.props, ResourceOptions.merge(args.opts, more))

    options = named(rehearse(lambda: vpc(opts=ResourceOptions(transforms=[protect]))).graph, "v").options

    assert options.protect
    assert options.ignore_changes == ("tags",)
    assert [alias.rpartition("::")[2] for alias in options.aliases] == ["old"]


def test_what_no_transform_touches_stays_as_it_was() -> None:
    def program(transforms: list[Transform]) -> None:
        network = vpc()
        options = ResourceOptions(
            transforms=transforms,
            depends_on=[network],
            delete_before_replace=True,
            retain_on_delete=True,
            custom_timeouts=pulumi.CustomTimeouts(create="5m"),
            additional_secret_outputs=["arn"],
            replace_on_changes=["cidrBlock"],
        )
        ec2.Subnet("s", vpc_id=network.id, cidr_block=pulumi.Output.secret("10.0.0.0/24"), opts=options)

    plain = named(rehearse(lambda: program([])).graph, "s")
    passed = named(rehearse(lambda: program([lambda _: None, tagging("x")])).graph, "s")

    assert passed.inputs == {**plain.inputs, "tags": {"seen": "x "}}
    assert passed.inputs["cidrBlock"] == Secret("10.0.0.0/24")
    assert (passed.options, passed.dependencies) == (plain.options, plain.dependencies)


def test_a_transform_adds_what_a_resource_waits_for() -> None:
    def program() -> None:
        late = vpc("late")

        def transform(args: ResourceTransformArgs) -> ResourceTransformResult:
            more = ResourceOptions(depends_on=[late])
            return ResourceTransformResult({**args.props, "vpcId": late.id}, ResourceOptions.merge(args.opts, more))

        ec2.Subnet("s", vpc_id="vpc-0", cidr_block="10.0.0.0/24", opts=ResourceOptions(transforms=[transform]))

    graph = rehearse(program).graph
    subnet, late = named(graph, "s"), named(graph, "late")

    assert subnet.inputs["vpcId"] == late.id
    assert subnet.dependencies == (late.urn,)


def test_a_transform_of_the_stack_leaves_what_properties_depend_on() -> None:
    def program() -> None:
        pulumi.runtime.register_resource_transform(tagging("x"))
        ec2.Subnet("s", vpc_id=vpc().id, cidr_block="10.0.0.0/24")

    graph = rehearse(program).graph

    assert named(graph, "s").property_dependencies == {"vpcId": (named(graph, "v").urn,)}


def test_an_unknown_value_passes_a_transform_in_a_preview() -> None:
    def program() -> None:
        options = ResourceOptions(transforms=[tagging("x")])
        ec2.Subnet("s", vpc_id=vpc().id, cidr_block="10.0.0.0/24", opts=options)

    assert named(rehearse(program, preview=True).graph, "s").inputs["vpcId"] is UNKNOWN


def test_an_async_transform_that_looks_something_up_is_waited_for() -> None:
    async def transform(args: ResourceTransformArgs) -> ResourceTransformResult:
        await asyncio.sleep(0)
        account = get_caller_identity().account_id
        return ResourceTransformResult({**args.props, "tags": {"account": account}}, args.opts)

    def program() -> None:
        pulumi.runtime.register_resource_transform(transform)
        for index in range(20):
            vpc(f"v{index}")

    tags = {str(resource.inputs["tags"]) for resource in rehearse(program).graph.of_type("aws:ec2/vpc:Vpc")}

    assert tags == {"{'account': '123456789012'}"}


def test_an_error_in_a_transform_is_reported_with_its_line() -> None:
    def transform(_: ResourceTransformArgs) -> None:
        raise ValueError("no such tag")

    with pytest.raises(ProgramFailed, match=r"test_transforms\.py:\d+\n.*ValueError: no such tag"):
        rehearse(lambda: vpc(opts=ResourceOptions(transforms=[transform])))


def test_calls_of_provider_functions_pass_their_transforms() -> None:
    def transform(args: pulumi.InvokeTransformArgs) -> pulumi.InvokeTransformResult:
        return pulumi.InvokeTransformResult({**args.args, "id": "vpc-0123"}, args.opts)

    def program() -> None:
        pulumi.runtime.register_invoke_transform(transform)
        pulumi.export("now", ec2.get_vpc(id="vpc-9").id)
        pulumi.export("later", ec2.get_vpc_output(id="vpc-9").id)

    assert rehearse(program).graph.exports == {"now": "vpc-0123", "later": "vpc-0123"}


def test_old_transformations_work_too() -> None:
    def transformation(args: pulumi.ResourceTransformationArgs) -> pulumi.ResourceTransformationResult:
        return pulumi.ResourceTransformationResult({**args.props, "tags": {"old": "way"}}, args.opts)

    def program() -> None:
        pulumi.runtime.register_stack_transformation(transformation)
        vpc()

    assert named(rehearse(program).graph, "v").inputs["tags"] == {"old": "way"}


def hooked(reported: list[str], *, on_dry_run: bool = False) -> Callable[[], None]:
    def tell(word: str) -> pulumi.ResourceHook:
        def hook(args: pulumi.ResourceHookArgs) -> None:
            outputs = args.new_outputs or {}
            reported.append(f"{word} {args.name} {bool(args.id)} {'arn' in outputs or 'done' in outputs}")

        return pulumi.ResourceHook(word, hook, opts=pulumi.ResourceHookOptions(on_dry_run=on_dry_run))

    def program() -> None:
        binding = pulumi.ResourceHookBinding(before_create=[tell("before")], after_create=[tell("after")])
        vpc(opts=ResourceOptions(hooks=binding))
        component = pulumi.ComponentResource("t:i:C", "c", None, ResourceOptions(hooks=binding))
        component.register_outputs({"done": True})

    return program


def test_hooks_run_around_a_creation_and_for_a_component_when_it_is_done() -> None:
    reported: list[str] = []

    rehearse(hooked(reported))

    assert sorted(reported) == [
        "after c False True",
        "after v True True",
        "before c False False",
        "before v False False",
    ]


@pytest.mark.parametrize(("on_dry_run", "count"), [(False, 0), (True, 4)])
def test_in_a_preview_only_those_hooks_run_that_ask_for_it(on_dry_run: bool, count: int) -> None:
    reported: list[str] = []

    rehearse(hooked(reported, on_dry_run=on_dry_run), preview=True)

    assert len(reported) == count


def failing(*, ignore_errors: bool) -> Callable[[], None]:
    def fail(_: pulumi.ResourceHookArgs) -> None:
        raise ValueError("not ready")

    def program() -> None:
        hook = pulumi.ResourceHook("ready", fail, opts=pulumi.ResourceHookOptions(ignore_errors=ignore_errors))
        vpc(opts=ResourceOptions(hooks=pulumi.ResourceHookBinding(after_create=[hook])))

    return program


def test_a_hook_that_fails_fails_the_program() -> None:
    with pytest.raises(ProgramFailed, match=r"the hook 'ready' of .*::v failed: not ready"):
        rehearse(failing(ignore_errors=False))


def test_a_hook_whose_errors_are_ignored_does_not() -> None:
    assert named(rehearse(failing(ignore_errors=True)).graph, "v").id


def test_error_hooks_are_accepted_and_wait_for_an_error() -> None:
    def program() -> None:
        hook = pulumi.ErrorHook("again", lambda _: True)
        vpc(opts=ResourceOptions(hooks=pulumi.ResourceHookBinding(on_error=[hook])))

    assert named(rehearse(program).graph, "v").id
