"""The values of Slurm's charts."""

from __future__ import annotations

from typing import Any

from penstock.addons.slurm import workers
from penstock.addons.slurm.block import DETECTED, SlurmAccounting, SlurmSpec
from penstock.addons.slurm.images import slurm_image
from penstock.addons.slurm.pools import EVERY_NODE, slurm_pools
from penstock.kubernetes.components.in_cluster import InCluster
from penstock.kubernetes.components.mirrored import from_mirror
from penstock.kubernetes.components.release import image
from penstock.kubernetes.components.system_nodes import without_accelerators

_CRITICAL = "system-cluster-critical"
_WEBHOOK = "ghcr.io/slinkyproject/slurm-operator-webhook"
_CONTROL = {"requests": {"cpu": "250m", "memory": "512Mi"}, "limits": {"cpu": "2", "memory": "2Gi"}}
_SAFE = {
    "allowPrivilegeEscalation": False,
    "capabilities": {"drop": ["ALL"]},
    "readOnlyRootFilesystem": True,
    "runAsNonRoot": True,
    "seccompProfile": {"type": "RuntimeDefault"},
}

_CGROUPS = """\
CgroupPlugin=cgroup/v2
IgnoreSystemd=yes
ConstrainCores=yes
ConstrainDevices=yes
ConstrainRAMSpace=yes
"""
"""The first two are what the operator writes where nobody else does (slurm-operator v1.2.1, buildCgroupConf).

Slurm constrains nothing by default: on a privileged worker, a job of one GPU would open all of them.
"""


def operator(cluster: InCluster) -> dict[str, Any]:
    """The operator and its webhook; two of each in production, since the webhook answers for every change."""
    replicas = 1 if cluster.environment == "dev" else 2
    both = {
        "replicas": replicas,
        "pdb": {"enabled": replicas > 1},
        "affinity": without_accelerators(cluster.pools),
        "securityContext": _SAFE,
        "resources": {"requests": {"cpu": "100m", "memory": "128Mi"}, "limits": {"cpu": "1", "memory": "512Mi"}},
    }
    return {
        "priorityClassName": _CRITICAL,
        "crds": {"enabled": False},
        "operator": {**both, "image": {"repository": image("slurm-operator", cluster.image_mirror)}},
        "webhook": {**both, "image": {"repository": from_mirror(_WEBHOOK, cluster.image_mirror)}},
    }


def slurm(spec: SlurmSpec, cluster: InCluster) -> dict[str, Any]:
    """The controller with its state on a volume, workers of each pool, and what the block asks for besides."""
    pools = slurm_pools(spec, cluster.pools)
    detected = [how for resource, how in DETECTED.items() if any(pool.resource == resource for pool in pools)]
    return {
        "asciiArt": False,
        "clusterName": cluster.platform,
        **_keys(),
        "configFiles": {
            "cgroup.conf": _CGROUPS,
            **({"gres.conf": f"AutoDetect={detected[0]}\n"} if detected else {}),
        },
        "controller": {
            **_controller(cluster),
            "extraConfMap": _slurm_conf(gpus=bool(detected), recorded=spec.accounting is not None),
        },
        "restapi": {
            "slurmrestd": {"image": slurm_image("slurmrestd", cluster.image_mirror), "resources": _CONTROL},
            "podSpec": _placed(cluster),
        },
        **({"accounting": _accounting(spec.accounting, cluster)} if spec.accounting is not None else {}),
        **({"loginsets": {"ssh": _login(spec, cluster)}} if spec.login_keys else {}),
        "nodesets": {
            pool.pool: workers.node_set(pool, image=slurm_image("slurmd", cluster.image_mirror), claims=spec.claims)
            for pool in pools
        },
        "partitions": {EVERY_NODE: {"enabled": True}},
    }


def _slurm_conf(*, gpus: bool, recorded: bool) -> dict[str, Any]:
    """What slurm.conf says of jobs and nodes: since v1.2 the operator writes only what it needs itself.

    Without `GresTypes`, Slurm refuses jobs that ask for GPUs. The plugins hold each job to its cores, memory and
    devices, and `ReturnToService` takes a worker back that was away, such as for an update.
    """
    return {
        "ReturnToService": "2",
        "ProctrackType": "proctrack/cgroup",
        "PrologFlags": ["Contain"],
        "TaskPlugin": ["task/affinity", "task/cgroup"],
        **({"GresTypes": ["gpu"]} if gpus else {}),
        **({"JobAcctGatherType": "jobacct_gather/cgroup"} if recorded else {}),
        **({"AccountingStorageTRES": ["gres/gpu"]} if recorded and gpus else {}),
    }


def _keys() -> dict[str, Any]:
    """Helm makes both keys in the cluster, finds them again at each upgrade, and leaves them there at the end.

    So they are in no description, no value and no state of Pulumi, and nobody has to make them before.
    """
    kept = {"create": True, "annotations": {"helm.sh/resource-policy": "keep"}}
    return {"slurmKey": kept, "jwtKey": kept}


def _controller(cluster: InCluster) -> dict[str, Any]:
    slurmctld = slurm_image("slurmctld", cluster.image_mirror)
    block_class = cluster.profile.block_class if cluster.profile is not None else None
    return {
        "slurmctld": {"image": slurmctld, "resources": _CONTROL},
        "reconfigure": {"image": slurmctld, "resources": workers.SMALL},
        # The chart takes the newest image of another registry here; this one is on the node already.
        "logfile": {"image": slurmctld, "resources": workers.SMALL},
        "persistence": {"enabled": True, **({"storageClassName": block_class} if block_class else {})},
        "podSpec": _placed(cluster),
    }


def _accounting(accounting: SlurmAccounting, cluster: InCluster) -> dict[str, Any]:
    name, _, key = accounting.password_from.partition("/")
    return {
        "enabled": True,
        "slurmdbd": {"image": slurm_image("slurmdbd", cluster.image_mirror), "resources": _CONTROL},
        "storageConfig": {
            "host": accounting.host,
            "port": accounting.port,
            "database": accounting.database,
            "username": accounting.username,
            "passwordKeyRef": {"name": name, "key": key},
        },
        "podSpec": _placed(cluster),
    }


def _login(spec: SlurmSpec, cluster: InCluster) -> dict[str, Any]:
    return {
        "rootSshAuthorizedKeys": "\n".join(spec.login_keys),
        "login": {
            "image": slurm_image("login", cluster.image_mirror),
            "resources": {"requests": {"cpu": "500m", "memory": "1Gi"}, "limits": {"cpu": "4", "memory": "8Gi"}},
            "volumeMounts": workers.mounts(spec.claims),
        },
        "initconf": {"image": slurm_image("login", cluster.image_mirror), "resources": workers.SMALL},
        "podSpec": {"affinity": without_accelerators(cluster.pools), "volumes": workers.volumes(spec.claims)},
        # The chart would open SSH to the internet.
        "service": {"spec": {"type": "ClusterIP"}},
    }


def _placed(cluster: InCluster) -> dict[str, Any]:
    return {"priorityClassName": _CRITICAL, "affinity": without_accelerators(cluster.pools)}
