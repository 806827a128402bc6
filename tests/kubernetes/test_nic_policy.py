"""What the network operator is told of adapters: by their fabric, devices and driver, whoever describes them."""

from __future__ import annotations

import json
from typing import Any

from penstock.addons.network_operator.nic_policy import RdmaResource, node_feature_rules, policy
from penstock.kubernetes.facts.rdma_software import RdmaSoftware, software_of


def virtual_functions(plugin: Any, **fields: Any) -> RdmaSoftware:
    """InfiniBand in machines of a cloud that has Ethernet adapters of the same maker, too."""
    return RdmaSoftware(
        **{
            "provider": "azure",
            "on": None,
            "fabric": "infiniband",
            "advertiser": "operator",
            "driver": "operator",
            "plugin": plugin,
            "link_type": "infiniband",
            "device_ids": ("101c", "101e"),
            "driver_env": (),
            "unverified": (),
            "source": "a test",
            "as_of": "2026-08",
            **fields,
        }
    )


def test_devices_of_a_cloud_are_told_apart_from_others_of_their_maker() -> None:
    offered = [RdmaResource("rdma/ib", virtual_functions("sriov"))]

    (rule,) = node_feature_rules(offered)["rules"]
    (resource,) = json.loads(policy(offered, str)["sriovDevicePlugin"]["config"])["resourceList"]

    assert rule["matchFeatures"][0]["matchExpressions"]["device"] == {"op": "In", "value": ["101c", "101e"]}
    assert resource["selectors"]["devices"] == ["101c", "101e"]


def test_adapters_may_be_shared_by_many_pods() -> None:
    spec = policy([RdmaResource("rdma/shared_ib", virtual_functions("shared"))], str)

    assert "sriovDevicePlugin" not in spec
    (resource,) = json.loads(spec["rdmaSharedDevicePlugin"]["config"])["configList"]
    assert (resource["resourcePrefix"], resource["resourceName"], resource["rdmaHcaMax"]) == ("rdma", "shared_ib", 63)
    assert resource["selectors"]["deviceIDs"] == ["101c", "101e"]


def test_the_driver_is_installed_only_where_nodes_lack_it() -> None:
    lacking, having = virtual_functions("sriov"), virtual_functions("sriov", driver="node")

    assert "ofedDriver" in policy([RdmaResource("rdma/ib", lacking)], str)
    assert "ofedDriver" not in policy([RdmaResource("rdma/ib", having)], str)


def test_a_new_version_of_the_driver_drains_no_node() -> None:
    driver = policy([RdmaResource("rdma/ib", virtual_functions("sriov"))], str)["ofedDriver"]

    assert driver["upgradePolicy"] == {"autoUpgrade": False}
    assert driver["version"]


def test_the_driver_of_azure_blacklists_modules_where_the_node_reads_them() -> None:
    azure = software_of("azure", None, "infiniband")
    assert azure is not None

    assert policy([RdmaResource("rdma/ib", azure)], str)["ofedDriver"]["env"] == [
        {"name": "OFED_BLACKLIST_MODULES_FILE", "value": "/host/etc/modprobe.d/blacklist-ofed-modules.conf"}
    ]
    assert "env" not in policy([RdmaResource("rdma/ib", virtual_functions("sriov"))], str)["ofedDriver"]
