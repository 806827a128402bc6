"""Stack objects of the Pulumi Kubernetes Operator."""

from __future__ import annotations

from typing import Final

from penstock.rules.checks import Absent, All, Either, Given, Where
from penstock.rules.levels import HIGH, Category
from penstock.rules.rule import RuleSet

RULES = RuleSet(Category.PROVIDER)

STACK: Final = "kubernetes:pulumi.com/v1:Stack"

_SOURCE = "pulumi/pulumi-kubernetes-operator v2.9.0 operator/internal/controller/pulumi: stack_controller.go, git.go"

RULES.row(
    "k8s-pulumi-stack-source",
    "A Stack has one source: a repository, a source of Flux or a Program.",
    on=STACK,
    check=All(
        Where(Given("spec.projectRepo"), All(Absent("spec.fluxSource"), Absent("spec.programRef"))),
        Where(Given("spec.fluxSource"), Absent("spec.programRef")),
    ),
    severity=HIGH,
    rationale="The operator deploys the first of them and ignores the others without a word.",
    fix="Keep one of projectRepo, fluxSource and programRef.",
    sources=(_SOURCE,),
)
RULES.row(
    "k8s-pulumi-stack-revision",
    "A Stack of a repository follows a branch or stays at a commit.",
    on=STACK,
    check=Where(
        Given("spec.projectRepo"),
        Either(
            All(Given("spec.branch"), Absent("spec.commit")),
            All(Given("spec.commit"), Absent("spec.branch")),
        ),
    ),
    severity=HIGH,
    rationale="The operator marks a Stack without either as stalled, and never deploys it.",
    fix="Set either branch or commit.",
    sources=(_SOURCE,),
)
