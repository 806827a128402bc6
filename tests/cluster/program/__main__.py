"""An environment's own program, whose objects go to the cluster of the test: only the address of the cluster changes.

Charts come from a folder, as in a network without a way out.
"""

from __future__ import annotations

import os
import runpy
from pathlib import Path

import pulumi

_KUBECONFIG = Path(os.environ["TEST_CLUSTER_KUBECONFIG"]).read_text(encoding="utf-8")
_CHARTS = Path(os.environ["TEST_CLUSTER_CHARTS"])


def _to_the_cluster(given: pulumi.ResourceTransformationArgs) -> pulumi.ResourceTransformationResult | None:
    if given.type_ == "pulumi:providers:kubernetes":
        # What the cloud answers is waited for, as in the cluster that it would have made.
        kubeconfig = pulumi.Output.from_input(given.props.get("kubeconfig")).apply(lambda _: _KUBECONFIG)
        return pulumi.ResourceTransformationResult({**given.props, "kubeconfig": kubeconfig}, given.opts)
    if given.type_ == "kubernetes:helm.sh/v3:Release":
        chart = _CHARTS / str(given.props["chart"]).rpartition("/")[2]
        props = {**given.props, "chart": str(chart), "version": None, "repository_opts": None}
        return pulumi.ResourceTransformationResult(props, given.opts)
    return None


pulumi.runtime.register_stack_transformation(_to_the_cluster)
runpy.run_path(os.environ["TEST_CLUSTER_PROGRAM"], run_name="__main__")
