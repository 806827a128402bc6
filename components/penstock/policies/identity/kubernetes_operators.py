"""Identity on Kubernetes: who may use what operators run, such as Spark's applications and Argo CD's projects."""

from __future__ import annotations

from penstock.resources.property_path import Location
from penstock.resources.verdict import NOT_APPLICABLE, PASS, UNKNOWN, Verdict, allow, each, together
from penstock.resources.view import Block, View
from penstock.rules.comparing import same, shown
from penstock.rules.levels import HIGH, MEDIUM, Category
from penstock.rules.rule import RuleSet
from penstock.rules.settings import Settings

RULES = RuleSet(Category.IDENTITY)

_SPARK = "kubernetes:sparkoperator.k8s.io"
_APPLICATIONS = {
    f"{_SPARK}/v1beta2:SparkApplication": "spec",
    f"{_SPARK}/v1beta2:ScheduledSparkApplication": "spec.template",
    f"{_SPARK}/v1alpha1:SparkConnect": "spec",
}
"""Objects of the Spark operator, with the place of their settings."""


@RULES.rule(
    "k8s-spark-authenticate",
    on=tuple(_APPLICATIONS),
    reads=("spec",),
    severity=MEDIUM,
    rationale="Each pod that reaches the driver's port joins as an executor, and gets its code, its data and its keys.",
    fix='Set "spark.authenticate" to "true" in sparkConf; on Kubernetes Spark makes a secret for each application, and '
    '"spark.network.crypto.enabled" encrypts the traffic with it.',
    sources=("Spark docs, security: authentication <https://spark.apache.org/docs/latest/security.html>",),
)
def _processes_ask_for_a_secret(application: View, _: Settings) -> Verdict:
    """The processes of a Spark application ask each other for a secret."""

    def one(place: Location) -> Verdict:
        settings = application.within(place)
        if "sparkConfigMap" in settings:
            return UNKNOWN  # its file may have the setting
        configuration, at = settings.block("sparkConf"), settings.at('sparkConf."spark.authenticate"')
        given = None if configuration is None else configuration.value("spark.authenticate")
        is_on = same(given, "true")
        return allow(is_on, f"{at} is {'not set' if given is None else shown(given)}", path=at)

    return each(application.locations(_APPLICATIONS[application.type]), one)


@RULES.rule(
    "k8s-argocd-project-scoped",
    on="kubernetes:argoproj.io/v1alpha1:AppProject",
    reads=("spec.sourceRepos", "spec.destinations", "spec.clusterResourceWhitelist"),
    severity=HIGH,
    rationale=(
        "Whoever may create an Application in the project deploys a repository of their own with Argo CD's rights: "
        "into kube-system, or a ClusterRoleBinding that makes them administrator."
    ),
    fix="List the repositories in spec.sourceRepos, the namespaces in spec.destinations, and the kinds that the team "
    "needs in spec.clusterResourceWhitelist.",
    sources=("Argo CD docs, projects <https://argo-cd.readthedocs.io/en/stable/user-guide/projects/>",),
)
def _a_project_names_what_it_deploys(project: View, _: Settings) -> Verdict:
    """An Argo CD project names its repositories, or both its namespaces and its kinds of the whole cluster."""
    spec = project.block("spec")
    if spec is None or not spec.count("sourceRepos"):
        return NOT_APPLICABLE
    if "*" not in spec.texts("sourceRepos"):
        return PASS
    message = f"{spec.at('sourceRepos')} has *, and {{}}"
    return together(
        (
            *(_of_destination(place, message) for place in spec.blocks("destinations")),
            *(_of_kind(place, message) for place in spec.blocks("clusterResourceWhitelist")),
        )
    )


def _of_destination(destination: Block, message: str) -> Verdict:
    at = destination.at("namespace")
    return allow(destination.text("namespace") != "*", message.format(f"{at} is *"), path=at)


def _of_kind(kind: Block, message: str) -> Verdict:
    at = kind.at("kind")
    return allow({kind.text("group"), kind.text("kind")} != {"*"}, message.format(f"{at} of any group is *"), path=at)
