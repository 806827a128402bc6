"""No resource that starts machines is free: the bill prices its machines, or names them as unpriced."""

from __future__ import annotations

from typing import Any

import pytest
from tests.model.pools import readings
from tests.model.pools.kinds import PROVIDERS, ZONE, Kind
from tests.programs import IT, Program, Ref, graph_of, urn_of

from penstock import cost
from penstock.aws.types import AUTOSCALING_GROUP, EC2_CAPACITY_RESERVATION, EC2_FLEET, EC2_INSTANCE, EC2_LAUNCH_TEMPLATE
from penstock.gcp.types import COMPUTE_INSTANCE

BY_THE_HOUR = (
    "aws:codebuild/fleet:Fleet",
    "aws:dax/cluster:Cluster",
    "aws:docdb/clusterInstance:ClusterInstance",
    "aws:ec2/dedicatedHost:DedicatedHost",
    "aws:ecs/service:Service",
    "aws:ecs/taskSet:TaskSet",
    "aws:eks/fargateProfile:FargateProfile",
    "aws:elasticache/cluster:Cluster",
    "aws:elasticache/replicationGroup:ReplicationGroup",
    "aws:elasticbeanstalk/environment:Environment",
    "aws:elasticsearch/domain:Domain",
    "aws:emr/cluster:Cluster",
    "aws:emr/instanceFleet:InstanceFleet",
    "aws:emr/instanceGroup:InstanceGroup",
    "aws:emrserverless/application:Application",
    "aws:gamelift/fleet:Fleet",
    "aws:glue/devEndpoint:DevEndpoint",
    "aws:glue/job:Job",
    "aws:lightsail/instance:Instance",
    "aws:memorydb/cluster:Cluster",
    "aws:mq/broker:Broker",
    "aws:msk/cluster:Cluster",
    "aws:mwaa/environment:Environment",
    "aws:neptune/clusterInstance:ClusterInstance",
    "aws:opensearch/domain:Domain",
    "aws:rds/clusterInstance:ClusterInstance",
    "aws:rds/instance:Instance",
    "aws:redshift/cluster:Cluster",
    "aws:sagemaker/app:App",
    "aws:sagemaker/space:Space",
    "aws:workspaces/workspace:Workspace",
    "azure-native:azurefleet:Fleet",
    "azure-native:compute:CapacityReservation",
    "azure-native:compute:DedicatedHost",
    "azure-native:containerinstance:ContainerGroup",
    "azure-native:databricks:Workspace",
    "azure-native:hdinsight:Cluster",
    "azure-native:kusto:Cluster",
    "azure-native:redhatopenshift:OpenShiftCluster",
    "azure-native:synapse:BigDataPool",
    "azure-native:web:AppServicePlan",
    "gcp:alloydb/instance:Instance",
    "gcp:bigtable/instance:Instance",
    "gcp:cloudrunv2/job:Job",
    "gcp:cloudrunv2/workerPool:WorkerPool",
    "gcp:composer/environment:Environment",
    "gcp:compute/instanceFromMachineImage:InstanceFromMachineImage",
    "gcp:compute/nodeGroup:NodeGroup",
    "gcp:compute/regionResizeRequest:RegionResizeRequest",
    "gcp:compute/resizeRequest:ResizeRequest",
    "gcp:dataflow/flexTemplateJob:FlexTemplateJob",
    "gcp:dataflow/job:Job",
    "gcp:dataproc/cluster:Cluster",
    "gcp:hypercomputecluster/cluster:Cluster",
    "gcp:workstations/workstation:Workstation",
    "kubernetes:karpenter.sh/v1alpha5:Provisioner",
)


@pytest.mark.parametrize("type_", BY_THE_HOUR)
def test_what_starts_machines_is_priced_or_named(type_: str) -> None:
    program: Program = {IT: (type_, {})}
    bill = cost.cost_of(graph_of(program))

    named = {*(line.urn for line in bill.lines), *(each.urn for each in bill.unpriced)}
    assert urn_of(IT, program) in named


_TEMPLATE = {"lt": (EC2_LAUNCH_TEMPLATE, {"instanceType": "p4d.24xlarge"})}
_ON_DEMAND, _SPOT = (readings.quota_of("p4d.24xlarge", "aws", way) for way in ("on_demand", "spot"))


def _group(**inputs: Any) -> Kind:
    spread = inputs.pop("spread", None)
    launch = {"launchTemplateSpecification": {"launchTemplateId": Ref("lt")}}
    mixed = {"launchTemplate": launch, **({"instancesDistribution": spread} if spread else {})}
    group = {"mixedInstancesPolicy": mixed, "minSize": 0, "maxSize": 10, "desiredCapacity": 4, **inputs}
    return Kind("group", {**_TEMPLATE, IT: (AUTOSCALING_GROUP, group)}, 4, 10, 8, "aws")


def _fleet(**target: Any) -> Kind:
    launch = {"launchTemplateSpecification": {"launchTemplateId": Ref("lt"), "version": "$Latest"}}
    fleet = {"launchTemplateConfigs": [launch], "targetCapacitySpecification": target}
    return Kind("fleet", {**_TEMPLATE, IT: (EC2_FLEET, fleet)}, 5, 5, 8, "aws")


MIXES = [
    (_group(spread={"onDemandBaseCapacity": 1, "onDemandPercentageAboveBaseCapacity": 0}), (1, 3), (1, 9)),
    (_group(spread={"onDemandBaseCapacity": 2, "onDemandPercentageAboveBaseCapacity": 25}), (3, 1), (4, 6)),
    (_fleet(defaultTargetCapacityType="spot", totalTargetCapacity=5, onDemandTargetCapacity=2), (2, 3), (2, 3)),
    (_fleet(defaultTargetCapacityType="on-demand", totalTargetCapacity=5, spotTargetCapacity=1), (4, 1), (4, 1)),
]


@pytest.mark.parametrize(("kind", "start", "most"), MIXES)
def test_each_part_of_a_mix_has_its_price_and_its_quota(
    kind: Kind, start: tuple[int, int], most: tuple[int, int]
) -> None:
    view = kind.view()
    graph = view.site.graph

    assert sorted(readings.bill(view)) == sorted(
        [f"{start[0]} × p4d.24xlarge, on demand", f"{start[1]} × p4d.24xlarge, spot"]
    )
    assert readings.quota_counts(graph, "aws", *_ON_DEMAND) == most[0]
    assert readings.quota_counts(graph, "aws", *_SPOT) == most[1]


@pytest.mark.parametrize(
    ("percentage", "way"),
    [(0, "spot"), (100, "on demand")],
)
def test_a_group_that_buys_in_one_way_has_one_price(percentage: int, way: str) -> None:
    group = _group(spread={"onDemandBaseCapacity": 0, "onDemandPercentageAboveBaseCapacity": percentage})

    assert readings.bill(group.view()) == [f"4 × p4d.24xlarge, {way}"]


def test_a_warm_pool_is_named() -> None:
    bill = readings.bill(_group(warmPool={"poolState": "Running", "minSize": 2}).view())

    assert bill == ["4 × p4d.24xlarge, on demand", "warm pool, Running: its machines are not counted"]


def test_a_machine_that_is_stopped_is_not_billed_as_running() -> None:
    stopped = {"machineType": "a2-highgpu-8g", "zone": ZONE, "desiredStatus": "TERMINATED"}
    kind = Kind("stopped", {IT: (COMPUTE_INSTANCE, stopped)}, 0, 1, 8, "gcp")

    assert readings.bill(kind.view()) == ["0 × a2-highgpu-8g, on demand"]


def _reserved(instances: int, **held: Any) -> Program:
    place = {"instanceType": "p5.48xlarge", "availabilityZone": "us-east-1a"}
    reservation = {**place, "instancePlatform": "Linux/UNIX", "instanceCount": 2, **held}
    return {
        **PROVIDERS,
        "held": (EC2_CAPACITY_RESERVATION, reservation),
        **{f"machine-{index}": (EC2_INSTANCE, place) for index in range(instances)},
    }


@pytest.mark.parametrize(
    ("instances", "held", "beyond"),
    [
        (2, {}, 0),
        (3, {}, 1),
        (2, {"instanceMatchCriteria": "targeted"}, 2),
        (2, {"availabilityZone": "us-east-1b"}, 2),
        (2, {"instanceType": "p4d.24xlarge"}, 2),
    ],
)
def test_an_open_reservation_and_its_machines_count_once(instances: int, held: dict[str, Any], beyond: int) -> None:
    graph = graph_of(_reserved(instances, **held))
    bill = [line.what for line in cost.cost_of(graph).lines]

    assert bill.count("1 × p5.48xlarge, on demand") == beyond
    if "instanceType" not in held:
        assert readings.quota_counts(graph, "aws", *readings.quota_of("p5.48xlarge", "aws")) == 2 + beyond


def test_a_machine_that_wants_no_reservation_is_billed_beside_it() -> None:
    program = _reserved(1)
    type_, inputs = program["machine-0"]
    alone = {"capacityReservationSpecification": {"capacityReservationPreference": "none"}}
    bill = cost.cost_of(graph_of({**program, "machine-0": (type_, {**inputs, **alone})}))

    assert "1 × p5.48xlarge, on demand" in [line.what for line in bill.lines]
