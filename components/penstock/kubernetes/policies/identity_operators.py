"""Identity on Kubernetes: who may use what operators run, such as Argo CD's projects and stores of secrets."""

from __future__ import annotations

from penstock.graph.property_path import Location
from penstock.graph.verdict import NOT_APPLICABLE, PASS, UNKNOWN, Verdict, allow, each, fail, together
from penstock.graph.view import Block, View
from penstock.kubernetes.facts.charts import HELM_CHARTS
from penstock.kubernetes.model import namespaces
from penstock.kubernetes.policies.helm_values import has_files, has_unknown, value_entries
from penstock.rules.checks import Given
from penstock.rules.comparing import same, shown
from penstock.rules.levels import CRITICAL, HIGH, MEDIUM, Category
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
    on=tuple(_APPLICATIONS),
    severity=MEDIUM,
    rationale="Each pod that reaches the driver's port joins as an executor, and gets its code, its data and its keys.",
    fix='Set "spark.authenticate" to "true" in sparkConf; on Kubernetes Spark makes a secret for each application, and '
    '"spark.network.crypto.enabled" encrypts the traffic with it.',
    sources=("Spark docs, security: authentication <https://spark.apache.org/docs/latest/security.html>",),
)
def k8s_spark_authenticate(application: View, _: Settings) -> Verdict:
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
    on="kubernetes:argoproj.io/v1alpha1:AppProject",
    severity=HIGH,
    rationale=(
        "Whoever may create an Application in the project deploys a repository of their own with Argo CD's rights: "
        "into kube-system, or a ClusterRoleBinding that makes them administrator."
    ),
    fix="List the repositories in spec.sourceRepos, the namespaces in spec.destinations, and the kinds that the team "
    "needs in spec.clusterResourceWhitelist.",
    sources=("Argo CD docs, projects <https://argo-cd.readthedocs.io/en/stable/user-guide/projects/>",),
)
def k8s_argocd_project_scoped(project: View, _: Settings) -> Verdict:
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


_CONFIG_MAP = "kubernetes:core/v1:ConfigMap"
_SETTINGS_MAP, _RIGHTS_MAP = "argocd-cm", "argocd-rbac-cm"
_ANONYMOUS, _DEFAULT_ROLE, _ADMIN = "users.anonymous.enabled", "policy.default", "role:admin"
_ON = ("true", True)


@RULES.rule(
    on=(_CONFIG_MAP, *HELM_CHARTS),
    joins=True,
    severity=CRITICAL,
    rationale=(
        "Whoever reaches its page deploys anything with Argo CD's rights, without a login, into each cluster that it "
        "manages."
    ),
    fix='Set users.anonymous.enabled to "false" in argocd-cm, and policy.default to role:readonly or "" in '
    "argocd-rbac-cm.",
    sources=(
        (
            "Argo CD docs, RBAC: anonymous access and policy.default "
            "<https://argo-cd.readthedocs.io/en/stable/operator-manual/rbac/>"
        ),
    ),
)
def k8s_argocd_no_anonymous_admin(it: View, _: Settings) -> Verdict:
    """Argo CD gives nobody administrator rights without a login."""
    if it.type in HELM_CHARTS:
        return _of_chart(it)
    data = it.block("data")
    if data is None or _ANONYMOUS not in data or it.text("metadata.name") != _SETTINGS_MAP:
        return NOT_APPLICABLE
    if data.value(_ANONYMOUS) not in _ON:
        return PASS
    beside, perhaps = namespaces.objects_beside(it, _CONFIG_MAP)
    rights = [each_ for each_ in beside if each_.text("metadata.name") == _RIGHTS_MAP]
    if not rights:
        return UNKNOWN if perhaps else PASS  # without one nobody has rights by default
    return each(rights, lambda map_: _of_role(map_.block("data"), data.at(f'"{_ANONYMOUS}"')))


def _of_role(data: Block | None, path: str) -> Verdict:
    role = None if data is None else data.text(_DEFAULT_ROLE)
    return allow(role != _ADMIN, f"{path} is true, and {_DEFAULT_ROLE} in {_RIGHTS_MAP} is {role}", path=path)


def _of_chart(release: View) -> Verdict:
    values = value_entries(release)
    anonymous = next((entry for entry in values if entry.key == _ANONYMOUS), None)
    role = next((entry.value for entry in values if entry.key == _DEFAULT_ROLE), None)
    if anonymous is not None and anonymous.value in _ON and role == _ADMIN:
        return fail(f"{anonymous.path} is true, and {_DEFAULT_ROLE} is {_ADMIN}", path=anonymous.path)
    if has_unknown(values) or has_files(release):
        return UNKNOWN
    return NOT_APPLICABLE if anonymous is None else PASS


RULES.row(
    "k8s-secret-store-scoped",
    "A store of secrets for the whole cluster names the namespaces that may use it.",
    on=tuple(f"kubernetes:external-secrets.io/{version}:ClusterSecretStore" for version in ("v1", "v1beta1")),
    check=Given("spec.conditions"),
    severity=MEDIUM,
    rationale=(
        "Each team that may create an ExternalSecret in its own namespace reads every secret that the store's "
        "identity reads, those of other teams included."
    ),
    fix="List the namespaces in spec.conditions, by name or by namespaceSelector, or give each team a SecretStore.",
    sources=(
        (
            "External Secrets Operator docs, ClusterSecretStore "
            "<https://external-secrets.io/latest/api/clustersecretstore/>"
        ),
    ),
)


@RULES.rule(
    on=tuple(f"kubernetes:security.istio.io/{version}:AuthorizationPolicy" for version in ("v1", "v1beta1")),
    severity=MEDIUM,
    rationale=(
        "An empty rule matches each request, so no other policy of ALLOW keeps anything out: each pod in the mesh, and "
        "who is not in it, calls the workload."
    ),
    fix="Name the callers in from.source.principals or namespaces, and what they may do in to.operation, of each entry "
    "of spec.rules.",
    sources=(
        "Istio docs, authorization policy <https://istio.io/latest/docs/reference/config/security/authorization-policy/>",
    ),
)
def k8s_mesh_allow_named(policy: View, _: Settings) -> Verdict:
    """A policy of Istio that allows says which requests it allows; that of a gateway may allow all."""
    spec = policy.block("spec")
    if spec is None or (spec.text("action") or "ALLOW") != "ALLOW" or _is_of_gateway(spec):
        return NOT_APPLICABLE
    return each(
        spec.blocks("rules"),
        lambda rule: allow(
            any(rule.count(key) for key in ("from", "to", "when")),
            f"{rule.at('from')} is not set",
            path=rule.at("from"),
        ),
    )


def _is_of_gateway(spec: Block) -> bool:
    """Return whether a policy is of an entrance, which takes requests of everybody."""
    labels = spec.block("selector.matchLabels")
    named = [] if labels is None else [labels.text(key) or "" for key in labels]
    return any("gateway" in label for label in named) or any(
        target.text("kind") == "Gateway" for target in spec.blocks("targetRefs")
    )
