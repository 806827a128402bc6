"""What pods are to Azure: a managed identity for a Kubernetes service account."""

from __future__ import annotations

import pulumi
from pulumi_azure_native import managedidentity

from penstock.azure.components.handles import ClusterHandle, GroupHandle, IdentityHandle
from penstock.description.block import ComponentSpec

_AUDIENCE = "api://AzureADTokenExchange"


class WorkloadIdentity(pulumi.ComponentResource):
    """The identity of the pods of one service account, NAMESPACE/NAME, of one cluster.

    Azure takes their tokens for its own, without a secret. The service account has the annotation
    azure.workload.identity/client-id with `client` of the handle, and pods have the label azure.workload.identity/use
    with the value true.
    """

    handle: IdentityHandle

    def __init__(
        self,
        name: str,
        spec: ComponentSpec,
        *,
        account: str,
        cluster: ClusterHandle,
        group: GroupHandle,
        opts: pulumi.ResourceOptions | None = None,
    ) -> None:
        super().__init__("penstock:azure:WorkloadIdentity", name, spec.inputs(), opts)
        namespace, _, service_account = account.partition("/")
        identity = managedidentity.UserAssignedIdentity(
            name,
            resource_group_name=group.name,
            location=group.region,
            tags=spec.tags,
            opts=pulumi.ResourceOptions(parent=self),
        )
        trust(
            name,
            f"system:serviceaccount:{namespace}:{service_account}",
            identity=identity,
            credential="cluster",
            issuer=cluster.issuer,
            group=group,
            opts=pulumi.ResourceOptions(parent=self),
        )
        self.handle = IdentityHandle(id=identity.id, principal=identity.principal_id, client=identity.client_id)
        self.register_outputs({"client": identity.client_id})


def trust(
    name: str,
    subject: str,
    *,
    identity: managedidentity.UserAssignedIdentity,
    credential: str,
    issuer: pulumi.Input[str],
    group: GroupHandle,
    opts: pulumi.ResourceOptions,
) -> pulumi.Resource:
    """Let the bearer of a token act as an identity: its issuer signs it, and it has that subject."""
    trusted: pulumi.Resource = managedidentity.FederatedIdentityCredential(
        name,
        resource_group_name=group.name,
        resource_name_=identity.name,
        federated_identity_credential_resource_name=credential,
        issuer=issuer,
        subject=subject,
        audiences=[_AUDIENCE],
        opts=opts,
    )
    return trusted
