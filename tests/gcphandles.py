"""A project, a network, a cluster and a key of Google Cloud, as a program that brings its own would hand them over."""

from __future__ import annotations

from dataclasses import replace

from pulumi_gcp import kms, projects, servicenetworking

from penstock.gcp.components.handles import ClusterHandle, KeyHandle, NetworkHandle, ProjectHandle

PROJECT = ProjectHandle(id="my-ai-project", number="123456789012")
NETWORK = NetworkHandle(
    id="projects/my-ai-project/global/networks/main",
    subnetwork="projects/my-ai-project/regions/us-central1/subnetworks/main",
    region="us-central1",
    nodes_cidr="10.0.0.0/19",
    pods_range="pods",
    services_range="services",
)
CLUSTER = ClusterHandle(
    name="main",
    location="us-central1",
    endpoint="10.0.0.2",
    certificate_authority="LS0tLS1CRUdJTi0tLS0t",
    node_account="nodes@my-ai-project.iam.gserviceaccount.com",
)
KEY = KeyHandle(id="projects/my-ai-project/locations/us-central1/keyRings/main/cryptoKeys/data")

TRAINER = (
    "principal://iam.googleapis.com/projects/123456789012/locations/global/workloadIdentityPools/"
    "my-ai-project.svc.id.goog/subject/ns/research/sa/trainer"
)
"""The pods of research/trainer, in clusters of the project."""


def project_with(api: str) -> ProjectHandle:
    """The project, one API of which this program turns on: the resource `api`."""
    service = projects.Service("api", project=PROJECT.id, service=f"{api}.googleapis.com", disable_on_destroy=False)
    return replace(PROJECT, apis={api: service})


def network_with_peering() -> NetworkHandle:
    """The network, which this program peers with Google's services: the resource `peering`."""
    connection = servicenetworking.Connection(
        "peering", network=NETWORK.id, service="servicenetworking.googleapis.com", reserved_peering_ranges=["services"]
    )
    return replace(NETWORK, private_services=(connection,))


def key_for(service: str) -> KeyHandle:
    """The key, which this program lets one service use: the resource `grant`."""
    grant = kms.CryptoKeyIAMMember(
        "grant",
        crypto_key_id=KEY.id,
        role="roles/cloudkms.cryptoKeyEncrypterDecrypter",
        member="serviceAccount:agent@example.iam.gserviceaccount.com",
    )
    return replace(KEY, grants={service: grant})
