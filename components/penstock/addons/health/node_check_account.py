"""Who lets work onto nodes: an account that may change no more than the startup taint, and of its own node alone."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import pulumi
from pulumi_kubernetes.admissionregistration import v1 as admission
from pulumi_kubernetes.core import v1 as core
from pulumi_kubernetes.meta import v1 as meta
from pulumi_kubernetes.rbac import v1 as rbac

from penstock.addons.health.smoke import NAMESPACE
from penstock.description.nodes.startup import UNCHECKED

ACCOUNT: Final = "node-check"
"""The service account of the pods that test nodes, and its rights, in the namespace of smoke tests."""

_NODE_CLAIM: Final = "authentication.kubernetes.io/node-name"
"""Where the API server says which node a token was handed to, by the pod that it is bound to (Kubernetes documentation,
Managing service accounts; 1.30 and later)."""

_SAME: Final = ("annotations", "finalizers", "ownerReferences")
_SAME_SPEC: Final = ("unschedulable", "providerID", "podCIDR", "podCIDRs", "configSource", "externalID")


def node_check_account(name: str, taints: Iterable[str], opts: pulumi.ResourceOptions) -> pulumi.Resource:
    """Create the account, with the right to change nodes and what bounds it; `taints` are the keys that it may remove.

    Roles bound neither which node nor which field: a policy of the API server does. Returns what has to be there before
    a pod of the account starts.
    """
    account = core.ServiceAccount(
        name,
        metadata=meta.ObjectMetaArgs(name=ACCOUNT, namespace=NAMESPACE),
        automount_service_account_token=True,
        opts=opts,
    )
    policy = admission.ValidatingAdmissionPolicy(
        name,
        metadata=meta.ObjectMetaArgs(name=ACCOUNT),
        spec=admission.ValidatingAdmissionPolicySpecArgs(
            failure_policy="Fail",
            match_constraints=admission.MatchResourcesArgs(
                resource_rules=[
                    admission.NamedRuleWithOperationsArgs(
                        api_groups=[""], api_versions=["*"], operations=["UPDATE"], resources=["nodes"]
                    )
                ]
            ),
            match_conditions=[
                admission.MatchConditionArgs(
                    name="of-the-account",
                    expression=f"request.userInfo.username == 'system:serviceaccount:{NAMESPACE}:{ACCOUNT}'",
                )
            ],
            variables=[
                admission.VariableArgs(name=variable, expression=expression)
                for variable, expression in _variables(taints).items()
            ],
            validations=[
                admission.ValidationArgs(expression=expression, message=message)
                for expression, message in _validations()
            ],
        ),
        opts=opts,
    )
    binding = admission.ValidatingAdmissionPolicyBinding(
        name,
        metadata=meta.ObjectMetaArgs(name=ACCOUNT),
        spec=admission.ValidatingAdmissionPolicyBindingSpecArgs(policy_name=ACCOUNT, validation_actions=["Deny"]),
        opts=pulumi.ResourceOptions.merge(opts, pulumi.ResourceOptions(depends_on=[policy])),
    )
    # First what bounds the account, then its rights.
    bounded = pulumi.ResourceOptions.merge(opts, pulumi.ResourceOptions(depends_on=[binding]))
    role = rbac.ClusterRole(
        name,
        metadata=meta.ObjectMetaArgs(name=ACCOUNT),
        rules=[rbac.PolicyRuleArgs(api_groups=[""], resources=["nodes"], verbs=["get", "patch"])],
        opts=bounded,
    )
    return rbac.ClusterRoleBinding(
        name,
        metadata=meta.ObjectMetaArgs(name=ACCOUNT),
        role_ref=rbac.RoleRefArgs(api_group="rbac.authorization.k8s.io", kind="ClusterRole", name=ACCOUNT),
        subjects=[rbac.SubjectArgs(kind="ServiceAccount", name=ACCOUNT, namespace=NAMESPACE)],
        opts=pulumi.ResourceOptions.merge(opts, pulumi.ResourceOptions(depends_on=[account, role])),
    )


def _variables(taints: Iterable[str]) -> dict[str, str]:
    keys = ", ".join(f"'{key}'" for key in sorted(taints))
    return {
        "before": "oldObject.spec.?taints.orValue([])",
        "after": "object.spec.?taints.orValue([])",
        "othersBefore": f"variables.before.filter(taint, !(taint.key in [{keys}]))",
        "labelsBefore": "oldObject.metadata.?labels.orValue({})",
        "labelsAfter": "object.metadata.?labels.orValue({})",
    }


def _validations() -> list[tuple[str, str]]:
    """What must be true of a change, in CEL, and what the account reads otherwise."""
    here = f"request.userInfo.?extra['{_NODE_CLAIM}'][0].orValue('') == request.name"
    taints = "variables.after == variables.othersBefore || variables.after == variables.before"
    kept = (
        f"variables.labelsBefore.all(key, key == '{UNCHECKED}' || "
        "variables.labelsAfter[?key].orValue('') == variables.labelsBefore[key])"
    )
    none_new = (
        "variables.labelsAfter.all(key, "
        f"key == '{UNCHECKED}' ? variables.labelsAfter[key] == 'true' : key in variables.labelsBefore)"
    )
    rest = [
        *(f"object.metadata.?{field} == oldObject.metadata.?{field}" for field in _SAME),
        *(f"object.spec.?{field} == oldObject.spec.?{field}" for field in _SAME_SPEC),
    ]
    return [
        (here, "node-check changes the node that its pod is on, and no other"),
        (taints, "node-check removes the startup taint, and no other"),
        (f"{kept} && {none_new}", f"node-check puts on and removes the label {UNCHECKED}, and no other"),
        (" && ".join(rest), "node-check changes nothing else of a node"),
    ]
