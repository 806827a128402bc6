"""Jobs of OpenMPI: one pod of the job starts the processes of all, over SSH."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from penstock.addons.training import component as training
from penstock.core.errors import ImpossibleJob
from penstock.description.nodes import PoolNodes
from penstock.kubernetes.components.job_pods import FINISHED_TTL_S, PodParts, pod_template

_FEWEST = 2
_USER = 1000
_HOME = "/home/mpiuser"
_SSH_PORT = 2222


def launched(script: str, variables: Mapping[str, str], arguments: tuple[str, ...]) -> tuple[str, ...]:
    """The command that starts a script on every accelerator.

    What SSH starts has none of the variables of its pod: mpirun hands each of them on (OpenMPI documentation, mpirun).
    """
    handed = [word for name in variables for word in ("-x", name)]
    return ("mpirun", "--bind-to", "none", *handed, "python3", script, *arguments)


def beside_home(path: str) -> str:
    """The path of a mount: elsewhere where it would hide the folder with the SSH server's settings."""
    return f"/mnt{path}" if f"{_HOME}/".startswith(f"{path}/") else path


def runtime(name: str, namespace: str, pool: PoolNodes, nodes: int, parts: PodParts) -> dict[str, Any]:
    """A runtime of the job's own: one of the platform's would keep its image in all pods but the first.

    Raises:
        ImpossibleJob: it is for one node, and the trainer makes jobs of two or more.
    """
    if nodes < _FEWEST:
        raise ImpossibleJob(f"A job of OpenMPI takes {_FEWEST} nodes or more. Ask for --nodes {_FEWEST}, or use ddp.")
    server = replace(parts, command=("/usr/sbin/sshd", "-De", "-f", f"{_HOME}/.sshd_config"))
    return {
        "apiVersion": training.API,
        "kind": "TrainingRuntime",
        "metadata": {
            "name": name,
            "namespace": namespace,
            "labels": {"trainer.kubeflow.org/framework": "deepspeed"},
        },
        "spec": {
            "mlPolicy": {
                "numNodes": nodes,
                "mpi": {
                    "numProcPerNode": pool.accelerators,
                    "mpiImplementation": "OpenMPI",
                    "sshAuthMountPath": f"{_HOME}/.ssh",
                    "runLauncherAsNode": True,
                },
            },
            "template": {
                "spec": {
                    # The launcher looks for the others by name before they are ready.
                    "network": {"publishNotReadyAddresses": True},
                    "successPolicy": {"operator": "All", "targetReplicatedJobs": ["launcher"]},
                    "failurePolicy": {"maxRestarts": training.MOST_RESTARTS},
                    "ttlSecondsAfterFinished": FINISHED_TTL_S,
                    "replicatedJobs": [
                        {"name": "node", "template": _job(_as_user(pod_template(pool, server), ready=True))},
                        {
                            "name": "launcher",
                            "dependsOn": [{"name": "node", "status": "Ready"}],
                            "template": {
                                "metadata": {"labels": training.TRAINS},
                                **_job(_as_user(pod_template(pool, parts), ready=False)),
                            },
                        },
                    ],
                }
            },
        },
    }


def _job(template: Mapping[str, Any]) -> dict[str, Any]:
    failures = {"rules": [training.IGNORES_DISRUPTION]}
    return {"spec": {"backoffLimit": 0, "podFailurePolicy": failures, "template": dict(template)}}


def _as_user(template: dict[str, Any], *, ready: bool) -> dict[str, Any]:
    """The pod as the user whose key the trainer mounts; with `ready`, it counts as ready when SSH answers."""
    pod = template["spec"]
    pod["securityContext"] |= {"runAsNonRoot": True, "runAsUser": _USER, "fsGroup": _USER}
    if ready:
        pod["containers"][0]["readinessProbe"] = {"tcpSocket": {"port": _SSH_PORT}}
    return template
