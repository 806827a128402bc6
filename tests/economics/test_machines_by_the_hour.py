"""No resource that starts machines is free: the bill prices its machines, or names them as unpriced."""

from __future__ import annotations

import pytest
from tests.programs import IT, graph_of, urn_of

from penstock.economics import cost

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
    program = {IT: (type_, {})}
    bill = cost.cost_of(graph_of(program))

    assert urn_of(IT, program) in {each.urn for each in (*bill.lines, *bill.unpriced)}
