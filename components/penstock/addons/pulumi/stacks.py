"""Stack objects of the Pulumi Kubernetes Operator."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import pulumi
from pulumi_kubernetes.apiextensions import CustomResource
from pulumi_kubernetes.meta import v1 as meta

from penstock.addons.pulumi.block import DeployedStack, PulumiOperatorSpec
from penstock.kubernetes.components.mirrored import from_mirror
from penstock.kubernetes.facts.workload_images import find_image

DEPLOYER: Final = "deployer"
"""The service account that programs run as."""

_AZURE: Final = "azure.workload.identity/"
_RESOURCES: Final = {"requests": {"cpu": "500m", "memory": "1Gi"}, "limits": {"memory": "4Gi"}}
"""Of a workspace: a provider's plug-in takes hundreds of MiB, and the agent keeps to what is requested."""


def add_stacks(
    name: str,
    spec: PulumiOperatorSpec,
    *,
    namespace: str,
    mirror: pulumi.Input[str] | None,
    opts: pulumi.ResourceOptions,
) -> None:
    """Create the Stack objects of a description in a namespace."""
    image = spec.image or from_mirror(find_image("pulumi").reference, mirror)
    for stack in spec.stacks:
        CustomResource(
            f"{name}--{stack.name}",
            api_version="pulumi.com/v1",
            kind="Stack",
            metadata=meta.ObjectMetaArgs(name=stack.name, namespace=namespace),
            spec={
                "stack": stack.stack,
                **_source(stack),
                "backend": spec.backend,
                **({"secretsProvider": spec.secrets_provider} if spec.secrets_provider is not None else {}),
                **({"envRefs": {"PULUMI_ACCESS_TOKEN": _secret(spec.token_from)}} if spec.token_from else {}),
                "refresh": True,
                # No destroyOnFinalize, whose false the operator removes: what it deployed stays.
                **({"preview": True} if stack.preview else {}),
                "serviceAccountName": DEPLOYER,
                "workspaceReclaimPolicy": "Delete",  # no pod with the cloud's credentials stays between two updates
                "workspaceTemplate": {"spec": _workspace(spec, image)},
            },
            opts=opts,
        )


def _source(stack: DeployedStack) -> dict[str, Any]:
    if stack.repository is None:
        reference = {"apiVersion": "source.toolkit.fluxcd.io/v1", "kind": "GitRepository", "name": stack.flux}
        return {"fluxSource": {"sourceRef": reference, "dir": stack.path}}
    revision = {"commit": stack.commit} if stack.commit is not None else {"branch": stack.branch or "main"}
    return {"projectRepo": stack.repository, **revision, "repoDir": stack.path, **_login(stack)}


def _login(stack: DeployedStack) -> dict[str, Any]:
    if stack.login_from is None:
        return {}
    secret = _secret(stack.login_from)
    by_ssh = (stack.repository or "").startswith("ssh://")
    return {"gitAuth": {"sshAuth": {"sshPrivateKey": secret}} if by_ssh else {"accessToken": secret}}


def _secret(reference: str) -> dict[str, Any]:
    name, _, key = reference.partition("/")
    return {"type": "Secret", "secret": {"name": name, "key": key}}


def _workspace(spec: PulumiOperatorSpec, image: pulumi.Input[str]) -> Mapping[str, Any]:
    by_azure = any(key.startswith(_AZURE) for key in spec.account)
    return {
        "image": image,
        "securityProfile": "restricted",
        "resources": _RESOURCES,
        "podTemplate": {
            **({"metadata": {"labels": {f"{_AZURE}use": "true"}}} if by_azure else {}),
            # Its agent asks the API server who calls. Other pods of the account get no token.
            "spec": {"automountServiceAccountToken": True, "containers": [{"name": "pulumi"}]},
        },
    }
