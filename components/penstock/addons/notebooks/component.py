"""JupyterHub: notebooks for people of the platform."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pulumi

from penstock.addons.notebooks.block import NotebookIngress, NotebooksSpec
from penstock.addons.notebooks.profiles import PLAIN, profiles
from penstock.kubernetes.components.in_cluster import InCluster, device_quota
from penstock.kubernetes.components.mirrored import from_mirror
from penstock.kubernetes.components.namespace import Namespace, PortOpening
from penstock.kubernetes.components.release import image, release
from penstock.kubernetes.components.system_nodes import without_accelerators

_CHART = "jupyterhub"
_PROXY = 8000
_PROXY_IMAGE = "quay.io/jupyterhub/configurable-http-proxy"
_SERVER_IMAGE = "quay.io/jupyterhub/k8s-singleuser-sample"

_EVERY_S = 600
_CONTROL = {"requests": {"cpu": "200m", "memory": "512Mi"}, "limits": {"cpu": "2", "memory": "1Gi"}}


class Notebooks(pulumi.ComponentResource):
    """A hub, its proxy, and a server with a home of its own for each person who logs in.

    Servers reach the hub and the internet, but neither each other nor the cloud's metadata. They run on plain nodes
    unless a person chooses a profile with an accelerator, and stop when they are idle. Homes stay.
    """

    offers: Mapping[str, pulumi.Input[object]]

    def __init__(
        self, name: str, spec: NotebooksSpec, *, cluster: InCluster, opts: pulumi.ResourceOptions | None = None
    ) -> None:
        """Install it."""
        super().__init__("penstock:kubernetes:Notebooks", name, None, opts)
        namespace = Namespace(
            name,
            namespace=_CHART,
            pod_security="baseline",
            # The chart's own policies open what its parts need of each other.
            among_pods=False,
            quota=device_quota(cluster.open_pools),
            openings=[PortOpening(port=_PROXY, pods={"app": _CHART, "component": "proxy"})] if spec.ingress else [],
            opts=pulumi.ResourceOptions(parent=self),
        )
        release(
            name,
            _CHART,
            values=_values(spec, cluster),
            mirrored=cluster.image_mirror is not None,
            opts=pulumi.ResourceOptions(parent=self, depends_on=[namespace]),
        )
        self.offers = {"namespace": namespace.name, "url": _url(spec.ingress)}
        self.register_outputs({})


def _values(spec: NotebooksSpec, cluster: InCluster) -> dict[str, Any]:
    block_class = cluster.profile.block_class if cluster.profile is not None else None
    affinity = without_accelerators(cluster.pools)
    wishes = [wish for each in affinity.values() for wish in each["preferredDuringSchedulingIgnoredDuringExecution"]]
    placed = {"extraPodSpec": {"affinity": affinity}} if affinity else {}
    return {
        "hub": {
            "image": {"name": image(_CHART, cluster.image_mirror)},
            "config": _login(spec),
            "extraEnv": {"OAUTH_CLIENT_SECRET": {"valueFrom": {"secretKeyRef": _secret(spec.login.client_from)}}},
            "db": {"pvc": {"storageClassName": block_class}},
            "resources": _CONTROL,
            **placed,
        },
        "proxy": {
            # The chart would open the hub to the internet, without TLS.
            "service": {"type": "ClusterIP"},
            "chp": {
                "image": {"name": from_mirror(_PROXY_IMAGE, cluster.image_mirror)},
                "resources": _CONTROL,
                # Open to every pod of the cluster by the chart; the namespace opens it where something leads in.
                "networkPolicy": {"allowedIngressPorts": []},
                **placed,
            },
        },
        "singleuser": {
            "image": {"name": from_mirror(_SERVER_IMAGE, cluster.image_mirror)},
            "storage": {"capacity": f"{spec.home_gib}Gi", "dynamic": {"storageClass": block_class}},
            "cpu": {"guarantee": PLAIN["cpu_guarantee"], "limit": PLAIN["cpu_limit"]},
            "memory": {"guarantee": PLAIN["mem_guarantee"], "limit": PLAIN["mem_limit"]},
            # A privileged container would write that rule; the network policy has it, too.
            "cloudMetadata": {"blockWithIptables": False},
            "extraNodeAffinity": {"preferred": wishes},
            "profileList": profiles(cluster.open_pools),
        },
        # No second scheduler, and no images pulled onto nodes that nobody chose.
        "scheduling": {
            "userScheduler": {"enabled": False},
            "userPlaceholder": {"enabled": False},
            # The chart's own affinity is to nodes that nobody has labelled, and would stand beside ours.
            "corePods": {"nodeAffinity": {"matchNodePurpose": "ignore"}},
        },
        "prePuller": {"hook": {"enabled": False}, "continuous": {"enabled": False}},
        "cull": {"enabled": True, "timeout": spec.idle_minutes * 60, "every": _EVERY_S},
        **({"ingress": _ingress(spec.ingress)} if spec.ingress is not None else {}),
    }


def _login(spec: NotebooksSpec) -> dict[str, Any]:
    login = spec.login
    allowed = {"allow_all": True} if spec.users == "all" else {"allowed_users": list(spec.users)}
    return {
        "JupyterHub": {"authenticator_class": "generic-oauth", "admin_access": bool(spec.admins)},
        "GenericOAuthenticator": {
            "client_id": login.client_id,
            "authorize_url": login.authorize_url,
            "token_url": login.token_url,
            "userdata_url": login.userdata_url,
            "username_claim": login.username_claim,
            "scope": ["openid", "email", "profile"],
            "oauth_callback_url": f"{_url(spec.ingress)}/hub/oauth_callback",
            "admin_users": list(spec.admins),
            **allowed,
        },
    }


def _url(ingress: NotebookIngress | None) -> str:
    """Where people find the hub; a forwarded port where nothing leads in."""
    return f"https://{ingress.host}" if ingress is not None else f"http://localhost:{_PROXY}"


def _ingress(ingress: NotebookIngress) -> dict[str, Any]:
    return {
        "enabled": True,
        "ingressClassName": ingress.class_name,
        "hosts": [ingress.host],
        "tls": [{"hosts": [ingress.host], "secretName": ingress.certificate_from}],
    }


def _secret(reference: str) -> dict[str, str]:
    name, _, key = reference.partition("/")
    return {"name": name, "key": key}
