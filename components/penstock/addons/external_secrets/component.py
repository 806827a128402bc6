"""External Secrets: secrets of a store outside of the cluster, as Secrets of the namespaces that they are for."""

from __future__ import annotations

from base64 import b64encode
from typing import Any, Final

import pulumi
from pulumi_kubernetes.apiextensions import CustomResource
from pulumi_kubernetes.meta import v1 as meta

from penstock.addons.secrets.block import SecretStoreSpec
from penstock.kubernetes.components.egress_ports import url_ports
from penstock.kubernetes.components.identity_ports import IDENTITY_PORTS
from penstock.kubernetes.components.in_cluster import InCluster, SecretSource
from penstock.kubernetes.components.monitored import to_monitoring
from penstock.kubernetes.components.namespace import Namespace, PortOpening
from penstock.kubernetes.components.release import image, release
from penstock.kubernetes.components.system_nodes import without_accelerators

_CHART: Final = "external-secrets"
_API: Final = "external-secrets.io/v1"
_STORE: Final = "platform"
_KEY: Final = "value"
_WEBHOOK, _METRICS = 10250, 8080
_CONTROL = {"requests": {"cpu": "50m", "memory": "128Mi"}, "limits": {"memory": "512Mi"}}
_READ_AGAIN: Final = "1h"
"""How late a new value comes into the cluster; each reading is a request that stores bill."""


class ExternalSecrets(pulumi.ComponentResource):
    """The operator, one store that only the namespaces of the description may use, and each secret in each of them.

    A Secret appears once somebody has put a value into the store, and stays when the value cannot be read. Nothing of a
    value passes through Pulumi.
    """

    def __init__(
        self, name: str, _spec: None, *, cluster: InCluster, opts: pulumi.ResourceOptions | None = None
    ) -> None:
        """Install it, and deliver the secrets of the platform.

        Raises:
            ValueError: it has none, or nothing says where they are.
        """
        spec = cluster.addons.get(SecretStoreSpec)
        source = cluster.secrets if cluster.secrets is not None or spec is None else _vault(spec)
        if spec is None or source is None:
            raise ValueError("nothing says where the secrets of this platform are")
        super().__init__("penstock:kubernetes:ExternalSecrets", name, spec.inputs(), opts)
        vaults = [] if spec.vault is None else [spec.vault.server]
        namespace = Namespace(
            name,
            namespace=_CHART,
            pod_security="restricted",
            openings=[PortOpening(port=_WEBHOOK), *to_monitoring(cluster, _METRICS)],
            ways_out=[*IDENTITY_PORTS.get(cluster.provider, ()), *url_ports(*vaults)],
            critical_pods=True,
            opts=pulumi.ResourceOptions(parent=self),
        )
        operator = release(
            name,
            _CHART,
            values=_values(cluster, source, asks_for_tokens=spec.vault is not None or bool(source.account)),
            mirrored=cluster.image_mirror is not None,
            opts=pulumi.ResourceOptions(parent=self, depends_on=[namespace]),
        )
        store = CustomResource(
            name,
            _API,
            "ClusterSecretStore",
            metadata=meta.ObjectMetaArgs(name=_STORE),
            spec={"provider": dict(source.provider), "conditions": [{"namespaces": list(spec.delivered_to)}]},
            opts=pulumi.ResourceOptions(parent=self, depends_on=[operator]),
        )
        for home in spec.delivered_to:
            for secret in spec.names:
                CustomResource(
                    # Names of secrets have single hyphens, and a namespace that has two holds nothing after them alone.
                    f"{name}-{home}/{secret}",
                    _API,
                    "ExternalSecret",
                    metadata=meta.ObjectMetaArgs(name=secret, namespace=home),
                    spec=_delivery(secret, source),
                    opts=pulumi.ResourceOptions(parent=self, depends_on=[store]),
                )
        self.register_outputs({})


def _delivery(secret: str, source: SecretSource) -> dict[str, Any]:
    """One secret as a Secret of the same name."""
    return {
        "refreshInterval": _READ_AGAIN,
        "secretStoreRef": {"kind": "ClusterSecretStore", "name": _STORE},
        "target": {"name": secret, "creationPolicy": "Owner", "deletionPolicy": "Retain"},
        "data": [{"secretKey": _KEY, "remoteRef": {"key": source.keys[secret], **source.part}}],
    }


def _values(cluster: InCluster, source: SecretSource, *, asks_for_tokens: bool) -> dict[str, Any]:
    """The values of the chart: no kinds that let others write into the store or into every namespace."""
    twice = cluster.environment == "prod"
    its = {
        "image": {"repository": image(_CHART, cluster.image_mirror)},
        "priorityClassName": "system-cluster-critical",
        "resources": _CONTROL,
        "affinity": without_accelerators(cluster.pools),
    }
    return {
        **its,
        **({"serviceAccount": {"annotations": dict(source.account)}} if source.account else {}),
        "replicaCount": 2 if twice else 1,
        "leaderElect": True,
        "podDisruptionBudget": {"enabled": twice},
        "livenessProbe": {"enabled": True},
        "readinessProbe": {"enabled": True},
        "processClusterExternalSecret": False,
        "processClusterPushSecret": False,
        "processPushSecret": False,
        "processClusterGenerator": False,
        "processSecretStore": False,
        # By these, whoever may edit a namespace could have secrets of the platform delivered there.
        "rbac": {
            "aggregateToEdit": False,
            "aggregateToAdmin": False,
            "serviceAccountTokenCreate": asks_for_tokens,
        },
        "webhook": {**its, "replicaCount": 2 if twice else 1, "podDisruptionBudget": {"enabled": twice}},
        "certController": its,
    }


def _vault(spec: SecretStoreSpec) -> SecretSource | None:
    """Secrets in a Vault that exists; None where the description names none."""
    if spec.vault is None:
        return None
    its = spec.vault
    account = {"name": _CHART, "namespace": _CHART}
    login = {"mountPath": its.login, "role": its.role, "serviceAccountRef": account}
    provider: dict[str, Any] = {"server": its.server, "path": its.path, "version": "v2", "auth": {"kubernetes": login}}
    if its.ca is not None:
        provider["caBundle"] = b64encode(its.ca.encode()).decode()
    return SecretSource(provider={"vault": provider}, keys={name: name for name in spec.names}, part={"property": _KEY})
