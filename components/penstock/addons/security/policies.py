"""What Kyverno holds a cluster to: the rules of this package, and signatures of images."""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Final

import pulumi
from pulumi_kubernetes.apiextensions import CustomResource
from pulumi_kubernetes.meta import v1 as meta

from penstock.addons.security.block import SignatureSpec
from penstock.core.yaml_text import yaml_data
from penstock.description.nodes import PoolNodes
from penstock.kubernetes.components.job_pods import mounts_of_node
from penstock.rules import registry

_FOLDER: Final = Path(__file__).parents[2] / "pack" / "policy_pack" / "kyverno"
"""The policies that `tools.kyverno_policies` makes from the rules."""
_API: Final = "kyverno.io/v1"
_SEVERITY: Final = "policies.kyverno.io/severity"
_GRAVE: Final = ("critical", "high")
_KEPT_BY_PLATFORMS: Final = ("k8s-ns-pss",)
"""What many clusters do not keep, and so is not grave, but each namespace of a platform does."""
_REKOR: Final = "https://rekor.sigstore.dev"
_PATIENCE_S: Final = 30
"""The most that an API server waits for a webhook; looking up a signature takes a request to a registry."""


_OF_THE_NODE: Final = ("k8s-pod-no-hostpath", "k8s-pod-not-privileged", "k8s-pod-no-hostns", "k8s-pod-no-added-caps")
"""What pods of jobs break where the driver of a fabric is a directory of the node, and its daemon beside each job."""


@cache
def cluster_policies() -> Mapping[str, dict[str, Any]]:
    """Return the Kyverno policies by the id of their rule, for namespaces without node agents.

    None of them exempts a pod by its images, which anyone could name like those of an agent.
    """
    found = {rule.id: _FOLDER / f"{rule.id}.yaml" for rule in registry.policies(("kubernetes",))}
    return {id_: _without_agents(file) for id_, file in found.items() if file.exists()}


def _without_agents(file: Path) -> dict[str, Any]:
    policy: dict[str, Any] = yaml_data(file.read_text(encoding="utf-8"))
    for rule in policy["spec"]["rules"]:
        conditions = rule.get("preconditions", {})
        conditions.pop("any", None)
        if not conditions:
            rule.pop("preconditions", None)
    return policy


def hold_to_rules(
    name: str, *, enforced: bool, pools: Sequence[PoolNodes], opts: pulumi.ResourceOptions
) -> list[pulumi.Resource]:
    """Create a policy for each rule that Kyverno can judge, one after the other.

    Kyverno checks a policy by reading all kinds of the API server again and again, for one policy at a time, and the
    server waits 10 s for it: of those that arrive at once, as Pulumi creates them by itself, it refuses the last.

    Grave ones and those that each platform keeps refuse what breaks them if `enforced`; all others are in reports
    alone, as all are otherwise. So are those that jobs of some pool cannot keep: for teams, Pod Security and a policy
    of their own hold instead.
    """
    kept = () if any(map(mounts_of_node, pools)) else _OF_THE_NODE
    made: list[pulumi.Resource] = []
    for called, policy in cluster_policies().items():
        grave = policy["metadata"]["annotations"][_SEVERITY] in _GRAVE or called in _KEPT_BY_PLATFORMS
        refuses = enforced and grave and (called in kept or called not in _OF_THE_NODE)
        made.append(
            CustomResource(
                f"{name}-{called}",
                _API,
                "ClusterPolicy",
                metadata=meta.ObjectMetaArgs(name=called, annotations=policy["metadata"]["annotations"]),
                spec=_acting(policy["spec"], refuses=refuses),
                opts=pulumi.ResourceOptions.merge(opts, pulumi.ResourceOptions(depends_on=made[-1:])),
            )
        )
    return made


def trust_signatures(
    name: str, signatures: Sequence[SignatureSpec], *, enforced: bool, opts: pulumi.ResourceOptions
) -> None:
    """Create a policy by which images run only if they are signed, each by the digest that was signed."""
    if not signatures:
        return
    rules = [
        {
            "name": f"signed-{number}",
            "match": {"any": [{"resources": {"kinds": ["Pod"]}}]},
            "verifyImages": [
                {
                    "imageReferences": list(each.images),
                    "failureAction": "Enforce" if enforced else "Audit",
                    "attestors": [{"count": 1, "entries": [_attestor(each)]}],
                    "mutateDigest": enforced,
                    "verifyDigest": enforced,
                    "required": True,
                }
            ],
        }
        for number, each in enumerate(signatures, start=1)
    ]
    CustomResource(
        f"{name}-signed-images",
        _API,
        "ClusterPolicy",
        metadata=meta.ObjectMetaArgs(name="signed-images"),
        spec={
            "background": False,
            "webhookConfiguration": {
                "failurePolicy": _without_kyverno(refuses=enforced),
                "timeoutSeconds": _PATIENCE_S,
            },
            "rules": rules,
        },
        opts=opts,
    )


def _without_kyverno(*, refuses: bool) -> str:
    """What the API server does while Kyverno does not answer: what only reports holds nothing up."""
    return "Fail" if refuses else "Ignore"


def _acting(spec: dict[str, Any], *, refuses: bool) -> dict[str, Any]:
    acting = copy.deepcopy(spec)
    acting["webhookConfiguration"] = {"failurePolicy": _without_kyverno(refuses=refuses)}
    action = "Enforce" if refuses else "Audit"
    for rule in acting["rules"]:
        rule["validate"]["failureAction"] = action
    return acting


def _attestor(signature: SignatureSpec) -> dict[str, Any]:
    if signature.key is not None:
        # Whoever signs with a key of their own need not write so into a public log.
        return {"keys": {"publicKeys": signature.key, "rekor": {"ignoreTlog": True}, "ctlog": {"ignoreSCT": True}}}
    return {"keyless": {"issuer": signature.issuer, "subject": signature.subject, "rekor": {"url": _REKOR}}}
