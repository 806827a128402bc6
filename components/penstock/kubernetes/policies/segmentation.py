"""Segmentation on Kubernetes: which pods reach each other, and what the world reaches."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from penstock.core.wording import inflect, listed
from penstock.graph.values import Secret, Unknown
from penstock.graph.verdict import NOT_APPLICABLE, PASS, UNKNOWN, NotKnown, Verdict, allow, each, fail, together
from penstock.graph.view import Block, View
from penstock.kubernetes.facts.charts import HELM_CHARTS
from penstock.kubernetes.facts.custom_kinds import is_custom
from penstock.kubernetes.model import namespaces
from penstock.kubernetes.model.namespaces import NAMESPACE
from penstock.kubernetes.model.pods.containers import RAY_CLUSTERS, WORKLOADS, makes_pods
from penstock.kubernetes.policies import operators
from penstock.kubernetes.policies.entrances import alb_has_tls, gateway_has_tls, ingress_has_tls
from penstock.kubernetes.policies.helm_values import Entry, has_files, has_unknown, value_entries
from penstock.model.openings.addresses import open_range
from penstock.rules.checks import Absent, All, ByType, Each, Either, Given, Is, OneOf, Where
from penstock.rules.comparing import same, shown
from penstock.rules.levels import HIGH, LOW, MEDIUM, Category
from penstock.rules.rule import RuleSet
from penstock.rules.settings import Settings

RULES = RuleSet(Category.SEGMENTATION)

_SERVICE = "kubernetes:core/v1:Service"
_INTERNAL = {
    "service.beta.kubernetes.io/aws-load-balancer-scheme": ("internal",),
    "service.beta.kubernetes.io/aws-load-balancer-internal": ("true", "0.0.0.0/0"),
    "networking.gke.io/load-balancer-type": ("internal",),
    "cloud.google.com/load-balancer-type": ("internal",),
    "service.beta.kubernetes.io/azure-load-balancer-internal": ("true",),
}
"""Annotations, with the values by which a cloud creates a load balancer that only its own networks reach."""
_SCHEME = "service.beta.kubernetes.io/aws-load-balancer-scheme"
_TYPE = "service.beta.kubernetes.io/aws-load-balancer-type"
_RANGES = (
    "service.beta.kubernetes.io/load-balancer-source-ranges",
    "service.beta.kubernetes.io/azure-allowed-ip-ranges",
)
"""Annotations with ranges, as spec.loadBalancerSourceRanges has them."""
_ABOUT_BALANCERS = frozenset(
    {*_INTERNAL, *_RANGES, _TYPE, "configuration", "loadBalancerClass", "loadBalancerSourceRanges", "service"}
)
"""Keys of what makes a balancer internal, and of the objects that operators and charts keep it in."""
_OF_EGRESS = ("outbound", "egress")
_INTERNAL_CLASSES = (
    "service.k8s.aws/nlb",
    "eks.amazonaws.com/nlb",
    "networking.gke.io/l4-regional-internal",
    "networking.gke.io/l4-regional-internal-legacy",
    "tailscale",
)
"""Controllers whose load balancers are internal unless configured otherwise."""
_PORT_OF_HTTPS = 443
_SERVE = "spec.serveService"
_ENFORCED = 'metadata.labels."pod-security.kubernetes.io/enforce"'
_BY_POLICY = 'metadata.labels."penstock.dev/pod-security"'
"""The level to which an admission policy of ours holds pods that need an exception for their fabric."""

_REFUSING = Either(OneOf(_ENFORCED, ("restricted", "baseline")), Is(_BY_POLICY, "baseline"))

_INGRESS = "kubernetes:networking.k8s.io/v1:Ingress"
_GATEWAYS = tuple(f"kubernetes:gateway.networking.k8s.io/{version}:Gateway" for version in ("v1", "v1beta1"))
_ALB_SETTINGS = {
    "kubernetes:elbv2.k8s.aws/v1beta1:IngressClassParams": "inboundCIDRs",
    "kubernetes:eks.amazonaws.com/v1:IngressClassParams": "inboundCIDRs",
    "kubernetes:gateway.k8s.aws/v1beta1:LoadBalancerConfiguration": "sourceRanges",
}
"""What AWS's controllers read a load balancer's scheme from, with the place of the ranges that may come in."""
_ALB = "alb.ingress.kubernetes.io"
_OF_GOOGLE = ("kubernetes.io/ingress.global-static-ip-name", "networking.gke.io/managed-certificates")
"""Annotations of GKE's external load balancers; the internal one takes neither."""
_APPLICATION_GATEWAYS = ("azure/application-gateway", "azure-application-gateway")
_SERVICE_TYPE = "networking.istio.io/service-type"


@RULES.rule(
    on=(_SERVICE, *RAY_CLUSTERS),
    severity=HIGH,
    rationale=(
        "A LoadBalancer gets a public address unless configured otherwise: an inference server or a dashboard is "
        "then on the internet, with whatever login it has."
    ),
    fix="Set the cloud's annotation for an internal load balancer (aws-load-balancer-scheme: internal, "
    "networking.gke.io/load-balancer-type: Internal, azure-load-balancer-internal), or loadBalancerSourceRanges; set "
    "serviceType of a Ray head to ClusterIP. An intended entrance has port 443 only.",
    peers="C-0021 KICS:26763a1c",
)
def k8s_svc_lb_internal(service: View, settings: Settings) -> Verdict:
    """A load balancer of a Service is internal, or open to named ranges only."""
    if settings.parameters.public_load_balancers:
        return NOT_APPLICABLE
    if service.type == _SERVICE:
        return _of_service(service)
    cluster = RAY_CLUSTERS[service.type]
    inside = [place for path in (f"{cluster}.headGroupSpec.headService", _SERVE) for place in service.locations(path)]
    return together(
        (
            each(service.locations(cluster), lambda place: _of_head(service.within(place))),
            each(inside, lambda place: _of_service(service.within(place))),
        )
    )


def _of_service(service: Block) -> Verdict:
    """A Service whose only port is that of HTTPS is an intended entrance, such as a gateway's."""
    spec = service.block("spec")
    if spec is None:
        return NOT_APPLICABLE
    said = judge_balancer(spec, "type", annotations_of(service))
    ports = spec.blocks("ports") if said.failures else []
    if not ports:
        return said
    others = [shown(port.value("port")) for port in ports if not same(port.value("port"), _PORT_OF_HTTPS)]
    reached = f"{inflect(len(others), 'port', 'ports')} {listed(others)}"
    return allow(
        not others, f"{spec.at('type')} is LoadBalancer, and the world reaches {reached}", path=spec.at("type")
    )


def _of_head(cluster: Block) -> Verdict:
    """The Service that KubeRay makes for a head: its dashboard starts jobs for whoever reaches it."""
    head = cluster.block("headGroupSpec")
    return (
        NOT_APPLICABLE if head is None else judge_balancer(head, "serviceType", cluster.block("headServiceAnnotations"))
    )


def judge_balancer(spec: Block, key: str, annotations: Block | None) -> Verdict:
    """Return whether a load balancer, if the type at `key` asks for one, is internal or open to named ranges only."""
    if spec.text(key) != "LoadBalancer":
        return NOT_APPLICABLE
    if _are_narrow(spec.texts("loadBalancerSourceRanges")):
        return PASS
    annotations = Block({}, "", spec.owner) if annotations is None else annotations
    is_inside = _is_internal(annotations, spec) or any(
        _are_narrow((annotations.text(key) or "").split(",")) for key in _RANGES
    )
    return allow(is_inside, f"{spec.at(key)} is LoadBalancer, and the world reaches it", path=spec.at(key))


def _are_narrow(ranges: list[str]) -> bool:
    """Return whether ranges are given that leave most of the world out."""
    given = [each.strip() for each in ranges if each.strip()]
    return bool(given) and open_range(given) is None


def _is_internal(annotations: Block, spec: Block) -> bool:
    if any((annotations.text(key) or "").casefold() in values for key, values in _INTERNAL.items()):
        return True
    # AWS's own controller makes what it is in charge of internal, where no scheme says otherwise.
    by_default = spec.text("loadBalancerClass") in _INTERNAL_CLASSES or annotations.text(_TYPE) in (
        "external",
        "nlb-ip",
    )
    return by_default and annotations.text(_SCHEME) is None


@RULES.rule(
    on=HELM_CHARTS,
    severity=HIGH,
    rationale="What a chart puts behind a public address is often a dashboard or an API without a login of its own.",
    fix="Set the cloud's annotation for an internal load balancer, or loadBalancerSourceRanges, beside type in values; "
    "or leave type at ClusterIP.",
)
def k8s_helm_lb_internal(release: View, settings: Settings) -> Verdict:
    """A load balancer that the values of a chart ask for is internal, or open to named ranges only."""
    if settings.parameters.public_load_balancers:
        return NOT_APPLICABLE
    said = _of_all_that_is_asked_for(value_entries(release), release)
    return UNKNOWN if not said.failures and has_files(release) else said


@RULES.rule(
    on="kubernetes:*",
    severity=HIGH,
    rationale=(
        "Operators put model servers, vector stores and queues behind a public address when asked for a LoadBalancer, "
        "and most of these have no login of their own."
    ),
    fix="Set the cloud's annotation for an internal load balancer, or loadBalancerSourceRanges, beside the type; or "
    "leave the type at ClusterIP.",
)
def k8s_custom_lb_internal(it: View, settings: Settings) -> Verdict:
    """A load balancer that an operator creates is internal, or open to named ranges only."""
    has_own_rule = not is_custom(it.type) or it.type in (*HELM_CHARTS, *RAY_CLUSTERS)
    if settings.parameters.public_load_balancers or has_own_rule:
        return NOT_APPLICABLE
    return _of_all_that_is_asked_for(list(operators.operator_entries(it)), it)


def _of_all_that_is_asked_for(found: Sequence[Entry], it: View) -> Verdict:
    asked_for = [entry for entry in found if _is_asked_for(entry) or _is_public_alb(entry)]
    said = each(asked_for, lambda entry: _of_entry(entry, found, it))
    return UNKNOWN if not said.failures and has_unknown(found) else said


def _is_asked_for(entry: Entry) -> bool:
    """Return whether a value asks for a balancer. AKS describes its egress by outboundType, which opens nothing."""
    key = entry.key.casefold()
    return key.endswith("type") and not key.startswith(_OF_EGRESS) and same(entry.value, "LoadBalancer")


def _is_public_alb(entry: Entry) -> bool:
    return entry.key == f"{_ALB}/scheme" and entry.value == "internet-facing"


def _of_entry(asked_for: Entry, found: Sequence[Entry], it: View) -> Verdict:
    home = asked_for.path.removesuffix(asked_for.key)
    beside = [entry for entry in found if entry.path.startswith(home)]
    others = tuple(
        f"{each_.path}." for each_ in beside if isinstance(each_.value, Mapping) and "enabled" in each_.value
    )
    own = [entry for entry in beside if not entry.path.startswith(others)]  # what is enabled by itself is another one
    values = Block({entry.key: entry.value for entry in own if not isinstance(entry.value, Mapping)}, home, it)
    if any(_may_be_inside(entry) for entry in own):
        return UNKNOWN
    if _is_public_alb(asked_for):
        is_inside = _are_narrow((values.text(f"{_ALB}/inbound-cidrs") or "").split(","))
        return allow(is_inside, f"{asked_for.path} is internet-facing", path=asked_for.path)
    ranges = [entry.value for entry in own if entry.key == "loadBalancerSourceRanges" and isinstance(entry.value, str)]
    is_inside = _is_internal(values, values) or _are_narrow(ranges)
    return allow(is_inside, f"{asked_for.path} is LoadBalancer, and the world reaches it", path=asked_for.path)


def _may_be_inside(entry: Entry) -> bool:
    """Return whether a value is not known that may make a balancer internal, or be around what does."""
    is_about = entry.key in _ABOUT_BALANCERS or entry.key.casefold().endswith("annotations")
    return isinstance(entry.value, Unknown) or (isinstance(entry.value, Secret) and is_about)


@RULES.rule(
    on=(_INGRESS, *_GATEWAYS, *_ALB_SETTINGS),
    severity=HIGH,
    rationale=(
        "Notebooks, dashboards and model endpoints behind it answer everybody on the internet, and logins, prompts and "
        "answers cross it in clear."
    ),
    fix="Give an intended public entrance a certificate (spec.tls, or a listener of protocol HTTPS). Make others "
    "internal by the scheme internal (AWS), the class gce-internal or gke-l7-rilb (Google) or use-private-ip (Azure), "
    "or name the ranges that may come in. The parameter public_load_balancers allows all of a stack's entrances.",
    peers="C-0266",
)
def k8s_ingress_internal(way: View, settings: Settings) -> Verdict:
    """An Ingress or a Gateway serves TLS, or is reached from inside or from named ranges only."""
    spec = way.block("spec")
    if settings.parameters.public_load_balancers or spec is None:
        return NOT_APPLICABLE
    if way.type in _ALB_SETTINGS:
        said = _of_alb(spec, "scheme", spec.texts(_ALB_SETTINGS[way.type]))
        return PASS if said is not PASS and alb_has_tls(spec) else said
    annotations = annotations_of(way)
    is_ingress = way.type == _INGRESS
    said = judge_ingress(spec, annotations) if is_ingress else _of_gateway(spec, annotations)
    if said in (PASS, NOT_APPLICABLE):
        return said
    has_tls = ingress_has_tls(spec, annotations) if is_ingress else gateway_has_tls(spec)
    return PASS if has_tls else said


def annotations_of(it: Block, key: str = "metadata") -> Block:
    """The annotations in the metadata of an object; empty where it has none."""
    holder = it.block(key)
    found = None if holder is None else holder.block("annotations")
    return Block({}, f"{it.at(key)}.annotations", it.owner) if found is None else found


def _of_alb(annotations: Block, key: str, ranges: list[str]) -> Verdict:
    """A load balancer of AWS's controllers is internal where no scheme says otherwise."""
    if annotations.text(key) != "internet-facing" or _are_narrow(ranges):
        return PASS
    return fail(f"{annotations.at(key)} is internet-facing", path=annotations.at(key))


def judge_ingress(spec: Block, annotations: Block) -> Verdict:
    """Return whether an Ingress is internal; not applicable where its controller has a Service, such as NGINX's."""
    class_ = annotations.text("kubernetes.io/ingress.class") or spec.text("ingressClassName")
    if class_ in _APPLICATION_GATEWAYS:
        is_inside = annotations.flag("appgw.ingress.kubernetes.io/use-private-ip")
        return allow(is_inside, f"its class is {class_}, whose addresses are public", path=spec.at("ingressClassName"))
    if class_ in ("gce", "gce-internal") or (class_ is None and any(key in annotations for key in _OF_GOOGLE)):
        return allow(class_ == "gce-internal", "Google's external load balancer serves it", path="metadata.annotations")
    if class_ != "alb" and f"{_ALB}/scheme" not in annotations:
        return NOT_APPLICABLE
    said = _of_alb(annotations, f"{_ALB}/scheme", (annotations.text(f"{_ALB}/inbound-cidrs") or "").split(","))
    return said if said is PASS or f"{_ALB}/security-groups" not in annotations else UNKNOWN


def _of_gateway(spec: Block, annotations: Block) -> Verdict:
    class_ = spec.text("gatewayClassName") or ""
    if class_.startswith("gke-l7-"):
        is_inside = "external" not in class_ and "gxlb" not in class_
        return allow(is_inside, f"its class is {class_}, whose addresses are public", path=spec.at("gatewayClassName"))
    if class_ != "istio":
        return UNKNOWN  # the controller's settings decide, which are not part of it
    handed_on = (annotations, annotations_of(spec, "infrastructure"))
    if any((it.text(_SERVICE_TYPE) or "LoadBalancer") != "LoadBalancer" for it in handed_on):
        return PASS
    is_inside = any(_is_internal(it, spec) for it in handed_on)
    return allow(
        is_inside, "Istio creates a LoadBalancer for it, and the world reaches it", path=spec.at("infrastructure")
    )


RULES.row(
    "k8s-svc-no-external-ip",
    "A Service claims no addresses of its own choice.",
    on=(_SERVICE, f"{_SERVICE}Patch"),
    check=Absent("spec.externalIPs"),
    severity=HIGH,
    rationale=(
        "Nodes then send what is meant for those addresses to the Service, be they anybody's: one team reads another's "
        "traffic (CVE-2020-8554)."
    ),
    fix="Remove spec.externalIPs, and let a load balancer give the address.",
    peers="KSV-0108",
)
RULES.row(
    "k8s-pv-no-hostpath",
    "A volume is not a directory of a node.",
    on="kubernetes:core/v1:PersistentVolume",
    check=Absent("spec.hostPath"),
    severity=HIGH,
    rationale=(
        "A claim then mounts the node's file system past every rule on pods: kubelet's keys, the runtime's socket."
    ),
    fix="Replace spec.hostPath by spec.csi, or by spec.local with the node's affinity for disks of the node; "
    "the volume is replaced.",
    peers="KICS:5308a7a8 KICS:aa8f7a35",
)
RULES.row(
    "k8s-ns-pss",
    "A namespace refuses privileged pods.",
    on=(NAMESPACE, f"{NAMESPACE}Patch"),
    check=ByType(
        {
            NAMESPACE: _REFUSING,
            f"{NAMESPACE}Patch": Where(Given(_ENFORCED), _REFUSING),
        }
    ),
    severity=MEDIUM,
    rationale="Whoever may create a pod in it may otherwise create a privileged one, and is root on a node with it.",
    fix="Set the label pod-security.kubernetes.io/enforce to restricted or baseline; existing pods stay until they "
    "are recreated.",
    peers="C-0192 C-0193 C-0194 C-0195 C-0196 C-0202 C-0203 C-0204 C-0199",
    cis=("K8s 1.12: 5.2.1",),
)


@RULES.rule(
    on=WORKLOADS,
    severity=LOW,
    rationale=(
        "Quotas, network policies and rights are given by namespace: what lies in default is under none of its own."
    ),
    fix="Set metadata.namespace, or the namespace of the provider.",
    peers="CKV_K8S_21 KSV-0110 C-0061 C-0212 KICS:611ab018",
    cis=("K8s 1.12: 5.7.4", "EKS 1.8: 4.5.2"),
)
def k8s_no_default_ns(workload: View, _: Settings) -> Verdict:
    """A workload lies in a namespace of its own."""
    if not makes_pods(workload) or workload.type.rpartition(":")[2].startswith("Cluster"):
        return NOT_APPLICABLE
    try:
        home = namespaces.namespace_of(workload)
    except NotKnown:
        return PASS if namespaces.is_of_program(workload) else UNKNOWN
    return allow(home != "default", "the workload is in the namespace default", path="metadata.namespace")


_SNIPPETS = (
    *(
        f"nginx.ingress.kubernetes.io/{name}-snippet"
        for name in ("auth", "configuration", "modsecurity", "server", "stream")
    ),
    "nginx.org/location-snippets",
    "nginx.org/server-snippets",
)
"""Annotations of both controllers, the community's and that of NGINX itself."""
RULES.row(
    "k8s-ingress-no-snippet",
    "An Ingress puts no text of its own into the configuration of NGINX.",
    on=_INGRESS,
    check=All(*(Absent(f'metadata.annotations."{name}"') for name in _SNIPPETS)),
    severity=MEDIUM,
    rationale=(
        "Whoever may create an Ingress then runs code in the controller, and reads the Secrets of all namespaces with "
        "its token (CVE-2021-25742)."
    ),
    fix="Use the annotation for that purpose, such as whitelist-source-range or proxy-body-size.",
    peers="CKV_K8S_152 CKV_K8S_153 CKV_K8S_154 KCV-0093 C-0059",
)
RULES.row(
    "k8s-reference-grant-named",
    "What another namespace may use of Secrets is named.",
    on="kubernetes:gateway.networking.k8s.io/v1beta1:ReferenceGrant",
    check=Each("spec.to[]", Where(Is("kind", value="Secret"), Given("name"))),
    severity=MEDIUM,
    rationale=(
        "Without a name every Secret of the namespace may be referred to, and a Gateway elsewhere serves with any of "
        "its certificates."
    ),
    fix="Set name of each entry of spec.to to the one Secret that is meant.",
)
