"""Identities, projects and links of Google Cloud that are right by its documentation and seldom seen."""

from __future__ import annotations

import json

import pulumi
import pulumi_gcp as gcp
import pulumi_random as random


def members_of_every_kind() -> None:
    """<https://cloud.google.com/iam/docs/principal-identifiers>."""
    pool = "principalSet://iam.googleapis.com/projects/123456789012/locations/global/workloadIdentityPools"
    members = [
        "user:a.b+c@example.com",
        "group:ml@example.com",
        "domain:example.com",
        "serviceAccount:123456789012-compute@developer.gserviceaccount.com",
        "serviceAccount:acme-ml-prod.svc.id.goog[team/app]",
        f"{pool}/github/attribute.repository/acme/app",
        f"{pool}/github/*",
        "principal://iam.googleapis.com/projects/123456789012/locations/global/workloadIdentityPools/acme.svc.id.goog/subject/ns/a/sa/b",
        "principalSet://goog/group/ml@example.com",
        "projectOwner:acme-ml-prod",
        "serviceAccount:service-42@gcp-sa-aiplatform.iam.gserviceaccount.com",
    ]
    for n, member in enumerate(members[:7]):
        gcp.projects.IAMMember(f"m{n}", project="acme-ml-prod", role="roles/storage.objectViewer", member=member)
    bucket = gcp.storage.Bucket("b", location="EU", uniform_bucket_level_access=True)
    gcp.storage.BucketIAMBinding("b", bucket=bucket.name, role="roles/storage.legacyBucketReader", members=members[7:])
    gcp.projects.IAMMember(
        "c",
        project="acme-ml-prod",
        role="projects/acme-ml-prod/roles/custom.Role_1",
        member=members[0],
        condition={
            "title": "until",
            "expression": 'request.time < timestamp("2030-01-01T00:00:00Z") && resource.type == "a.b/C"',
        },
    )
    gcp.organizations.IAMMember("o", org_id="123456789", role="organizations/123456789/roles/reader", member=members[1])


def identities_of_another_cloud() -> None:
    """<https://cloud.google.com/iam/docs/workload-identity-federation-with-deployment-pipelines>."""
    pool = gcp.iam.WorkloadIdentityPool("github", workload_identity_pool_id="github-pool")
    gcp.iam.WorkloadIdentityPoolProvider(
        "github",
        workload_identity_pool_id=pool.workload_identity_pool_id,
        workload_identity_pool_provider_id="github-prvdr",
        attribute_mapping={"google.subject": "assertion.sub", "attribute.repository": "assertion.repository"},
        attribute_condition="assertion.repository_owner == 'acme'",
        oidc={"issuer_uri": "https://token.actions.githubusercontent.com"},
    )
    account = gcp.serviceaccount.Account("ci", account_id="ci-1234", create_ignore_already_exists=True)
    gcp.serviceaccount.IAMMember(
        "ci",
        service_account_id=account.name,
        role="roles/iam.workloadIdentityUser",
        member=pool.name.apply(lambda name: f"principalSet://iam.googleapis.com/{name}/attribute.repository/acme/app"),
    )


def policies_out_of_documents() -> None:
    """<https://www.pulumi.com/registry/packages/gcp/api-docs/organizations/getiampolicy/>."""
    policy = gcp.organizations.get_iam_policy(bindings=[{"role": "roles/run.invoker", "members": ["allUsers"]}])
    gcp.cloudrunv2.ServiceIamPolicy("open", location="us-central1", name="web", policy_data=policy.policy_data)
    topic = gcp.pubsub.Topic("t", name="a~b%c+d.e_f-g", message_retention_duration="600s", labels={"k": "", "ä": "ö"})
    gcp.pubsub.TopicIAMPolicy(
        "t",
        topic=topic.name,
        policy_data=json.dumps({"bindings": [{"role": "roles/pubsub.publisher", "members": ["user:a@example.com"]}]}),
    )
    gcp.pubsub.Subscription(
        "t",
        topic=topic.id,
        ack_deadline_seconds=600,
        expiration_policy={"ttl": ""},
        message_retention_duration="604800s",
        retry_policy={"minimum_backoff": "0s", "maximum_backoff": "600s"},
        filter='attributes.kind = "x" AND NOT hasPrefix(attributes.y, "z")',
    )


def projects_and_services() -> None:
    """<https://cloud.google.com/resource-manager/docs/creating-managing-projects>."""
    ending = random.RandomString("ending", length=4, upper=False, special=False)
    folder = gcp.organizations.Folder(
        "team", display_name="Team 1 - a_b", parent="organizations/123456789012", deletion_protection=False
    )
    project = gcp.organizations.Project(
        "p",
        project_id=ending.result.apply(lambda end: f"ml-{end}"),
        name="Machine Learning!",
        folder_id=folder.name,
        billing_account="012345-6789AB-CDEF01",
        auto_create_network=False,
        deletion_policy="DELETE",
    )
    enabled = [
        gcp.projects.Service(
            name, service=f"{name}.googleapis.com", project=project.project_id, disable_on_destroy=False
        )
        for name in ("compute", "container", "storage-component")
    ]
    other = gcp.Provider(
        "other",
        project=project.project_id,
        region="us-east4",
        add_pulumi_attribution_label=False,
        user_project_override=True,
    )
    gcp.compute.Network("n", opts=pulumi.ResourceOptions(provider=other, depends_on=enabled))
    gcp.projects.OrganizationPolicy(
        "no-keys",
        project=project.project_id,
        constraint="iam.disableServiceAccountKeyCreation",
        boolean_policy={"enforced": True},
    )


def a_tunnel_to_another_site() -> None:
    """<https://cloud.google.com/network-connectivity/docs/vpn/how-to/creating-ha-vpn>."""
    network = gcp.compute.Network("vpn", auto_create_subnetworks=False)
    gateway = gcp.compute.HaVpnGateway("vpn", network=network.id, stack_type="IPV4_ONLY")
    peer = gcp.compute.ExternalVpnGateway(
        "peer", redundancy_type="SINGLE_IP_INTERNALLY_REDUNDANT", interfaces=[{"id": 0, "ip_address": "8.8.8.8"}]
    )
    router = gcp.compute.Router("vpn", network=network.id, bgp={"asn": 4200000000})
    for n in range(2):
        tunnel = gcp.compute.VPNTunnel(
            f"t{n}",
            vpn_gateway=gateway.id,
            vpn_gateway_interface=n,
            peer_external_gateway=peer.id,
            peer_external_gateway_interface=0,
            shared_secret="a secret message",
            router=router.id,
            ike_version=2,
        )
        interface = gcp.compute.RouterInterface(
            f"i{n}", router=router.name, ip_range=f"169.254.{n}.1/30", vpn_tunnel=tunnel.name
        )
        gcp.compute.RouterPeer(
            f"p{n}", router=router.name, peer_ip_address=f"169.254.{n}.2", peer_asn=64515, interface=interface.name
        )
