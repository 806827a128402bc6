"""What a change does to a stack."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pulumi
import pulumi_kubernetes as kubernetes
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pulumi_aws import ec2, eks, fsx, iam, s3
from tests.descriptions import TRAINING, changed

from penstock.changes.diff import Changed, Changes
from penstock.changes.diff_findings import findings_of
from penstock.core.findings import Severity
from penstock.graph.values import UNKNOWN
from penstock.simulate.run import rehearse
from penstock.testing import diff
from penstock.testing import rehearse as rehearse_platform

pytestmark = pytest.mark.slow

Program = Callable[[], object]


def storage(
    zone: str = "us-east-1a", deployment: str = "PERSISTENT_2", options: Mapping[str, Any] | None = None, **tags: str
) -> Program:
    def program() -> None:
        vpc = ec2.Vpc("net", cidr_block="10.0.0.0/16", tags=tags)
        subnet = ec2.Subnet("private", vpc_id=vpc.id, cidr_block="10.0.1.0/24", availability_zone=zone)
        fsx.LustreFileSystem(
            "scratch",
            subnet_ids=subnet.id,
            storage_capacity=1200,
            deployment_type=deployment,
            opts=pulumi.ResourceOptions(**(options or {})),
        )

    return program


def names(changed_: tuple[Changed, ...]) -> list[str]:
    return sorted(each.resource.name for each in changed_)


def blocks(changes: Changes) -> bool:
    return any(finding.blocks for finding in findings_of(changes))


def codes(changes: Changes) -> list[str]:
    return [finding.code for finding in findings_of(changes)]


def between(before: Program, after: Program) -> tuple[Changes, Changes]:
    """The change as two rehearsals on their own show it, and as one on top of the other does."""
    first = rehearse(before)
    return diff(first, rehearse(after)), diff(first, rehearse(after, before=first.graph))


def test_a_platform_does_not_differ_from_itself() -> None:
    changes = diff(rehearse_platform(TRAINING), rehearse_platform(TRAINING))

    assert not changes
    assert not blocks(changes)
    assert findings_of(changes) == ()


def test_adding_a_pool_leaves_the_others_alone() -> None:
    before = rehearse_platform(TRAINING)
    more = [*TRAINING["node_pools"], {"name": "more", "machine_type": "m7i.2xlarge", "nodes": 2}]
    changes = diff(before, rehearse_platform(changed("node_pools", more)))

    assert changes.created
    assert not changes.replaced
    assert not changes.deleted
    assert not changes.data_lost


def test_creating_and_deleting_mirror_each_other() -> None:
    less, more = rehearse(lambda: None), rehearse(storage())

    assert names(diff(less, more).created) == names(diff(more, less).deleted) == ["net", "private", "scratch"]


def test_what_hangs_on_a_replacement_is_replaced_too_with_the_field_and_the_resource_that_cause_it() -> None:
    for changes in between(storage("us-east-1a"), storage("us-east-1b")):
        causes = {each.resource.name: each.causes[0] for each in changes.replaced}

        assert set(causes) == {"private", "scratch"}
        assert (causes["private"].path, causes["private"].before, causes["private"].after) == (
            "availabilityZone",
            "us-east-1a",
            "us-east-1b",
        )
        assert causes["scratch"].path == "subnetIds"
        assert causes["scratch"].because.endswith("::private")
        assert names(changes.data_lost) == ["scratch"]
        assert codes(changes) == ["DIFF-001"]


def test_two_rehearsals_of_their_own_cannot_tell_the_id_of_a_replacement() -> None:
    alone, on_top = between(storage("us-east-1a"), storage("us-east-1b"))

    (scratch,) = (each for each in alone.replaced if each.resource.name == "scratch")
    assert scratch.causes[0].after is UNKNOWN
    (scratch,) = (each for each in on_top.replaced if each.resource.name == "scratch")
    assert scratch.causes[0].after != scratch.causes[0].before


def test_a_change_in_place_touches_nothing_else() -> None:
    for changes in between(storage(team="a"), storage(team="b")):
        assert names(changes.updated) == ["net"]
        assert not changes.replaced
        assert not blocks(changes)


def role_and_policy(path: str, **options: Any) -> Program:
    def program() -> None:
        role_options = pulumi.ResourceOptions(delete_before_replace=options.get("delete_before_replace"))
        role = iam.Role("r", name="trainer", path=path, assume_role_policy="{}", opts=role_options)
        protected = pulumi.ResourceOptions(protect=options.get("protect"))
        iam.RolePolicy("p", role=role.name, policy="{}", opts=protected)

    return program


def test_a_name_that_the_program_chose_is_the_same_after_a_replacement() -> None:
    after = role_and_policy("/b/", delete_before_replace=False)
    for changes in between(role_and_policy("/a/"), after):
        assert names(changes.replaced) == ["r"]
        assert codes(changes) == ["DIFF-004"]


def test_what_hangs_on_something_that_is_deleted_first_is_torn_down_with_it() -> None:
    """The name stays, but for a moment nothing bears it."""
    for changes in between(role_and_policy("/a/"), role_and_policy("/b/")):
        assert {each.resource.name: each.torn_down for each in changes.replaced} == {"r": False, "p": True}


def test_what_was_protected_cannot_be_torn_down_though_the_program_lets_it_go() -> None:
    for changes in between(role_and_policy("/a/", protect=True), role_and_policy("/b/", protect=False)):
        assert {each.resource.name: each.refused for each in changes.replaced} == {"r": False, "p": True}
        assert "DIFF-002" in codes(changes)


def inside_a_cluster(services: str, token: str, name: str | None = None) -> Program:
    def program() -> None:
        cluster = eks.Cluster(
            "c",
            name=name,
            role_arn="arn:aws:iam::123456789012:role/eks",
            vpc_config={"subnet_ids": ["subnet-1", "subnet-2"]},
            kubernetes_network_config={"service_ipv4_cidr": services},
        )
        kubeconfig = {
            "current-context": "x",
            "contexts": [{"name": "x", "context": {"cluster": "k", "user": "u"}}],
            "clusters": [{"name": "k", "cluster": {"server": cluster.endpoint}}],
            "users": [{"name": "u", "user": {"token": token}}],
        }
        provider = kubernetes.Provider("k", kubeconfig=pulumi.Output.json_dumps(kubeconfig))
        options = pulumi.ResourceOptions(provider=provider)
        kubernetes.core.v1.ConfigMap("inside", data={"a": "1"}, opts=options)

    return program


def test_a_named_cluster_with_something_in_it_cannot_be_replaced_in_one_go() -> None:
    after = inside_a_cluster("10.200.0.0/16", "a", name="c")
    for changes in between(inside_a_cluster("10.100.0.0/16", "a", name="c"), after):
        (finding,) = (finding for finding in findings_of(changes) if finding.code == "DIFF-005")
        assert "inside" in finding.message
        assert finding.urn
        assert finding.urn.endswith("::k")
    unnamed = inside_a_cluster("10.100.0.0/16", "a"), inside_a_cluster("10.200.0.0/16", "a")
    assert not any("DIFF-005" in codes(changes) for changes in between(*unnamed))


def test_what_is_in_a_cluster_is_replaced_with_it_and_not_with_the_credentials_for_it() -> None:
    before = inside_a_cluster("10.100.0.0/16", "a")
    for changes in between(before, inside_a_cluster("10.200.0.0/16", "a")):
        assert names(changes.replaced) == ["c", "inside"]
    for changes in between(before, inside_a_cluster("10.100.0.0/16", "b")):
        assert not changes


def test_protect_makes_the_engine_refuse_what_would_lose_data() -> None:
    protected = {"protect": True}
    for changes in between(storage("us-east-1a", options=protected), storage("us-east-1b", options=protected)):
        assert [(each.resource.name, each.refused) for each in changes.data_lost] == [("scratch", True)]
        assert codes(changes) == ["DIFF-002"]
        assert blocks(changes)


def test_protection_outlives_the_program_that_asked_for_it() -> None:
    changes = diff(rehearse(storage(options={"protect": True})), rehearse(lambda: None))

    assert codes(changes) == ["DIFF-002"]


def test_what_is_retained_stays_in_the_cloud() -> None:
    changes = diff(rehearse(storage(options={"retain_on_delete": True})), rehearse(lambda: None))

    assert "scratch" in names(changes.deleted)
    assert not changes.data_lost


def test_another_region_replaces_what_names_none_of_its_own() -> None:
    before = rehearse(storage(), config={"aws:region": "us-east-1"})
    for stands in (None, before.graph):
        changes = diff(before, rehearse(storage(), config={"aws:region": "us-west-2"}, before=stands))

        assert names(changes.replaced) == ["net", "private", "scratch"]


def test_a_finding_names_the_line_of_the_resource() -> None:
    (finding,) = findings_of(diff(rehearse(storage()), rehearse(storage(deployment="SCRATCH_2"))))

    assert finding.severity is Severity.ERROR
    assert finding.file == "tests/changes/test_diff.py"
    assert finding.line
    assert finding.path == "deploymentType"


def test_an_alias_moves_a_resource_and_all_that_depends_on_it_stays() -> None:
    def program(name: str, *aliases: pulumi.Alias) -> Program:
        def run() -> None:
            vpc = ec2.Vpc(name, cidr_block="10.0.0.0/16", opts=pulumi.ResourceOptions(aliases=[*aliases]))
            ec2.Subnet("s", vpc_id=vpc.id, cidr_block="10.0.1.0/24")

        return run

    for changes in between(program("old"), program("new", pulumi.Alias(name="old"))):
        assert [moved.old_urn.rpartition("::")[2] for moved in changes.moved] == ["old"]
        assert len(changes) == 0


def test_secrets_stand_in_no_finding_and_no_cause() -> None:
    def program(value: str) -> Program:
        return lambda: s3.BucketObject("o", bucket="b", key="k", content=pulumi.Output.secret(value))

    changes = diff(rehearse(program("hunter1")), rehearse(program("hunter2")))

    assert names(changes.updated) == ["o"]
    assert "hunter" not in repr([each.causes for each in changes])


@pytest.mark.parametrize("gone", ["created", "updated", "replaced", "deleted"])
def test_each_kind_of_change_is_falsy_where_nothing_changes(gone: str) -> None:
    assert not getattr(diff(rehearse(storage()), rehearse(storage())), gone)


EDITS = st.lists(
    st.tuples(st.sampled_from("abcde"), st.sampled_from(["10.0.0.0/16", "10.1.0.0/16"]), st.sampled_from(["x", "y"])),
    max_size=5,
    unique_by=lambda edit: edit[0],
)


@given(EDITS, EDITS)
def test_each_resource_is_counted_once_and_by_what_changed_of_it(
    one: list[tuple[str, str, str]], other: list[tuple[str, str, str]]
) -> None:
    def program(vpcs: list[tuple[str, str, str]]) -> Program:
        return lambda: [ec2.Vpc(name, cidr_block=cidr, tags={"t": tag}) for name, cidr, tag in vpcs]

    changes = diff(rehearse(program(one)), rehearse(program(other)))
    before, after = ({name: rest for name, *rest in vpcs} for vpcs in (one, other))

    assert names(changes.created) == sorted(after.keys() - before.keys())
    assert names(changes.deleted) == sorted(before.keys() - after.keys())
    both = before.keys() & after.keys()
    assert names(changes.replaced) == sorted(name for name in both if before[name][0] != after[name][0])
    assert names(changes.updated) == sorted(
        name for name in both if before[name][0] == after[name][0] and before[name][1] != after[name][1]
    )


def test_a_failing_assertion_of_a_user_reads_well() -> None:
    changes = diff(rehearse(storage()), rehearse(storage(deployment="PERSISTENT_1")))

    assert repr(changes) == "<Changes [<replace aws:fsx/lustreFileSystem:LustreFileSystem scratch: deploymentType>]>"


def test_what_is_only_read_from_now_on_is_deleted_unless_it_is_the_same() -> None:
    first = rehearse(lambda: ec2.PlacementGroup("group", strategy="cluster"))
    (made,) = first.graph.of_type("aws:ec2/placementGroup:PlacementGroup")

    def reading(id_: str) -> Changes:
        return diff(first, rehearse(lambda: ec2.PlacementGroup.get("group", id_), before=first.graph))

    assert names(reading("another").deleted) == ["group"]
    assert not reading(made.id)


@pytest.mark.parametrize(
    ("metadata", "options", "expected"),
    [
        ({"name": "web"}, {}, ["DIFF-004"]),
        ({}, {}, []),
        ({"name": "web"}, {"delete_before_replace": True}, []),
    ],
)
def test_pods_of_a_fixed_name_stop_before_others_start(
    metadata: dict[str, Any], options: dict[str, Any], expected: list[str]
) -> None:
    def web(app: str) -> Program:
        return lambda: kubernetes.apps.v1.Deployment(
            "web",
            metadata=kubernetes.meta.v1.ObjectMetaArgs(**metadata),
            spec={
                "selector": {"match_labels": {"app": app}},
                "template": {
                    "metadata": {"labels": {"app": app}},
                    "spec": {"containers": [{"name": "web", "image": "nginx"}]},
                },
            },
            opts=pulumi.ResourceOptions(**options),
        )

    first = rehearse(web("a"))

    assert [each.code for each in findings_of(diff(first, rehearse(web("b"), before=first.graph)))] == expected
