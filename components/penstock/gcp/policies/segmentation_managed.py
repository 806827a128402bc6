"""Segmentation on Google Cloud: models, functions, data services and load balancers."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from typing_extensions import override

from penstock.gcp.model.openings import firewall_opening
from penstock.gcp.types import (
    CLOUDFUNCTIONS_FUNCTION,
    CLOUDFUNCTIONSV2_FUNCTION,
    CLOUDRUN_SERVICE,
    CLOUDRUNV2_SERVICE,
    COLAB_RUNTIME_TEMPLATE,
    COMPOSER_ENVIRONMENT,
    COMPUTE_BACKEND_SERVICE,
    COMPUTE_FIREWALL,
    COMPUTE_INSTANCE,
    COMPUTE_INSTANCE_TEMPLATE,
    COMPUTE_NETWORK,
    COMPUTE_REGION_BACKEND_SERVICE,
    COMPUTE_REGION_INSTANCE_TEMPLATE,
    COMPUTE_SUBNETWORK,
    CONTAINER_CLUSTER,
    DATAFUSION_INSTANCE,
    DATAPROC_CLUSTER,
    VERTEX_AI_ENDPOINT,
    VERTEX_AI_ENDPOINT_WITH_MODEL_GARDEN_DEPLOYMENT,
    VERTEX_AI_FEATURE_ONLINE_STORE,
)
from penstock.graph.property_path import HIDDEN, Location, PropertyPath
from penstock.graph.values import listed
from penstock.graph.verdict import NOT_APPLICABLE, PASS, UNKNOWN, Outcome, Verdict, allow, asked, each, fail
from penstock.graph.view import Block, View
from penstock.model.openings.addresses import open_range
from penstock.model.openings.reach import ports_of
from penstock.policies.open_world import NotOpen
from penstock.rules.checks import Absent, All, AtPath, ByType, Either, Given, Is, IsNot, NoneOf, OneOf, Unlike, Where
from penstock.rules.levels import LOW, MEDIUM, Category
from penstock.rules.rule import RuleSet
from penstock.rules.settings import Settings

RULES = RuleSet(Category.SEGMENTATION)

_POLICY: Final = "gcp:compute/securityPolicy:SecurityPolicy"
_POLICY_RULE: Final = "gcp:compute/securityPolicyRule:SecurityPolicyRule"
_MOST_PORTS: Final = 30
_AUTO_MODE: Final = "10.128.0.0/9"
"""The range of all subnets of networks in auto mode."""
_CVES: Final = re.compile(r"evaluatePreconfigured(?:Expr|Waf)\(\s*['\"]cve-canary['\"]")

RULES.row(
    "gcp-vertex-endpoint-private",
    "A model or a feature store of Vertex AI answers within the network only.",
    on=(VERTEX_AI_ENDPOINT, VERTEX_AI_ENDPOINT_WITH_MODEL_GARDEN_DEPLOYMENT, VERTEX_AI_FEATURE_ONLINE_STORE),
    check=ByType(
        {
            VERTEX_AI_ENDPOINT: Either(
                Given("network"), Is("privateServiceConnectConfig.enablePrivateServiceConnect", value=True)
            ),
            VERTEX_AI_ENDPOINT_WITH_MODEL_GARDEN_DEPLOYMENT: Is(
                "endpointConfig.privateServiceConnectConfig.enablePrivateServiceConnect", value=True
            ),
            VERTEX_AI_FEATURE_ONLINE_STORE: Where(
                Given("dedicatedServingEndpoint"),
                Is("dedicatedServingEndpoint.privateServiceConnectConfig.enablePrivateServiceConnect", value=True),
            ),
        }
    ),
    severity=MEDIUM,
    rationale="A token that leaked calls the model from anywhere, on your bill and with your data.",
    fix="Set privateServiceConnectConfig.enablePrivateServiceConnect to true with the projects that may connect, or "
    "network of an endpoint; the endpoint is replaced.",
    peers="CKV2_GCP_33",
)
RULES.row(
    "gcp-data-service-private",
    "Data Fusion, Composer and notebook runtimes have private addresses only.",
    on=(DATAFUSION_INSTANCE, COMPOSER_ENVIRONMENT, COLAB_RUNTIME_TEMPLATE),
    check=ByType(
        {
            DATAFUSION_INSTANCE: Is("privateInstance", value=True),
            COMPOSER_ENVIRONMENT: Either(
                Is("config.enablePrivateEnvironment", value=True),
                # Composer 1 and 2 have a block for it, and nothing private without one.
                Given("config.privateEnvironmentConfig"),
            ),
            COLAB_RUNTIME_TEMPLATE: IsNot("networkSpec.enableInternetAccess", value=True),
        }
    ),
    severity=MEDIUM,
    rationale="Machines that hold connections to every source of data can be reached from the internet.",
    fix="Set privateInstance of Data Fusion and config.enablePrivateEnvironment of Composer 3 "
    "(config.privateEnvironmentConfig before) to true, networkSpec.enableInternetAccess of a runtime template to "
    "false; the service is replaced.",
    peers="CKV_GCP_87",
)
RULES.row(
    "gcp-composer-web-ranges",
    "The web server of Composer answers named ranges only.",
    on=COMPOSER_ENVIRONMENT,
    check=NotOpen("config.webServerNetworkAccessControl.allowedIpRanges[].value"),
    severity=MEDIUM,
    rationale="Any account with a role on the environment runs pipelines from anywhere; flaws of Airflow are exposed.",
    fix="Name in config.webServerNetworkAccessControl.allowedIpRanges the ranges of offices and runners.",
)
_INSIDE: Final = ("ALLOW_INTERNAL_ONLY", "ALLOW_INTERNAL_AND_GCLB")
_CALLED: Final = {
    CLOUDFUNCTIONS_FUNCTION: Where(Is("triggerHttp", value=True), OneOf("ingressSettings", _INSIDE)),
    CLOUDFUNCTIONSV2_FUNCTION: Where(Absent("eventTrigger"), OneOf("serviceConfig.ingressSettings", _INSIDE)),
    CLOUDRUNV2_SERVICE: OneOf("ingress", ("INGRESS_TRAFFIC_INTERNAL_ONLY", "INGRESS_TRAFFIC_INTERNAL_LOAD_BALANCER")),
    CLOUDRUN_SERVICE: OneOf(
        'metadata.annotations."run.googleapis.com/ingress"', ("internal", "internal-and-cloud-load-balancing")
    ),
}

RULES.row(
    "gcp-function-ingress",
    "A function or a service of Cloud Run takes calls from the network or through a load balancer only.",
    on=tuple(_CALLED),
    check=ByType(_CALLED),
    severity=LOW,
    rationale="Its address is on the internet, and IAM is its only protection: no firewall sees calls.",
    fix="Set ingressSettings (serviceConfig.ingressSettings) to ALLOW_INTERNAL_ONLY, or to ALLOW_INTERNAL_AND_GCLB "
    "with a load balancer in front; ingress of Cloud Run to INGRESS_TRAFFIC_INTERNAL_ONLY or "
    "INGRESS_TRAFFIC_INTERNAL_LOAD_BALANCER (the annotation run.googleapis.com/ingress of the older Service to "
    "internal or internal-and-cloud-load-balancing).",
    peers="CKV_GCP_124",
)


@RULES.rule(
    on=COMPUTE_FIREWALL,
    severity=LOW,
    rationale="Services that nobody thought of answer somewhere in the range.",
    fix=f"Name in ports the ports that are needed, or ranges of {_MOST_PORTS} ports at most.",
    peers="GCP-0074 KICS:e6f61c37",
)
def gcp_fw_port_range(it: View) -> Verdict:
    """A firewall rule that lets traffic in names ports, and no wide range of them."""
    opening = firewall_opening(it)
    if not opening.lets_in:
        return NOT_APPLICABLE

    def one(admitted: Block) -> Verdict:
        if opening.reach(admitted).is_everything:
            return NOT_APPLICABLE  # gcp-fw-no-all-ports reports it
        path = admitted.at("ports")
        ranges = [ports_of(port) for port in listed(admitted.value("ports"))]
        wide = next(((first, last) for first, last in ranges if last - first > _MOST_PORTS), None)
        return PASS if wide is None else fail(f"{path} has the range {wide[0]}-{wide[1]}", path=path)

    return each(opening.admitted, one)


@RULES.rule(
    on=COMPUTE_FIREWALL,
    severity=MEDIUM,
    rationale="Code that gets in sends data and weights out by whatever protocol the rule leaves open.",
    fix="Name TCP 443 in allows, or the ports that are needed, and the ranges of the peers in destinationRanges.",
    peers="GCP-0035",
)
def gcp_fw_egress_ports(it: View) -> Verdict:
    """A firewall rule that lets traffic out to the internet names protocols and ports."""
    if it.text("direction") != "EGRESS" or it.flag("disabled") or "allows" not in it:
        return NOT_APPLICABLE
    if "destinationRanges" in it and open_range(it.texts("destinationRanges")) is None:
        return PASS

    def one(admitted: Block) -> Verdict:
        path = admitted.at("protocol")
        named = listed(admitted.value("ports")) and not firewall_opening(it).reach(admitted).is_everything
        message = f"{path} is {admitted.text('protocol')} without ports, to any address of the internet"
        return allow(named, message, path=path)

    return each(it.blocks("allows"), one)


RULES.row(
    "gcp-fw-no-default-rules",
    "No firewall rule repeats those of the default network.",
    on=COMPUTE_FIREWALL,
    check=Where(
        All(OneOf("direction", (None, "INGRESS")), Given("allows")),
        All(
            Unlike("name", "default-allow-(?:icmp|internal|rdp|ssh|http|https)"),
            NoneOf("sourceRanges[]", (_AUTO_MODE,)),
        ),
    ),
    severity=LOW,
    rationale="These rules allow SSH, RDP and ICMP from anywhere, and every port between all subnets.",
    fix="Remove the rule, and write one for each service with the sources that need it.",
    peers="GCP-0073 KICS:40abce54",
)
RULES.row(
    "gcp-subnet-ipv6-pga",
    "Machines with IPv6 reach Google's APIs from a subnet without a public address.",
    on=COMPUTE_SUBNETWORK,
    check=Where(
        All(OneOf("stackType", ("IPV4_IPV6", "IPV6_ONLY")), OneOf("purpose", (None, "PRIVATE", "PRIVATE_RFC_1918"))),
        OneOf(
            "privateIpv6GoogleAccess", ("ENABLE_OUTBOUND_VM_ACCESS_TO_GOOGLE", "ENABLE_BIDIRECTIONAL_ACCESS_TO_GOOGLE")
        ),
    ),
    severity=LOW,
    rationale="Calls of Google's APIs over IPv6 leave by the internet, or fail where there is no way out.",
    fix="Set privateIpv6GoogleAccess to ENABLE_OUTBOUND_VM_ACCESS_TO_GOOGLE.",
    peers="CKV_GCP_76",
)


@dataclass(frozen=True, slots=True)
class NotDefaultNetwork(AtPath):
    """The property names no default network; one that the program makes never is."""

    @override
    def judge(self, it: Block, settings: Settings) -> Verdict:
        def one(place: Location) -> Verdict:
            if isinstance(place.value, HIDDEN):
                return PASS if it.owner.sources(PropertyPath.parse(place.path).top, COMPUTE_NETWORK) else UNKNOWN
            named = str(place.value or "").rpartition("/")[2]
            return allow(named != "default", f"{place.path} is the default network", path=place.path)

        return each(it.locations(self.path), one)


_NETWORKS: Final = {
    **dict.fromkeys(
        (
            COMPUTE_INSTANCE,
            COMPUTE_INSTANCE_TEMPLATE,
            COMPUTE_REGION_INSTANCE_TEMPLATE,
        ),
        NotDefaultNetwork("networkInterfaces[].network"),
    ),
    CONTAINER_CLUSTER: All(
        # GKE takes the default network where neither is given.
        Either(Given("network"), Given("subnetwork")),
        NotDefaultNetwork("network"),
    ),
    DATAPROC_CLUSTER: Where(
        Absent("virtualClusterConfig"),
        All(
            Either(Given("clusterConfig.gceClusterConfig.subnetwork"), Given("clusterConfig.gceClusterConfig.network")),
            NotDefaultNetwork("clusterConfig.gceClusterConfig.network"),
        ),
    ),
}

RULES.row(
    "gcp-no-default-network",
    "Machines and clusters are in a network that someone made.",
    on=tuple(_NETWORKS),
    check=ByType(_NETWORKS),
    severity=MEDIUM,
    rationale="The default network has a subnet in each region, and its rules allow SSH and RDP from the internet.",
    fix="Create a `Network` and a `Subnetwork`, and name them in network and subnetwork; this replaces the resource.",
    cis=("GCP 4.0: 3.1",),
)
_SPEAKS_HTTP: Final = OneOf("protocol", (None, "HTTP", "HTTPS", "HTTP2", "H2C"))
_FILTERED: Final = Where(IsNot("iap.enabled", value=True), Given("securityPolicy"))
"""Identity-Aware Proxy asks who calls before a backend sees the request."""

RULES.row(
    "gcp-lb-armor",
    "A backend that a load balancer puts on the internet is behind Cloud Armor or Identity-Aware Proxy.",
    on=(COMPUTE_BACKEND_SERVICE, COMPUTE_REGION_BACKEND_SERVICE),
    check=ByType(
        {
            COMPUTE_BACKEND_SERVICE: Where(
                All(_SPEAKS_HTTP, OneOf("loadBalancingScheme", ("EXTERNAL", "EXTERNAL_MANAGED"))), _FILTERED
            ),
            COMPUTE_REGION_BACKEND_SERVICE: Where(
                All(_SPEAKS_HTTP, Is("loadBalancingScheme", "EXTERNAL_MANAGED")), _FILTERED
            ),
        }
    ),
    severity=MEDIUM,
    rationale="Nothing limits how often a stranger calls the model, or stops requests that carry known attacks.",
    fix="Set securityPolicy to a `SecurityPolicy` with rate limits and preconfigured WAF rules, or enable iap.",
)


@RULES.rule(
    on=_POLICY,
    joins=True,
    severity=LOW,
    rationale="Log4Shell and attacks like it need one request, and unpatched libraries are in many images.",
    fix="Add a rule with action deny(403) and the expression evaluatePreconfiguredWaf('cve-canary').",
    peers="CKV_GCP_73",
)
def gcp_armor_known_attacks(it: View) -> Verdict:
    """A security policy for backends blocks known attacks such as Log4Shell."""
    if it.text("type") not in (None, "CLOUD_ARMOR"):
        return NOT_APPLICABLE
    rules = [*it.blocks_at("rules[]"), *it.referrers(_POLICY_RULE, "securityPolicy")]
    outcomes = {asked(_blocks_known_attacks, rule).outcome for rule in rules}
    if Outcome.PASS in outcomes:
        return PASS
    return UNKNOWN if Outcome.UNKNOWN in outcomes else fail("no rule blocks the attacks of cve-canary", path="rules")


def _blocks_known_attacks(rule: Block) -> Verdict:
    expressions = [place.value for place in rule.locations("match.expr.expression") if place.value is not None]
    if not expressions:
        return fail("the rule has no expression")
    match = rule.block("match")
    expr = match.block("expr") if match is not None else None
    text = (expr.text("expression") if expr is not None else None) or ""
    blocks = _CVES.search(text) and rule.text("action") != "allow" and not rule.flag("preview")
    return allow(blocks, "the rule does not block known attacks")
