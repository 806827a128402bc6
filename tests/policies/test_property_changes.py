"""One property of a program changes, at any depth: exactly the policies that read it notice.

Driven by every case of every policy. What a rule reads is recorded while it judges the case, so that no rule has to say
it. The exceptions are rows with reasons, and each is held to be needed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cache
from itertools import chain
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.policies.property_changes import (
    Place,
    of_cases,
    outcome_on,
    places,
    places_read,
    unknown,
    weaker,
    weaker_programs,
)
from tests.rules.cases import RuleCase, policy_cases
from tests.rules.verdicts import TODAY

from penstock.graph.graph import Graph
from penstock.graph.reads import RecordedReads
from penstock.graph.values import UNKNOWN
from penstock.graph.verdict import Outcome
from penstock.graph.view import Site, View
from penstock.kubernetes.model.pods.places import is_unread
from penstock.rules import registry
from penstock.rules.judge import with_stack
from penstock.rules.levels import Category, RuleKind
from penstock.rules.rule import Rule

pytestmark = pytest.mark.exhaustive

POLICIES = [category for category in Category if category.kind is RuleKind.POLICY]

FOUND_BY_SHAPE = ("k8s-login-not-off", "k8s-pod-not-privileged")
"""Rules whose cases have pods in kinds outside the table, which are found by their shape: if an unknown value hides it,
the report says that the object is not read (`is_unread`)."""

ASSUMED: Mapping[str, str] = {
    "cost-max-gpus-gke gcp:container/nodePool:NodePool cluster": (
        "a pool whose zone is known has its nodes there; few clusters add other zones"
    ),
}
"""Places whose unknown values a rule guesses."""

_EQUALS = "assumeRolePolicy.Statement.[].Condition.StringEquals"
MATTERLESS: Mapping[str, tuple[str, ...]] = {
    "ports are read together with the protocol, which alone holds the verdict": (
        "aws-sg-efa-self aws:ec2/securityGroup:SecurityGroup egress.[].fromPort",
        "aws-sg-efa-self aws:ec2/securityGroup:SecurityGroup egress.[].toPort",
        "aws-sg-efa-self aws:ec2/securityGroup:SecurityGroup ingress.[].fromPort",
        "aws-sg-efa-self aws:ec2/securityGroup:SecurityGroup ingress.[].toPort",
        "aws-sg-efa-self aws:ec2/securityGroupRule:SecurityGroupRule fromPort",
        "aws-sg-efa-self aws:ec2/securityGroupRule:SecurityGroupRule toPort",
        "aws-sg-egress-restrict it toPort",
        "aws-sg-no-all-protocols it fromPort",
        "aws-sg-no-all-protocols it ingress.[].fromPort",
        "aws-sg-no-all-protocols it ingress.[].toPort",
        "aws-sg-no-all-protocols it toPort",
    ),
    "an unknown value may be an object with what the rule refuses, at any key": (
        "k8s-custom-lb-internal it spec.expose.service.port",
        "k8s-custom-lb-internal it spec.kafka.listeners.[].name",
        "k8s-helm-not-privileged it values.capabilities.drop.[]",
        "k8s-helm-not-privileged it values.controllerManager.replicas",
        "k8s-helm-not-privileged it values.enablePrometheus",
        "k8s-helm-not-privileged it values.token",
        "pulumi-component-no-plaintext it size",
    ),
    "another part of the same object holds the verdict, so that no single change turns it": (
        "aws-api-auth aws:apigatewayv2/api:Api protocolType",
        "aws-api-auth it httpMethod",
        "aws-iam-external-id it assumeRolePolicy.Statement.[].Principal.Service",
        f"aws-iam-gha-oidc-sub it {_EQUALS}.token.actions.githubusercontent.com:aud",
        "aws-iam-no-star-action it policy.Statement.[]",
        "aws-iam-no-star-action it policy.Statement.[].Action.[]",
        "aws-iam-no-star-action it policy.Statement.[].Effect",
        f"aws-iam-trust-scope it {_EQUALS}.oidc.eks.us-east-1.amazonaws.com/id/ABCDEF:aud",
        "aws-image-no-latest it primaryContainer",
        "aws-iam-trust-named it assumeRolePolicy.Statement.[].Principal.Service",
        "aws-kms-policy-no-star it policy.Statement.[].Condition.StringEquals.kms:ViaService",
        "aws-lb-internal it loadBalancerType",
        "aws-lt-imdsv2 it metadataOptions.httpEndpoint",
        "aws-fsx-backup aws:backup/selection:Selection selectionTags.[]",
        "aws-rds-backup aws:backup/selection:Selection selectionTags.[]",
        "aws-resource-policy-no-star it policy.Statement.[].Principal.Service",
        "aws-s3-policy-no-lockout it policy.Statement.[].Effect",
        "aws-sg-no-world-ingress aws:ec2/managedPrefixList:ManagedPrefixList entries",
        "aws-sg-no-world-ingress aws:ec2/managedPrefixList:ManagedPrefixList entries.[]",
        "aws-ssm-no-plain-secret it type",
        "az-activity-alerts azure-native:monitor:ActivityLogAlert actions.actionGroups.[]",
        "az-activity-alerts it actions.actionGroups.[]",
        "az-app-no-public azure-native:app:ContainerAppsAuthConfig platform",
        "az-appgw-profile-tls it sslProfiles.[].sslPolicy.policyType",
        "az-pg-backup it backup",
        "az-waf-prevents it policySettings.state",
        "cost-idle-scale-to-zero-aks it mode",
        "cost-max-gpus-aks azure-native:containerservice:AgentPool enableAutoScaling",
        "cost-max-gpus-gke gcp:compute/instance:Instance guestAccelerators.[].type",
        "cost-max-tpu-chips gcp:container/nodePool:NodePool nodeLocations.[]",
        "gcp-fw-no-all-ports it firewallPolicy",
        "gcp-gke-metadata-server it nodePools",
        "k8s-gateway-tls it spec.selector",
        "k8s-gateway-tls it spec.selector.istio",
        "k8s-helm-pinned it chart",
        "k8s-login-not-off it spec.template.spec.containers.[].env.[].name",
        "k8s-pdb it spec.template.metadata.labels.tier",
        "k8s-pod-apparmor-not-off it spec.containers.[]",
        "k8s-pod-seccomp-not-off it spec.template.spec.containers.[]",
        "k8s-rbac-no-admin-in-namespace it roleRef.kind",
        "k8s-rbac-no-admin-in-namespace it subjects.[].name",
        "k8s-rbac-no-cluster-admin it roleRef.kind",
    ),
}
"""Places at which every known value has the same verdict, and an unknown one is undetermined still, by the reason."""


@cache
def cases_of(category: Category, outcome: Outcome) -> tuple[RuleCase, ...]:
    """The cases of a category's rules with an outcome."""
    rules = {rule.id for rule in registry.policies() if rule.category is category}
    return tuple(case for case in policy_cases() if case.outcome == outcome and case.rule in rules)


def read_in(category: Category, outcome: Outcome) -> Iterator[Place]:
    """Each place that a rule reads in a case with an outcome."""
    return (place for case in cases_of(category, outcome) for place in places_read(case))


@pytest.mark.parametrize("category", POLICIES)
def test_an_unknown_property_never_breaks_a_passing_rule(category: Category) -> None:
    broken = {
        f"{place}: {name}"
        for place in read_in(category, Outcome.PASS)
        for name, graph in unknown(place)
        if outcome_on(place.case, graph) is Outcome.FAIL
    }

    assert sorted(broken) == []


@pytest.mark.parametrize("category", POLICIES)
def test_a_passing_rule_is_undetermined_where_an_unknown_value_matters(category: Category) -> None:
    assured = {
        f"{place}: {name}"
        for place in read_in(category, Outcome.PASS)
        if outcome_on(place.case, place.with_value(UNKNOWN)) is not Outcome.UNKNOWN
        if not hides_pods(place)
        for name, graph in weaker(place)
        if name != "absent" and outcome_on(place.case, graph) is Outcome.FAIL
    }

    assert sorted(assured) == []


@pytest.mark.parametrize("category", POLICIES)
def test_an_unknown_property_never_excuses_a_failing_rule(category: Category) -> None:
    excused = {
        str(place)
        for place in read_in(category, Outcome.FAIL)
        if outcome_on(place.case, place.with_value(UNKNOWN)) not in (Outcome.FAIL, Outcome.UNKNOWN)
        if not hides_pods(place)
    }
    own = {case.rule for case in cases_of(category, Outcome.FAIL)}

    assert excused == {each for each in ASSUMED if each.split()[0] in own}


@pytest.mark.parametrize("rule", FOUND_BY_SHAPE)
def test_rules_that_find_pods_by_their_shape_are_still_exceptions(rule: str) -> None:
    cases = [case for case in cases_of(Category.IDENTITY, Outcome.FAIL) if case.rule == rule]

    assert any(hides_pods(place) for case in cases for place in places_read(case))


def hides_pods(place: Place) -> bool:
    """Return whether an object of a kind outside the table is not read with an unknown value at a place."""
    graph = place.with_value(UNKNOWN)
    is_out_of_reach = place.case.rule in FOUND_BY_SHAPE and outcome_on(place.case, graph) is Outcome.NOT_APPLICABLE
    return is_out_of_reach and is_unread(graph[place.urn])


@pytest.mark.parametrize("category", POLICIES)
def test_each_rule_fails_in_a_weaker_program(category: Category) -> None:
    passing = cases_of(category, Outcome.PASS)
    failing: set[str] = set()
    for case in passing:
        programs = chain((graph for place in places_read(case) for _, graph in weaker(place)), weaker_programs(case))
        if case.rule not in failing and any(outcome_on(case, graph) is Outcome.FAIL for graph in programs):
            failing.add(case.rule)

    assert sorted({case.rule for case in passing} - failing) == []


@pytest.mark.parametrize("category", POLICIES)
def test_what_leaves_a_rule_undetermined_turns_its_verdict(category: Category) -> None:
    open_ = {
        str(place)
        for place in read_in(category, Outcome.PASS)
        if outcome_on(place.case, place.with_value(UNKNOWN)) is Outcome.UNKNOWN
    }
    turning: set[str] = set()
    for outcome, other in ((Outcome.PASS, Outcome.FAIL), (Outcome.FAIL, Outcome.PASS)):
        for place in read_in(category, outcome):
            if str(place) in open_ - turning:
                graphs = (graph for _, graph in (*weaker(place), *of_cases(place, other)))
                if any(outcome_on(place.case, graph) is not outcome for graph in graphs):
                    turning.add(str(place))
    own = {case.rule for case in cases_of(category, Outcome.PASS)}

    assert open_ - turning == {place for places_ in MATTERLESS.values() for place in places_ if place.split()[0] in own}


def rules_about(graph: Graph) -> Iterator[tuple[str, Rule]]:
    """Each policy on each resource of a program."""
    packages = frozenset(resource.type.partition(":")[0] for resource in graph)
    for resource in graph:
        for rule in registry.rules_on(resource.type, RuleKind.POLICY, packages):
            yield resource.urn, rule


def judged(case: RuleCase, graph: Graph, urn: str, rule: Rule) -> Outcome:
    """The outcome of any policy on any resource of a case's program."""
    site = Site(graph, case.quotas, TODAY, case.existing)
    return rule.judge(View(site.graph[urn], site), case.settings).outcome


ODD: tuple[Any, ...] = (UNKNOWN, None, True, False, 0, "", "*", "0.0.0.0/0", [], {})
passing_cases = st.sampled_from([case for case in policy_cases() if case.outcome == Outcome.PASS and case.program])


@settings(max_examples=300)
@given(case=passing_cases, data=st.data())
def test_rules_keep_their_verdicts_when_what_they_do_not_read_changes(case: RuleCase, data: st.DataObject) -> None:
    graph = with_stack(case.graph)
    everywhere = [place for place in places(case, graph) if place.steps[0] not in place.resource.outputs]
    if not everywhere:
        return
    place = data.draw(st.sampled_from(everywhere))
    value = data.draw(st.sampled_from(ODD))
    changed = place.with_value(value, made=True)

    for urn, rule in rules_about(graph):
        reads = RecordedReads(graph)
        before = judged(case, reads.graph, urn, rule)
        if (place.urn, place.steps) not in reads:
            assert judged(case, changed, urn, rule) is before, rule.id


@settings(max_examples=300)
@given(case=passing_cases, data=st.data())
def test_no_rule_fails_for_several_unknown_properties(case: RuleCase, data: st.DataObject) -> None:
    graph = with_stack(case.graph)
    everywhere = list(places(case, graph))
    if not everywhere:
        return
    hidden = graph
    for place in data.draw(st.lists(st.sampled_from(everywhere), min_size=1, max_size=3, unique_by=str)):
        hidden = replace(place, graph=hidden).with_value(UNKNOWN)

    for urn, rule in rules_about(graph):
        if judged(case, hidden, urn, rule) is Outcome.FAIL:
            assert judged(case, graph, urn, rule) is Outcome.FAIL, rule.id
