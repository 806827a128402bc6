"""Identity on Kubernetes: whether the policies of admission refuse what they judge, and what they leave out."""

from __future__ import annotations

from typing import Final

from penstock.core.wording import listed
from penstock.graph.verdict import NOT_APPLICABLE, PASS, UNKNOWN, Verdict, allow, each, fail
from penstock.graph.view import Block, View
from penstock.rules.levels import HIGH, MEDIUM, Category
from penstock.rules.rule import RuleSet
from penstock.rules.settings import Settings

RULES = RuleSet(Category.IDENTITY)

_BINDING: Final = tuple(
    f"kubernetes:admissionregistration.k8s.io/{version}:ValidatingAdmissionPolicyBinding"
    for version in ("v1", "v1beta1")
)
_WEBHOOKS: Final = "kubernetes:admissionregistration.k8s.io/v1:ValidatingWebhookConfiguration"
_CONSTRAINT: Final = "kubernetes:constraints.gatekeeper.sh/"
_ONLY_REPORTING: Final = ("dryrun", "warn")
_PODS: Final = frozenset(("pods", "*", "*/*"))
_CREATING: Final = frozenset(("CREATE", "*"))
_EXCEPTIONS: Final = tuple(f"kubernetes:kyverno.io/{version}:PolicyException" for version in ("v2", "v2beta1"))
_ANY: Final = frozenset(("*", "**"))
_NARROWING: Final = ("names", "namespaces", "operations")
_SELECTING: Final = ("selector", "namespaceSelector", "annotations")
_OF_REQUESTS: Final = ("subjects", "roles", "clusterRoles")


@RULES.rule(
    on="kubernetes:*",
    severity=MEDIUM,
    rationale="What the policy forbids is admitted all the same: a privileged pod starts, and only a report says so.",
    fix="Add Deny to spec.validationActions of a binding, or set spec.enforcementAction of a Gatekeeper constraint to "
    "deny, once its reports are empty.",
    sources=(
        (
            "Kubernetes docs, validating admission policy "
            "<https://kubernetes.io/docs/reference/access-authn-authz/validating-admission-policy/>"
        ),
        (
            "Gatekeeper docs, handling constraint violations "
            "<https://open-policy-agent.github.io/gatekeeper/website/docs/violations/>"
        ),
    ),
)
def k8s_admission_refuses(it: View, _: Settings) -> Verdict:
    """A policy of admission refuses what it forbids."""
    spec = it.block("spec") if it.type in _BINDING or it.type.startswith(_CONSTRAINT) else None
    if spec is None:
        return NOT_APPLICABLE
    if it.type in _BINDING:
        actions, at = spec.texts("validationActions"), spec.at("validationActions")
        return allow("Deny" in actions, f"{at} has only {listed(actions)}", path=at) if actions else NOT_APPLICABLE
    action, at = spec.text("enforcementAction"), spec.at("enforcementAction")
    return allow(action not in _ONLY_REPORTING, f"{at} is {action}", path=at)


@RULES.rule(
    on=_WEBHOOKS,
    each_of="webhooks",
    severity=MEDIUM,
    rationale=(
        "While the webhook does not answer, each pod is admitted unseen: unsigned images, and what a policy forbids. "
        "An overload of it is enough."
    ),
    fix="Set failurePolicy to Fail, run several replicas of the webhook, and exempt its own namespace and kube-system "
    "by namespaceSelector.",
    sources=(
        (
            "Kubernetes docs, admission webhook good practices "
            "<https://kubernetes.io/docs/concepts/cluster-administration/admission-webhooks-good-practices/>"
        ),
    ),
)
def k8s_admission_fails_closed(webhook: Block) -> Verdict:
    """A webhook that validates new pods refuses them while it does not answer."""
    if not any(_is_of_new_pods(rule) for rule in webhook.blocks("rules")):
        return NOT_APPLICABLE
    at = webhook.at("failurePolicy")
    return allow(webhook.text("failurePolicy") != "Ignore", f"{at} is Ignore", path=at)


def _is_of_new_pods(rule: Block) -> bool:
    return not _PODS.isdisjoint(rule.texts("resources")) and not _CREATING.isdisjoint(rule.texts("operations"))


@RULES.rule(
    on=_EXCEPTIONS,
    severity=HIGH,
    rationale="The policy guards nothing any more: whoever may create a pod creates what it was to refuse.",
    fix="Name the workloads in names and their namespaces in namespaces of each entry of spec.match, or select them by "
    "their labels in selector.",
    sources=("Kyverno docs, policy exceptions <https://kyverno.io/docs/exceptions/>",),
)
def k8s_kyverno_exception_named(exception: View, _: Settings) -> Verdict:
    """An exception from a Kyverno policy is of named workloads or namespaces."""
    spec = exception.block("spec")
    match = None if spec is None else spec.block("match")
    if spec is None or match is None:
        return NOT_APPLICABLE
    if "conditions" in spec or "podSecurity" in spec:
        return UNKNOWN  # they narrow it in words of Kyverno's own
    every = [*match.blocks("all")]
    if every:
        return PASS if any(_narrows(entry) for entry in every) else _of_all(match.at("all"))
    return each(match.blocks("any"), lambda entry: PASS if _narrows(entry) else _of_all(entry.at("resources")))


def _of_all(path: str) -> Verdict:
    return fail(f"{path} exempts each object of all namespaces", path=path)


def _narrows(entry: Block) -> bool:
    """Return whether a filter leaves anything out beside other kinds."""
    resources = entry.block("resources")
    if any(entry.count(key) for key in _OF_REQUESTS) or resources is None:
        return True
    named = [text for key in _NARROWING for text in resources.texts(key) if _ANY.isdisjoint(resources.texts(key))]
    return bool(named or resources.text("name") not in (None, *_ANY)) or any(key in resources for key in _SELECTING)
