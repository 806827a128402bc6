"""What the engine hears from a plugin."""

from __future__ import annotations

import json
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from typing import Any

import grpc
import pytest
from google.protobuf.empty_pb2 import Empty
from google.protobuf.struct_pb2 import Struct
from hypothesis import given
from hypothesis import strategies as st
from pulumi.runtime.proto import provider_pb2 as rpc

from penstock.graph.values import UNKNOWN, Secret
from penstock.simulate.engine.plugin import ORDERS_FILE
from penstock.simulate.engine.servicer import Servicer
from penstock.simulate.engine.world import World
from penstock.simulate.wire import from_wire, to_wire

pytestmark = pytest.mark.slow

Served = Callable[..., Any]

VPC = "aws:ec2/vpc:Vpc"
LUSTRE = "aws:fsx/lustreFileSystem:LustreFileSystem"
FILESTORE = "gcp:filestore/instance:Instance"
HIDDEN = "correct horse battery staple"


def urn(type_: str, name: str = "thing") -> str:
    return f"urn:pulumi:dev::project::{type_}::{name}"


def checked(provider: Any, type_: str, **inputs: Any) -> dict[str, str]:
    """The failures of a check: a reason for each property."""
    answer = provider.Check(rpc.CheckRequest(urn=urn(type_), news=to_wire(inputs)))
    assert from_wire(answer.inputs) == inputs
    return {failure.property: failure.reason for failure in answer.failures}


def created(provider: Any, type_: str = VPC, *, name: str = "thing", preview: bool = False, **inputs: Any) -> Any:
    return provider.Create(rpc.CreateRequest(urn=urn(type_, name), properties=to_wire(inputs), preview=preview))


def test_tells_the_version_of_the_installed_sdk(served: Served) -> None:
    assert served("aws").GetPluginInfo(Empty()).version == version("pulumi-aws")
    assert served("random").GetPluginInfo(Empty()).version == version("pulumi-random")


# ---------------------------------------------------------------------- Check


def test_refuses_unknown_missing_and_mistyped_properties_by_path(served: Served) -> None:
    provider = served()

    failures = checked(provider, VPC, cidrBlok="10.0.0.0/16", tags=["a"])
    assert "Did you mean cidrBlock?" in failures["cidrBlok"]
    assert "a map is wanted" in failures["tags"]
    assert "required" in checked(provider, "aws:ec2/subnet:Subnet", cidrBlock="10.0.0.0/24")["vpcId"]


def test_refuses_what_the_rules_of_the_cloud_refuse_with_what_would_be_right(served: Served) -> None:
    lustre = {"deploymentType": "PERSISTENT_2", "perUnitStorageThroughput": 250, "subnetIds": "subnet-1"}

    failures = checked(served(), LUSTRE, **lustre, storageCapacity=5000)

    assert failures["storageCapacity"].startswith("[aws-fsx-capacity-step] ")
    assert "Use 4800 GiB" in failures["storageCapacity"]
    assert not checked(served(), LUSTRE, **lustre, storageCapacity=4800)


def test_never_refuses_for_what_it_cannot_see(served: Served) -> None:
    """A subnet alone tells nothing of its VPC, and what is not known yet may turn out right."""
    assert not checked(served(), "aws:ec2/subnet:Subnet", vpcId="vpc-1", cidrBlock="10.0.0.0/24")
    unknown = {"subnetIds": UNKNOWN, "storageCapacity": UNKNOWN, "perUnitStorageThroughput": UNKNOWN}
    assert not checked(served(), LUSTRE, deploymentType="PERSISTENT_2", **unknown)


def test_takes_types_that_no_sdk_declares(served: Served) -> None:
    assert not checked(served(), "aws:no/such:Type", anything=[1, {"at": "all"}])


def test_messages_never_repeat_a_secret(served: Served) -> None:
    failures = checked(served(), VPC, cidrBlock=Secret([HIDDEN]), tags=Secret(HIDDEN), enableDnsSupport=Secret(HIDDEN))

    assert set(failures) == {"cidrBlock", "tags", "enableDnsSupport"}
    assert HIDDEN not in str(failures)


# ---------------------------------------------------------------------- Diff


def diffed(provider: Any, type_: str, old: dict[str, Any], new: dict[str, Any], **more: Any) -> rpc.DiffResponse:
    request = rpc.DiffRequest(urn=urn(type_), id="vpc-0123", old_inputs=to_wire(old), news=to_wire(new), **more)
    answer: rpc.DiffResponse = provider.Diff(request)
    return answer


def test_a_diff_tells_what_stays_what_changes_in_place_and_what_replaces(served: Served) -> None:
    provider = served()
    old = {"cidrBlock": "10.0.0.0/16", "tags": {"team": "a"}}

    assert diffed(provider, VPC, old, dict(old)).changes == rpc.DiffResponse.DIFF_NONE

    update = diffed(provider, VPC, old, {**old, "tags": {"team": "b"}})
    assert update.changes == rpc.DiffResponse.DIFF_SOME
    assert not update.replaces
    assert list(update.detailedDiff) == ["tags.team"]

    replacement = diffed(provider, VPC, old, {**old, "cidrBlock": "10.1.0.0/16"})
    assert list(replacement.replaces) == ["cidrBlock"]
    assert replacement.detailedDiff["cidrBlock"].kind == rpc.PropertyDiff.UPDATE_REPLACE


def test_a_diff_leaves_out_what_is_to_be_ignored(served: Served) -> None:
    old, new = {"cidrBlock": "10.0.0.0/16"}, {"cidrBlock": "10.1.0.0/16"}

    answer = diffed(served(), VPC, old, new, ignoreChanges=["cidrBlock"])

    assert answer.changes == rpc.DiffResponse.DIFF_NONE


def test_a_resource_in_the_region_of_its_provider_moves_with_that(served: Served) -> None:
    made = created(served(), cidrBlock="10.0.0.0/16")
    moved = served(config={"region": "us-west-2"})

    asked = {"cidrBlock": "10.0.0.0/16"}
    assert list(diffed(moved, VPC, asked, asked, olds=made.properties).replaces) == ["region"]
    own = {**asked, "region": "us-east-1"}
    assert diffed(moved, VPC, own, own, olds=made.properties).changes == rpc.DiffResponse.DIFF_NONE


@pytest.mark.parametrize(
    ("type_", "old", "new", "first"),
    [
        ("aws:iam/role:Role", {"name": "r", "path": "/a/"}, {"name": "r", "path": "/b/"}, True),
        ("aws:iam/role:Role", {"path": "/a/"}, {"path": "/b/"}, False),
        ("aws:iam/role:Role", {"namePrefix": "r", "path": "/a/"}, {"namePrefix": "r", "path": "/b/"}, False),
        ("aws:iam/role:Role", {"name": "r", "description": "a"}, {"name": "r", "description": "b"}, False),
        ("aws:ssm/parameter:Parameter", {"name": "/a", "type": "String"}, {"name": "/b", "type": "String"}, True),
        (
            "kubernetes:core/v1:ConfigMap",
            {"metadata": {"name": "c", "namespace": "n"}, "data": {"a": "1"}},
            {"metadata": {"name": "c", "namespace": "n"}, "data": {"a": "2"}},
            True,
        ),
        ("kubernetes:core/v1:ConfigMap", {"data": {"a": "1"}}, {"data": {"a": "2"}}, False),
        ("kubernetes:core/v1:ConfigMap", {"metadata": {"name": "c"}}, {"metadata": {"name": "d"}}, False),
    ],
)
def test_what_bears_a_name_of_the_programs_own_is_deleted_before_it_is_made_anew(
    served: Served, type_: str, old: dict[str, Any], new: dict[str, Any], first: bool
) -> None:
    assert diffed(served(type_.partition(":")[0]), type_, old, new).deleteBeforeReplace is first


def kubeconfig(server: str, token: str) -> str:
    return json.dumps(
        {
            "current-context": "x",
            "contexts": [{"name": "x", "context": {"cluster": "k", "user": "u"}}],
            "clusters": [{"name": "k", "cluster": {"server": server}}],
            "users": [{"name": "u", "user": {"token": token}}],
        }
    )


@pytest.mark.parametrize(
    ("old", "new", "replaced"),
    [
        (kubeconfig("https://a", "1"), kubeconfig("https://b", "1"), True),
        (kubeconfig("https://a", "1"), kubeconfig("https://a", "2"), False),
        (kubeconfig("https://a", "1"), UNKNOWN, True),
        (Secret(kubeconfig("https://a", "1")), Secret(kubeconfig("https://b", "1")), True),
        ("/home/me/.kube/config", "/home/me/.kube/other", True),
        ("{no: [yaml", "{no: [yaml either", True),
        (None, kubeconfig("https://b", "1"), True),
    ],
)
def test_a_provider_of_another_cluster_is_another_provider(served: Served, old: Any, new: Any, replaced: bool) -> None:
    config = {"enableServerSideApply": "true"}
    request = rpc.DiffRequest(
        old_inputs=to_wire({**config, "kubeconfig": old}), news=to_wire({**config, "kubeconfig": new})
    )

    answer = served("kubernetes").DiffConfig(request)

    assert answer.changes == rpc.DiffResponse.DIFF_SOME
    assert list(answer.diffs) == ["kubeconfig"]
    assert bool(answer.replaces) is replaced


@pytest.mark.parametrize(("before", "after", "replaced"), [("c1", "c1", False), ("c1", "c2", True), (None, "c1", True)])
def test_a_cluster_identifier_decides_alone_whether_it_is_another_cluster(
    served: Served, before: str | None, after: str, replaced: bool
) -> None:
    old = {"kubeconfig": kubeconfig("https://a", "1"), **({"clusterIdentifier": before} if before else {})}
    new = {"kubeconfig": kubeconfig("https://b", "1"), "clusterIdentifier": after}

    answer = served("kubernetes").DiffConfig(rpc.DiffRequest(old_inputs=to_wire(old), news=to_wire(new)))

    assert bool(answer.replaces) is replaced


# ---------------------------------------------------------------------- Create, Read, Update, Delete


def test_a_preview_leaves_unknown_what_the_cloud_will_tell(served: Served, world_file: Path) -> None:
    answer = created(served(), cidrBlock="10.0.0.0/16", preview=True)

    properties = from_wire(answer.properties)
    assert answer.id == ""
    assert properties["arn"] is UNKNOWN
    assert properties["cidrBlock"] == "10.0.0.0/16"
    assert not World(world_file).existing()


def test_a_preview_leaves_unknown_what_the_cloud_will_add_to_an_item_of_a_list(served: Served) -> None:
    networks = [{"network": "default", "modes": ["MODE_IPV4"]}]
    answer = created(served("gcp"), FILESTORE, tier="ZONAL", networks=networks, preview=True)

    (network,) = from_wire(answer.properties)["networks"]
    assert network["ipAddresses"] is UNKNOWN
    assert network["network"] == "default"


def test_a_preview_tells_the_text_of_a_document(served: Served) -> None:
    document = {"Version": "2012-10-17", "Statement": []}
    answer = created(served(), "aws:iam/policy:Policy", policy=document, preview=True)

    assert json.loads(from_wire(answer.properties)["policy"]) == document


def test_what_is_created_stands_with_its_inputs_and_what_the_cloud_tells(served: Served, world_file: Path) -> None:
    answer = created(served(), cidrBlock="10.0.0.0/16")

    properties = from_wire(answer.properties)
    assert answer.id.startswith("vpc-")
    assert properties["arn"].endswith(f"vpc/{answer.id}")
    assert properties["cidrBlock"] == "10.0.0.0/16"
    assert World(world_file).existing() == {(urn(VPC), answer.id)}


def test_whoever_asks_again_after_a_killed_engine_gets_the_same_resource(served: Served, world_file: Path) -> None:
    first, second = created(served()), created(served())

    assert second.id == first.id
    assert World(world_file).existing() == {(urn(VPC), first.id)}
    assert not World(world_file).existing_twice()


def test_a_replacement_is_another_resource(served: Served, world_file: Path) -> None:
    first = created(served())
    World(world_file).settle([(urn(VPC), first.id)])

    second = created(served())

    assert second.id != first.id
    assert World(world_file).existing_twice() == (urn(VPC),)


def test_a_refresh_finds_what_was_made_and_not_what_was_deleted(served: Served) -> None:
    provider = served()
    made = created(provider, cidrBlock="10.0.0.0/16")
    inputs = to_wire({"cidrBlock": "10.0.0.0/16"})
    request = rpc.ReadRequest(urn=urn(VPC), id=made.id, properties=made.properties, inputs=inputs)

    found = provider.Read(request)
    assert (found.id, found.properties, found.inputs) == (made.id, made.properties, inputs)

    provider.Delete(rpc.DeleteRequest(urn=urn(VPC), id=made.id, properties=made.properties, old_inputs=inputs))
    assert provider.Read(request).id == ""


def test_a_look_up_by_id_is_answered_and_can_be_imported(served: Served) -> None:
    provider = served()

    found = provider.Read(rpc.ReadRequest(urn=urn(VPC), id="vpc-0123"))

    assert found.id == "vpc-0123"
    assert from_wire(found.properties)["arn"].endswith("vpc/vpc-0123")
    assert diffed(provider, VPC, {}, {"cidrBlock": "10.0.0.0/16"}).changes == rpc.DiffResponse.DIFF_NONE


def test_an_update_keeps_what_the_cloud_chose(served: Served) -> None:
    provider = served()
    made = created(provider, cidrBlock="10.0.0.0/16")
    news = to_wire({"cidrBlock": "10.0.0.0/16", "tags": {"team": "b"}})

    answer = provider.Update(
        rpc.UpdateRequest(
            urn=urn(VPC),
            id=made.id,
            olds=made.properties,
            news=news,
            old_inputs=to_wire({"cidrBlock": "10.0.0.0/16"}),
        )
    )

    before, after = from_wire(made.properties), from_wire(answer.properties)
    assert after["tags"] == {"team": "b"}
    assert after["arn"] == before["arn"]


# ---------------------------------------------------------------------- secrets and unknown values

plain = st.text(max_size=8) | st.integers(-1000, 1000) | st.booleans() | st.just(UNKNOWN)
values = st.recursive(
    plain | plain.filter(lambda value: value is not UNKNOWN).map(Secret),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text("abc", min_size=1), inner, max_size=3),
    max_leaves=8,
)


@given(tags=values)
def test_what_is_given_comes_back_as_it_was_with_its_secrets(
    tmp_path_factory: pytest.TempPathFactory, tags: Any
) -> None:
    """In every position: at the top, in a list, in an object, as a whole."""
    world = World(tmp_path_factory.mktemp("world") / "world.jsonl")
    servicer: Any = Servicer("aws", world, {}, judges=True, engine=0)

    for preview in (True, False):
        request = rpc.CreateRequest(urn=urn(VPC), properties=to_wire({"tags": tags}), preview=preview)
        assert from_wire(servicer.Create(request, None).properties)["tags"] == tags


def test_no_property_is_written_to_the_file_of_the_cloud(served: Served, world_file: Path) -> None:
    provider = served()
    made = created(provider, "aws:secretsmanager/secretVersion:SecretVersion", secretString=Secret(HIDDEN))
    created(provider, name="vpc", tags={"in": [Secret(HIDDEN), HIDDEN]})

    assert from_wire(made.properties)["secretString"] == Secret(HIDDEN)
    assert HIDDEN not in world_file.read_text(encoding="utf-8")


@given(
    type_=st.sampled_from([VPC, LUSTRE, "aws:eks/nodeGroup:NodeGroup", "aws:no/such:Type"]),
    inputs=st.dictionaries(st.sampled_from(["cidrBlock", "tags", "storageCapacity", "scalingConfig", "x"]), values),
)
def test_whatever_is_asked_a_check_answers(
    tmp_path_factory: pytest.TempPathFactory, type_: str, inputs: dict[str, Any]
) -> None:
    servicer: Any = Servicer("aws", World(tmp_path_factory.mktemp("world") / "w"), {}, judges=True, engine=0)

    answer = servicer.Check(rpc.CheckRequest(urn=urn(type_), news=to_wire(inputs)), None)

    assert from_wire(answer.inputs) == inputs


# ---------------------------------------------------------------------- functions, components, failures


def test_functions_are_answered_though_no_program_has_imported_them(served: Served) -> None:
    provider = served()

    def invoked(token: str, **arguments: Any) -> dict[str, Any]:
        answer = provider.Invoke(rpc.InvokeRequest(tok=token, args=to_wire(arguments)))
        return from_wire(getattr(answer, "return"))

    assert invoked("aws:index/getCallerIdentity:getCallerIdentity")["accountId"]
    assert invoked("aws:ec2/getSubnet:getSubnet", id="subnet-1")["vpcId"]
    assert invoked("aws:no/such:function", given=1) == {"given": 1}


@pytest.mark.parametrize(
    ("method", "request_"),
    [
        ("Call", rpc.CallRequest(tok="eks:index:Cluster/getKubeconfig")),
        ("Construct", rpc.ConstructRequest(type="eks:index:Cluster", name="cluster")),
    ],
)
def test_packaged_components_are_refused_in_words(served: Served, method: str, request_: Any) -> None:
    with pytest.raises(grpc.RpcError) as refused:
        getattr(served("eks"), method)(request_)

    status: Any = refused.value
    assert status.code() is grpc.StatusCode.UNIMPLEMENTED
    assert "eks:index:Cluster" in status.details()
    assert "not rehearsed" in status.details()


def test_a_failure_is_reported_in_words_without_values(served: Served) -> None:
    provider = served(config={"region": "us-east-1", "allowedAccountIds": HIDDEN})  # a list as JSON is wanted

    with pytest.raises(grpc.RpcError) as failed:
        created(provider)

    status: Any = failed.value
    assert urn(VPC) in status.details()
    assert "Traceback" not in status.details()
    assert HIDDEN not in status.details()


def test_large_requests_pass(served: Served) -> None:
    user_data = "x" * 8 * 1024 * 1024

    made = created(served(), "aws:ec2/instance:Instance", userData=user_data)

    assert from_wire(made.properties)["userData"] == user_data


# ---------------------------------------------------------------------- faults


def test_a_fault_refuses_in_the_words_of_the_cloud_and_nothing_stands(served: Served, world_file: Path) -> None:
    group = "aws:eks/nodeGroup:NodeGroup"

    with pytest.raises(grpc.RpcError) as refused:
        created(
            served(faults={f"no_capacity:{urn(group)}": "No p5.48xlarge here"}), group, scalingConfig={"desiredSize": 1}
        )

    status: Any = refused.value
    assert status.details() == "No p5.48xlarge here"
    assert not World(world_file).existing()


def test_a_provider_asks_again_where_it_is_throttled(served: Served) -> None:
    assert created(served(faults={f"throttling:{urn(VPC)}": "Slower"})).id


def test_a_crash_kills_the_engine_after_the_cloud_has_acted(served: Served, world_file: Path) -> None:
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as engine:
        made = created(served(faults={f"crash:{urn(VPC)}": ""}, engine=engine.pid))

        assert engine.wait() == -signal.SIGKILL
    assert World(world_file).was_killed()
    assert World(world_file).existing() == {(urn(VPC), made.id)}


# ---------------------------------------------------------------------- the process

PARENT = """
import subprocess, sys
command = [sys.executable, "-P", "-m", "penstock.simulate.engine.plugin", "random", sys.argv[1]]
with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as plugin:
    print(plugin.stdout.readline(), flush=True)
    input()
"""


def test_a_plugin_tells_its_port_and_ends_when_the_engine_is_gone(tmp_path: Path) -> None:
    (tmp_path / ORDERS_FILE).write_text('{"faults": {}, "judges": true}', encoding="utf-8")
    with subprocess.Popen(
        [sys.executable, "-c", PARENT, str(tmp_path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as engine:
        assert engine.stdout is not None
        port = int(engine.stdout.readline())
        socket.create_connection(("127.0.0.1", port)).close()
        engine.kill()

    while _listens(port):  # until the test's own time is over
        time.sleep(0.1)


def _listens(port: int) -> bool:
    try:
        socket.create_connection(("127.0.0.1", port)).close()
    except ConnectionRefusedError:
        return False
    return True


def test_two_plugins_share_one_cloud(tmp_path: Path) -> None:
    file = tmp_path / "world.jsonl"
    plugins: list[Any] = [Servicer("aws", World(file), {}, judges=True, engine=0) for _ in range(2)]
    for servicer, name in zip(plugins, ("one", "two"), strict=True):
        servicer.Create(rpc.CreateRequest(urn=urn(VPC, name), properties=Struct()), None)

    assert {where for where, _ in World(file).existing()} == {urn(VPC, "one"), urn(VPC, "two")}
