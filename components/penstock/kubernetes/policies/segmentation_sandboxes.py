"""Segmentation on Kubernetes: what keeps the code of an agent in its sandbox, away from nodes and networks."""

from __future__ import annotations

from penstock.graph.verdict import NOT_APPLICABLE, PASS, Verdict, allow, each, fail
from penstock.graph.view import Block, View
from penstock.model.openings.addresses import open_range
from penstock.rules.checks import All, Given, Is, NoneOf
from penstock.rules.levels import HIGH, Category
from penstock.rules.rule import RuleSet
from penstock.rules.settings import Settings

RULES = RuleSet(Category.SEGMENTATION)

_SANDBOXES = tuple(f"kubernetes:agents.x-k8s.io/{version}:Sandbox" for version in ("v1alpha1", "v1beta1"))
_TEMPLATES = tuple(
    f"kubernetes:extensions.agents.x-k8s.io/{version}:SandboxTemplate" for version in ("v1alpha1", "v1beta1")
)
_RUNTIME = "spec.podTemplate.spec.runtimeClassName"
_SHARING = ("runc", "crun", "nvidia", "nvidia-cdi", "nvidia-legacy")
"""Runtimes whose containers use the kernel of their node."""
_API = "Agent Sandbox API <https://github.com/kubernetes-sigs/agent-sandbox/blob/main/docs/api.md>"

RULES.row(
    "k8s-sandbox-runtime",
    "A sandbox has a runtime class of its own kernel.",
    on=(*_SANDBOXES, *_TEMPLATES),
    check=All(Given(_RUNTIME), NoneOf(_RUNTIME, _SHARING)),
    severity=HIGH,
    rationale=(
        "A sandbox runs code that a model wrote: one flaw of the node's kernel, and it reads the memory of every other "
        "sandbox on the node."
    ),
    fix="Set spec.podTemplate.spec.runtimeClassName to a RuntimeClass of gVisor or Kata Containers.",
    sources=(_API,),
    peers="C-0297",
)
RULES.row(
    "k8s-sandbox-token",
    "A sandbox has no token of the cluster's API server.",
    on=(*_SANDBOXES, *_TEMPLATES),
    check=Is("spec.podTemplate.spec.automountServiceAccountToken", value=False),
    severity=HIGH,
    rationale="Code that a model wrote finds the token in its file system and acts on the cluster with it.",
    fix="Set spec.podTemplate.spec.automountServiceAccountToken to false.",
    sources=(_API,),
)


@RULES.rule(
    on=_TEMPLATES,
    severity=HIGH,
    rationale=(
        "Code that a model wrote then reaches the API server, the metadata of the node or other teams' pods, and sends "
        "what it finds anywhere."
    ),
    fix="Remove networkPolicyManagement, and networkPolicy for the controller's own policy without private ranges; or "
    "name ranges and pods in each entry of networkPolicy.egress.",
    sources=(_API,),
    peers="C-0301",
)
def k8s_sandbox_egress(template: View, _: Settings) -> Verdict:
    """A sandbox reaches only what the policy of its template names, or no private range."""
    spec = template.block("spec")
    if spec is None:
        return NOT_APPLICABLE
    if spec.text("networkPolicyManagement") == "Unmanaged":
        at = spec.at("networkPolicyManagement")
        return fail(f"{at} is Unmanaged, and no policy is created", path=at)
    policy = spec.block("networkPolicy")
    if policy is None or not policy.count("egress"):
        return PASS
    return each(policy.blocks("egress"), _is_scoped)


def _is_scoped(entry: Block) -> Verdict:
    if not entry.count("to"):
        return fail(f"{entry.at('to')} is not set, so it is everywhere", path=entry.at("to"))

    def one(peer: Block) -> Verdict:
        ranges, pods = peer.block("ipBlock"), (peer.block("podSelector"), peer.block("namespaceSelector"))
        if ranges is not None:
            cidr = ranges.text("cidr") or ""
            is_narrow = open_range([cidr]) is None or ranges.count("except") > 0
            return allow(is_narrow, f"{ranges.at('cidr')} is {cidr}", path=ranges.at("cidr"))
        names_some = any(_selects_some(selector) for selector in pods)
        return allow(names_some, f"{peer.at('podSelector')} selects every pod", path=peer.at("podSelector"))

    return each(entry.blocks("to"), one)


def _selects_some(selector: Block | None) -> bool:
    return selector is not None and any(selector.value(key) for key in ("matchLabels", "matchExpressions"))
