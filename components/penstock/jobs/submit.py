"""Hands manifests to the cluster of a description, by kubectl."""

from __future__ import annotations

import shutil
import subprocess

from penstock.core.errors import ImpossibleJob
from penstock.description import kubeconfig
from penstock.description.platform import Spec

_BY_HAND = "penstock jobs … | kubectl --kubeconfig FILE apply --server-side -f -"


def submit(spec: Spec, text: str) -> str:
    """Apply manifests, and return what kubectl says.

    Raises:
        ImpossibleJob: there is no kubectl, no kubeconfig in the description, or the cluster refuses the job.
    """
    if spec.cloud.provider != "kubernetes":
        message = "--submit needs a kubeconfig, which Pulumi has as an output of the platform"
        raise ImpossibleJob(f"{message}: `pulumi stack output kubeconfig >FILE`, then `{_BY_HAND}`.")
    kubectl = shutil.which("kubectl")
    if kubectl is None:
        raise ImpossibleJob("--submit needs kubectl on the PATH. Without --submit, the manifest is printed.")
    source = kubeconfig.source_of(spec.cluster)
    if (absent := kubeconfig.missing(spec.cluster)) is not None:
        raise ImpossibleJob(f"{absent.message} {absent.hint}")
    flags = [f"--kubeconfig={source.path}"] if source.written is not None else []
    flags += [f"--context={source.context}"] if source.context is not None else []
    command = [kubectl, *flags, "apply", "--server-side", "--field-manager=penstock", "-f", "-"]
    done = subprocess.run(command, input=text, capture_output=True, text=True, check=False)  # noqa: S603 - kubectl
    if done.returncode:
        raise ImpossibleJob(f"kubectl: {done.stderr.strip() or done.stdout.strip()}")
    return done.stdout
