"""What an update in place does to machines of Azure: by the upgrade settings of a pool, and by its cluster."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from pulumi_azure_native import compute, containerservice

from penstock.changes.diff import diff
from penstock.changes.machines import MachineChange, machine_changes
from penstock.simulate.run import rehearse

pytestmark = pytest.mark.slow

Program = Callable[[], object]
NET = "/subscriptions/00000000-0000-0000-0000-000000000000/resourceGroups/g/providers/Microsoft.Network"


def pool(*, nodes: int = 16, **fields: Any) -> Program:
    given: dict[str, Any] = {"vm_size": "Standard_ND96isr_H100_v5", "mode": "User", "count": nodes} | fields

    return lambda: containerservice.AgentPool(
        "train", resource_group_name="g", resource_name_="shared", agent_pool_name="train", **given
    )


def cluster(*, system: dict[str, Any] | None = None, **fields: Any) -> Program:
    first = {"name": "system", "mode": "System", "count": 3, "vm_size": "Standard_D8ds_v5"} | (system or {})

    def program() -> None:
        shared = containerservice.ManagedCluster(
            "shared",
            resource_group_name="g",
            dns_prefix="shared",
            identity={"type": "SystemAssigned"},
            agent_pool_profiles=[first],
            **fields,
        )
        containerservice.AgentPool(
            "train",
            resource_group_name="g",
            resource_name_=shared.name,
            agent_pool_name="train",
            vm_size="Standard_ND96isr_H100_v5",
            count=16,
            mode="User",
        )

    return program


def scale_set(image: str, mode: str, **policy: Any) -> Program:
    subnet = {"id": f"{NET}/virtualNetworks/n/subnets/a"}
    network = {
        "network_interface_configurations": [
            {"name": "a", "primary": True, "ip_configurations": [{"name": "a", "subnet": subnet}]}
        ]
    }
    profile: Any = {
        "storage_profile": {
            "image_reference": {"publisher": "canonical", "offer": image, "sku": "server", "version": "latest"}
        },
        "network_profile": network,
    }
    return lambda: compute.VirtualMachineScaleSet(
        "workers",
        resource_group_name="g",
        sku={"name": "Standard_D8ds_v5", "capacity": 10},
        orchestration_mode="Uniform",
        upgrade_policy={"mode": mode, **policy},
        virtual_machine_profile=profile,
    )


def touched(before: Program, after: Program) -> dict[str, MachineChange]:
    old = rehearse(before).graph
    return {each.effect.pool: each.effect for each in machine_changes(diff(old, rehearse(after, before=old)))}


@pytest.mark.parametrize(
    ("settings", "waves", "at_once", "surge"),
    [
        (None, 8, 2, 2),  # a tenth of 16 is two, rounded up
        ({"max_surge": "1"}, 16, 1, 1),
        ({"max_surge": "50%"}, 2, 8, 8),
        ({"max_surge": "0", "max_unavailable": "100%"}, 1, 16, 0),
        ({"max_surge": "0", "max_unavailable": "3"}, 6, 3, 0),
    ],
)
def test_a_pool_is_upgraded_in_the_waves_of_its_settings(
    settings: dict[str, str] | None, waves: int, at_once: int, surge: int
) -> None:
    same: dict[str, Any] = {"upgrade_settings": settings}
    effect = touched(pool(orchestrator_version="1.34", **same), pool(orchestrator_version="1.35", **same))["train"]

    assert (effect.replaced, effect.waves, effect.at_once, effect.surge) == (16, waves, at_once, surge)
    assert effect.why == ("orchestratorVersion",)


def test_time_that_a_node_rests_is_waited_for_in_every_wave() -> None:
    def took(**settings: Any) -> float:
        same: dict[str, Any] = {"upgrade_settings": {"max_surge": "4", **settings}}
        effect = touched(pool(orchestrator_version="1.34", **same), pool(orchestrator_version="1.35", **same))["train"]
        assert effect.minutes is not None
        return effect.minutes

    assert took(node_soak_duration_in_minutes=5) - took() == pytest.approx(4 * 5)


def test_labels_taints_and_settings_leave_running_machines_alone() -> None:
    after = pool(node_labels={"a": "b"}, node_taints=["a=b:NoSchedule"], upgrade_settings={"max_surge": "1"})

    assert not touched(pool(), after)["train"].is_felt
    assert "evicted" in touched(pool(), pool(node_taints=["a=b:NoExecute"]))["train"].job


def test_a_size_that_is_set_is_taken_and_bounds_move_only_what_is_beyond_them() -> None:
    assert touched(pool(), pool(nodes=12))["train"].removed == 4
    assert touched(pool(), pool(nodes=20))["train"].added == 4

    scaled: dict[str, Any] = {"enable_auto_scaling": True, "min_count": 0}
    effect = touched(pool(nodes=4, max_count=16, **scaled), pool(nodes=4, max_count=8, **scaled))["train"]
    assert (effect.removed, effect.removed_most) == (0, 8)


def test_another_proxy_reaches_the_nodes_of_pools_beside_the_cluster() -> None:
    proxy = {"https_proxy": "http://proxy.example.com:3128"}
    found = touched(cluster(), cluster(http_proxy_config=proxy))

    assert found["train"].replaced == 16


def test_a_version_of_the_cluster_leaves_nodes_that_name_their_own_or_none() -> None:
    found = touched(cluster(kubernetes_version="1.34"), cluster(kubernetes_version="1.35"))

    assert not any(effect.is_felt for effect in found.values())


def test_a_version_of_a_pool_in_the_cluster_upgrades_that_pool() -> None:
    found = touched(
        cluster(kubernetes_version="1.35", system={"orchestrator_version": "1.34"}),
        cluster(kubernetes_version="1.35", system={"orchestrator_version": "1.35"}),
    )

    assert {name: effect.replaced for name, effect in found.items() if effect.is_felt} == {"shared/system": 3}


def test_a_channel_of_upgrades_replaces_nodes_later() -> None:
    found = touched(
        cluster(auto_upgrade_profile={"upgrade_channel": "none"}),
        cluster(auto_upgrade_profile={"upgrade_channel": "stable"}),
    )

    assert found["train"].replaced == 0
    assert "maintenance window" in found["train"].job


@pytest.mark.parametrize(
    ("mode", "policy", "waves"),
    [
        ("Automatic", {}, 1),
        ("Rolling", {}, 5),
        ("Rolling", {"rolling_upgrade_policy": {"max_batch_instance_percent": 50}}, 2),
        ("Manual", {}, 0),
    ],
)
def test_a_scale_set_follows_its_model_by_its_policy(mode: str, policy: dict[str, Any], waves: int) -> None:
    effect = touched(scale_set("ubuntu-24_04-lts", mode, **policy), scale_set("ubuntu-26_04-lts", mode, **policy))

    assert effect["workers"].waves == waves
    assert effect["workers"].replaced == (10 if waves else 0)
