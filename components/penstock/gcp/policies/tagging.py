"""Labels on Google Cloud."""

from __future__ import annotations

from penstock.gcp.types import CONTAINER_CLUSTER
from penstock.graph.verdict import Verdict
from penstock.graph.view import View
from penstock.policies.tags import Tagged, defaults_of, judge_tags, keys_of, taggable_types
from penstock.rules.levels import LOW, MEDIUM, Category
from penstock.rules.remedies import tag_environment
from penstock.rules.rule import RuleSet
from penstock.rules.settings import Settings

RULES = RuleSet(Category.TAGS)


RULES.row(
    "tag-required-gcp",
    "What can have labels has those that the settings require, its own or from defaultLabels of the provider.",
    on=taggable_types("gcp", "labels"),
    check=Tagged(),
    severity=MEDIUM,
    rationale="A resource without an owner is paid for indefinitely, or deleted by mistake.",
    fix="Add the labels, in small letters, to labels, or once for all to defaultLabels of the provider.",
    remedy=tag_environment("labels"),
)
RULES.row(
    "tag-gke-labels",
    "A cluster has the labels that the settings require.",
    on=taggable_types("gcp", "resourceLabels"),
    check=Tagged(),
    severity=LOW,
    rationale="The bill of the cluster cannot be separated from that of others in the project.",
    fix="Add the labels, in small letters, to resourceLabels; nothing is replaced.",
    peers="CKV_GCP_21 GCP-0051 KICS:65c1bc7a",
    remedy=tag_environment("resourceLabels"),
)


@RULES.rule(
    on=taggable_types("gcp", "nodeConfig.resourceLabels"),
    joins=True,
    severity=LOW,
    rationale="Nodes with accelerators are most of the bill, and nothing shows which team they work for.",
    fix="Add the labels, in small letters, to nodeConfig.resourceLabels, or to resourceLabels of the cluster.",
)
def tag_nodepool_labels(pool: View, settings: Settings) -> Verdict:
    """The nodes of a pool have the labels that the settings require, of the pool or of its cluster."""
    own = judge_tags(pool, "nodeConfig.resourceLabels", settings)
    if not own.failures:
        return own
    cluster = pool.one("cluster", CONTAINER_CLUSTER)
    if cluster is None:
        return own
    inherited = (*keys_of(cluster, *cluster.locations("resourceLabels")), *defaults_of(cluster))
    return judge_tags(pool, "nodeConfig.resourceLabels", settings, inherited)


RULES.row(
    "tag-sql-labels",
    "A Cloud SQL instance has the labels that the settings require.",
    on=taggable_types("gcp", "settings.userLabels"),
    check=Tagged(),
    severity=LOW,
    rationale="Nothing shows whose data it holds: it is paid for indefinitely, or deleted by mistake.",
    fix="Add the labels, in small letters, to settings.userLabels; defaultLabels of the provider do not reach them.",
    remedy=tag_environment("settings.userLabels"),
)
