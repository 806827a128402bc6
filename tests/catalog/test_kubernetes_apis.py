"""Kinds and versions of the Kubernetes API, and the charts that add to them."""

from __future__ import annotations

from penstock.kubernetes.facts import apis as kubernetes_apis
from penstock.kubernetes.facts import chart_crds, device_plugins


def test_a_kind_is_of_a_namespace_unless_it_spans_them_all() -> None:
    assert kubernetes_apis.spans_namespaces("core", "Namespace")
    assert kubernetes_apis.spans_namespaces("kueue.x-k8s.io", "ClusterQueue")
    assert not kubernetes_apis.spans_namespaces("core", "Pod")
    assert not kubernetes_apis.spans_namespaces("kueue.x-k8s.io", "LocalQueue")


def test_a_removed_version_names_its_successor() -> None:
    found = kubernetes_apis.removed("batch/v1beta1", "CronJob")

    assert found is not None
    assert (found.removed_in, found.instead) == ("1.25", "batch/v1")
    assert kubernetes_apis.removed("batch/v1", "CronJob") is None


def test_a_kind_that_is_gone_has_no_successor() -> None:
    found = kubernetes_apis.removed("policy/v1beta1", "PodSecurityPolicy")

    assert found is not None
    assert found.instead is None


def test_a_chart_tells_what_it_advertises() -> None:
    plugin = device_plugins.plugin_of_chart("aws-efa-k8s-device-plugin")

    assert plugin is not None
    assert plugin.resource == "vpc.amazonaws.com/efa"
    assert plugin.tolerated_keys == ("CriticalAddonsOnly",)
    assert device_plugins.plugin_of_chart("cert-manager") is None


def test_a_chart_tells_the_groups_of_its_kinds() -> None:
    assert {"batch.volcano.sh", "scheduling.volcano.sh"} < set(chart_crds.groups("volcano"))
    assert chart_crds.groups("karpenter-crd") == chart_crds.groups("karpenter")
    assert chart_crds.groups("nginx") == ()
