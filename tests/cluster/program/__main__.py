"""An environment's own program, whose objects go to the cluster of the test: nothing but its address changes."""

from __future__ import annotations

import os
import runpy
from pathlib import Path

import pulumi

_KUBECONFIG = Path(os.environ["KUBECONFIG"]).read_text(encoding="utf-8")


def _to_the_cluster(given: pulumi.ResourceTransformationArgs) -> pulumi.ResourceTransformationResult | None:
    if given.type_ == "pulumi:providers:kubernetes":
        # What the cloud answers is waited for, as in the cluster that it would have made.
        kubeconfig = pulumi.Output.from_input(given.props.get("kubeconfig")).apply(lambda _: _KUBECONFIG)
        return pulumi.ResourceTransformationResult({**given.props, "kubeconfig": kubeconfig}, given.opts)
    return None


pulumi.runtime.register_stack_transformation(_to_the_cluster)
runpy.run_path(os.environ["TEST_CLUSTER_PROGRAM"], run_name="__main__")
