"""What the machine in the network promises: reached by IAP and nobody else, and by those who are named."""

from __future__ import annotations

from typing import Any

from tests.gcphandles import KEY, NETWORK, PROJECT, key_for, project_with

from penstock.description.block import ComponentSpec
from penstock.gcp.components.runner import Runner
from penstock.graph.graph import Graph
from penstock.testing import rehearse

INSTANCE = "gcp:compute/instance:Instance"
FIREWALL = "gcp:compute/firewall:Firewall"
ADMIN = "group:ml-platform@example.com"


def make(**words: Any) -> Runner:
    usual: dict[str, Any] = {"project": PROJECT, "key": KEY, "zone": "us-central1-a", "members": (ADMIN,)}
    return Runner("runner", ComponentSpec(tags={"owner": "ml"}), network=NETWORK, **(usual | words))


def built(**words: Any) -> Graph:
    return rehearse(lambda: make(**words)).graph


def test_it_has_no_public_address_and_takes_no_key_of_the_project() -> None:
    (machine,) = built().of_type(INSTANCE)
    (interface,) = machine.inputs["networkInterfaces"]

    assert "accessConfigs" not in interface
    assert machine.inputs["metadata"] == {"enable-oslogin": "TRUE", "block-project-ssh-keys": "TRUE"}
    assert machine.inputs["shieldedInstanceConfig"]["enableSecureBoot"] is True
    assert "serviceAccount" not in machine.inputs
    assert machine.inputs["bootDisk"]["kmsKeySelfLink"] == KEY.id


def test_only_the_proxy_of_google_reaches_it_and_no_other_machine() -> None:
    graph = built()
    (rule,), (machine,) = graph.of_type(FIREWALL), graph.of_type(INSTANCE)

    assert rule.inputs["sourceRanges"] == ["35.235.240.0/20"]
    assert rule.inputs["allows"] == [{"protocol": "tcp", "ports": ["22"]}]
    assert rule.inputs["targetTags"] == machine.inputs["tags"]


def test_a_network_of_others_gets_no_rule() -> None:
    assert not built(opens_firewall=False).of_type(FIREWALL)


def test_members_may_open_the_tunnel_to_it_and_to_no_other_machine() -> None:
    graph = built()
    (machine,) = graph.of_type(INSTANCE)
    (tunnel,) = graph.of_type("gcp:iap/tunnelInstanceIAMMember:TunnelInstanceIAMMember")
    roles = {one.inputs["role"] for one in graph.of_type("gcp:compute/instanceIAMMember:InstanceIAMMember")}

    assert tunnel.inputs["member"] == ADMIN
    assert tunnel.inputs["instance"] == machine.outputs["name"]
    assert roles == {"roles/compute.osLogin", "roles/compute.viewer"}


def test_it_waits_for_its_api_and_for_its_key() -> None:
    graph = rehearse(lambda: make(project=project_with("compute"), key=key_for("compute"))).graph
    (machine,) = graph.of_type(INSTANCE)
    waits_for = {graph[urn].name for urn in machine.dependencies}

    assert {"api", "grant"} <= waits_for


def test_the_command_opens_a_proxy_to_it() -> None:
    seen: list[str] = []
    rehearse(lambda: make().tunnel.apply(seen.append))

    assert seen[0].startswith("gcloud compute ssh runner-")
    assert seen[0].endswith("--project=my-ai-project --zone=us-central1-a --tunnel-through-iap -- -N -D 1080")
