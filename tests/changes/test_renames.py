"""Renames are recognised, and the alias that is proposed keeps the resources."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pulumi
import pytest
from pulumi_aws import ec2, s3
from pulumi_gcp import compute

from penstock.changes import renames
from penstock.changes.diff import diff
from penstock.changes.diff_findings import findings_of
from penstock.changes.renames import Rename
from penstock.simulate.run import rehearse

Program = Callable[[], object]
Aliases = list[pulumi.Alias] | None


class Network(pulumi.ComponentResource):
    def __init__(self, name: str, aliases: Aliases = None, kind: str = "test:index:Network") -> None:
        super().__init__(kind, name, None, pulumi.ResourceOptions(aliases=aliases))
        mine = pulumi.ResourceOptions(parent=self)
        vpc = ec2.Vpc(f"{name}-vpc", cidr_block="10.0.0.0/16", tags={"Name": f"{name}-vpc"}, opts=mine)
        for zone in ("a", "b"):
            ec2.Subnet(f"{name}-{zone}", vpc_id=vpc.id, cidr_block=f"10.0.{ord(zone)}.0/24", opts=mine)


def bucket(name: str, aliases: Aliases = None, **options: Any) -> s3.Bucket:
    return s3.Bucket(name, tags={"team": "ml"}, opts=pulumi.ResourceOptions(aliases=aliases, **options))


def in_a_component(name: str, aliases: Aliases = None) -> None:
    above = pulumi.ComponentResource("test:index:Storage", "storage")
    bucket(name, aliases, parent=above)


def found(before: Program, after: Program) -> tuple[Rename, ...]:
    return renames.recognised(rehearse(before).graph, rehearse(after).graph)


def applied(alias: str) -> list[pulumi.Alias]:
    """The proposal, as the program would have it."""
    return [eval(alias, {"pulumi": pulumi})]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (lambda _: bucket("data"), lambda aliases: bucket("datasets", aliases)),
        (lambda _: Network("old"), lambda aliases: Network("new", aliases)),
        (lambda _: Network("net"), lambda aliases: Network("net", aliases, "test:index:Vpc")),
        (lambda _: bucket("data"), lambda aliases: in_a_component("data", aliases)),
        (lambda _: in_a_component("data"), lambda aliases: bucket("data", aliases)),
        (lambda _: bucket("data"), lambda aliases: in_a_component("datasets", aliases)),
    ],
    ids=["resource", "component", "type", "into a component", "out of a component", "both"],
)
def test_the_alias_that_is_proposed_keeps_everything(
    before: Callable[[Aliases], object], after: Callable[[Aliases], object]
) -> None:
    first = rehearse(lambda: before(None))
    without = diff(first, rehearse(lambda: after(None)))
    (rename,) = renames.recognised(without.before, without.after)
    with_alias = diff(first, rehearse(lambda: after(applied(rename.alias))))

    assert without.created
    assert without.deleted
    assert rename.alias in next(each.hint for each in findings_of(without) if each.code == "DIFF-003")
    assert with_alias.moved
    assert not with_alias.created
    assert not with_alias.deleted
    assert not with_alias.replaced
    assert "DIFF-003" not in [each.code for each in findings_of(with_alias)]


def test_the_alias_is_reported_as_one_writes_it() -> None:
    (rename,) = found(lambda: bucket("data"), lambda: bucket("datasets"))
    (moved,) = found(lambda: bucket("data"), lambda: in_a_component("data"))

    assert rename.alias == 'pulumi.Alias(name="data")'
    assert moved.alias == "pulumi.Alias(parent=pulumi.ROOT_STACK_RESOURCE)"


def test_several_that_are_renamed_alike_are_distinguished() -> None:
    both = found(
        lambda: [bucket(f"old-{name}") for name in ("a", "b", "c")],
        lambda: [bucket(f"new-{name}") for name in ("a", "b", "c")],
    )

    assert {(rename.old.name, rename.new.name) for rename in both} == {
        (f"old-{name}", f"new-{name}") for name in ("a", "b", "c")
    }


def test_nothing_is_guessed_where_nobody_can_tell_which_is_which() -> None:
    assert not found(lambda: [bucket("cat"), bucket("dog")], lambda: [bucket("red"), bucket("blue")])


def test_what_holds_something_else_is_no_rename() -> None:
    def vpc(name: str, cidr: str, **tags: str) -> Program:
        return lambda: ec2.Vpc(name, cidr_block=cidr, tags=tags)

    assert not found(vpc("a", "10.0.0.0/16", x="1"), vpc("b", "10.1.0.0/16", y="2"))
    assert not found(vpc("a", "10.0.0.0/16"), lambda: bucket("b"))


@pytest.mark.parametrize(
    "other", [{"destination_ranges": ["199.36.153.8/30"]}, {"allows": [{"protocol": "tcp", "ports": ["80"]}]}]
)
def test_a_rule_of_a_firewall_that_lets_something_else_through_is_no_rename(other: dict[str, Any]) -> None:
    def rule(name: str, **more: Any) -> Program:
        given: dict[str, Any] = {
            "destination_ranges": ["0.0.0.0/0"],
            "allows": [{"protocol": "tcp", "ports": ["443"]}],
        } | more
        return lambda: compute.Firewall(name, network="default", direction="EGRESS", priority=900, **given)

    assert found(rule("web"), rule("out"))
    assert not found(rule("web"), rule("apis", **other))


def test_a_rename_that_loses_data_says_that_an_alias_saves_it() -> None:
    changes = diff(rehearse(lambda: bucket("data")), rehearse(lambda: bucket("datasets")))

    (lost,) = (each for each in findings_of(changes) if each.code == "DIFF-001")
    assert "datasets" in lost.hint
    assert "alias" in lost.hint
