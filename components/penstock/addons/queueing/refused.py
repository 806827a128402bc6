"""What the API server refuses in the namespaces of teams, whichever controller asks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import pulumi
from pulumi_kubernetes.admissionregistration import v1 as admission
from pulumi_kubernetes.meta import v1 as meta

from penstock.addons.queueing.controller import TEAM


class JudgedKind(NamedTuple):
    """Objects that are judged as they are created and changed."""

    group: str
    resource: str


class AdmissionRule(NamedTuple):
    """What must be true of an object, in CEL, and what whoever breaks it reads."""

    expression: str
    message: str


def refuse(
    name: str,
    called: str,
    kinds: Sequence[JudgedKind],
    validations: Sequence[AdmissionRule],
    opts: pulumi.ResourceOptions,
    *,
    variables: Mapping[str, str] | None = None,
) -> pulumi.Resource:
    """Refuse objects in the namespaces of all teams for which a validation does not hold, or cannot be judged.

    Validations read each of the variables, also in CEL, as `variables.NAME`. Returns what has to be there for it.
    """
    policy = admission.ValidatingAdmissionPolicy(
        name,
        metadata=meta.ObjectMetaArgs(name=called),
        spec=admission.ValidatingAdmissionPolicySpecArgs(
            failure_policy="Fail",
            match_constraints=admission.MatchResourcesArgs(
                resource_rules=[
                    admission.NamedRuleWithOperationsArgs(
                        api_groups=[kind.group],
                        api_versions=["*"],
                        operations=["CREATE", "UPDATE"],
                        resources=[kind.resource],
                    )
                    for kind in kinds
                ]
            ),
            variables=[
                admission.VariableArgs(name=variable, expression=expression)
                for variable, expression in (variables or {}).items()
            ]
            or None,
            validations=[
                admission.ValidationArgs(expression=each.expression, message=each.message) for each in validations
            ],
        ),
        opts=opts,
    )
    has_team = meta.LabelSelectorRequirementArgs(key=TEAM, operator="Exists")
    return admission.ValidatingAdmissionPolicyBinding(
        name,
        metadata=meta.ObjectMetaArgs(name=called),
        spec=admission.ValidatingAdmissionPolicyBindingSpecArgs(
            policy_name=called,
            validation_actions=["Deny"],
            match_resources=admission.MatchResourcesArgs(
                namespace_selector=meta.LabelSelectorArgs(match_expressions=[has_team])
            ),
        ),
        opts=pulumi.ResourceOptions.merge(opts, pulumi.ResourceOptions(depends_on=[policy])),
    )
