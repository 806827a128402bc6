"""Segmentation on Google Cloud."""

from __future__ import annotations

from collections.abc import Iterator

from penstock.gcp.model.openings import (
    EVERYWHERE,
    POLICIES_WITH_RULES,
    GcpOpening,
    firewall_opening,
    policy_opening,
    policy_rules,
)
from penstock.gcp.types import (
    COMPUTE_FIREWALL,
    COMPUTE_NETWORK,
    COMPUTE_NETWORK_FIREWALL_POLICY_WITH_RULES,
    COMPUTE_SUBNETWORK,
    CONTAINER_CLUSTER,
    CONTAINER_NODE_POOL,
    ORGANIZATIONS_PROJECT,
    STORAGE_BUCKET,
)
from penstock.graph.verdict import NOT_APPLICABLE, PASS, UNKNOWN, Outcome, Verdict, allow, each, fail
from penstock.graph.view import Block, View
from penstock.model.openings.addresses import open_range, public_range
from penstock.policies.open_world import NotOpen, is_small, refuse_world
from penstock.rules.checks import Absent, All, ByType, Custom, Either, Given, Has, Is, IsNot, OneOf, Where
from penstock.rules.levels import CRITICAL, HIGH, LOW, MEDIUM, Category
from penstock.rules.rule import RuleSet
from penstock.rules.settings import Settings

RULES = RuleSet(Category.SEGMENTATION)

_POLICY = "gcp:compute/networkFirewallPolicy:NetworkFirewallPolicy"
_REGION_POLICY = "gcp:compute/regionNetworkFirewallPolicy:RegionNetworkFirewallPolicy"
_POLICY_RULE = "gcp:compute/networkFirewallPolicyRule:NetworkFirewallPolicyRule"
_ASSOCIATION = "gcp:compute/networkFirewallPolicyAssociation:NetworkFirewallPolicyAssociation"
_POLICY_RULES = (
    _POLICY_RULE,
    "gcp:compute/regionNetworkFirewallPolicyRule:RegionNetworkFirewallPolicyRule",
    "gcp:compute/firewallPolicyRule:FirewallPolicyRule",
)


@RULES.rule(
    on=COMPUTE_FIREWALL,
    severity=CRITICAL,
    rationale="Scanners find an open port within minutes; one weak password or unpatched service behind it is enough.",
    fix=(
        "Name in sourceRanges who needs the port, or Google's own ranges (35.235.240.0/20 for SSH by IAP, "
        "35.191.0.0/16 and 130.211.0.0/22 for load balancers)."
    ),
    peers="CKV2_GCP_12 CKV_GCP_2 CKV_GCP_3 CKV_GCP_75 CKV_GCP_77 CKV_GCP_88 GCP-0027 GCP-0070 GCP-0071 KICS:678fd659 "
    "KICS:c4dcdcdf",
    cis=("GCP 4.0: 3.6", "GCP 4.0: 3.7"),
)
def gcp_fw_no_world(it: View, settings: Settings) -> Verdict:
    """A firewall rule lets the whole internet reach public ports only."""
    opening = firewall_opening(it)
    return _refuses_world(opening, settings) if opening.lets_in else NOT_APPLICABLE


def _refuses_world(opening: GcpOpening, settings: Settings) -> Verdict:
    sources, public = opening.sources, settings.parameters.public_ports
    return each(
        opening.admitted,
        lambda admitted: refuse_world(sources, lambda: opening.reach(admitted), public, opening.path),
    )


def _policy(it: View, settings: Settings) -> Verdict:
    def one(rule: Block) -> Verdict:
        opening = policy_opening(rule)
        if opening is None or not opening.lets_in:
            return NOT_APPLICABLE
        return PASS if opening.is_from_inside else _refuses_world(opening, settings)

    return each(policy_rules(it), one)


RULES.row(
    "gcp-fwpolicy-no-world",
    "A rule of a firewall policy lets the whole internet reach public ports only.",
    on=(*_POLICY_RULES, *POLICIES_WITH_RULES),
    check=ByType(
        {
            **dict.fromkeys(_POLICY_RULES, Custom(_policy)),
            **dict.fromkeys(POLICIES_WITH_RULES, Custom(_policy)),
        }
    ),
    severity=CRITICAL,
    rationale=(
        "A policy outranks the rules of a network: what it opens to the internet no firewall below it closes again."
    ),
    fix="Name in match.srcIpRanges who needs the port, or use goto_next and let each network decide.",
)


def _all_ports(it: View, _: Settings) -> Verdict:
    return _names_ports(firewall_opening(it))


def _names_ports(opening: GcpOpening | None) -> Verdict:
    if opening is None or not opening.lets_in:
        return NOT_APPLICABLE

    def one(admitted: Block) -> Verdict:
        reach, path = opening.reach(admitted), opening.protocol_path(admitted)
        return allow(not reach.is_everything, f"{path} lets in {reach}", path=path)

    return each(opening.admitted, one)


def _all_ports_of_policy(it: View, _: Settings) -> Verdict:
    if any((policy.text("policyType") or "").startswith("RDMA") for policy in _policies_of(it)):
        return NOT_APPLICABLE  # RoCE sends to any port, on a network that carries nothing else
    return each(policy_rules(it), lambda rule: _names_ports(policy_opening(rule)))


def _policies_of(it: View) -> list[View]:
    return [it] if it.type in POLICIES_WITH_RULES else it.found("firewallPolicy", _POLICY, _REGION_POLICY)


RULES.row(
    "gcp-fw-no-all-ports",
    "A firewall rule that lets traffic in names its ports, in a network or in a policy.",
    on=(COMPUTE_FIREWALL, *_POLICY_RULES, *POLICIES_WITH_RULES),
    check=ByType(
        {
            COMPUTE_FIREWALL: Custom(_all_ports),
            **dict.fromkeys(_POLICY_RULES, Custom(_all_ports_of_policy, others=True)),
            **dict.fromkeys(POLICIES_WITH_RULES, Custom(_all_ports_of_policy)),
        }
    ),
    severity=HIGH,
    rationale="Whoever takes one machine in the range reaches every service of all others, the forgotten ones too.",
    fix="Give each of allows (layer4Configs of a policy) a protocol and its ports.",
    peers="CKV2_GCP_12 GCP-0072 KICS:22ef1d26",
)


def _keeps_inside(it: View, _: Settings) -> Verdict:
    """Lets private addresses only be reached: the flow logs of subnetworks have these connections already."""
    ranges = it.texts("destinationRanges")
    inside = it.text("direction") == "EGRESS" and "allows" in it and ranges and public_range(ranges) is None
    return allow(inside, "nothing else logs what it lets through", path="logConfig")


RULES.row(
    "gcp-fw-logging",
    "A firewall rule logs the connections that it decides.",
    on=COMPUTE_FIREWALL,
    check=Either(
        Given("logConfig.metadata"),
        Is("enableLogging", value=True),
        Custom(_keeps_inside),
    ),
    severity=LOW,
    rationale="After a break-in nothing shows what was reached from where.",
    fix="Set logConfig.metadata, to EXCLUDE_ALL_METADATA where the volume matters: logs are billed by size.",
)
_FOR_EVERY_MACHINE = All(
    IsNot("disabled", value=True),
    Absent("targetTags"),
    Absent("targetServiceAccounts"),
    Absent("targetSecureTags"),
)
_REFUSES_EGRESS = All(
    Given("denies"),
    Is("denies[].protocol", "all"),
    Is("destinationRanges[]", EVERYWHERE),
    _FOR_EVERY_MACHINE,
)
_REFUSES_BY_POLICY = All(
    Is("direction", "EGRESS"),
    Is("action", "deny"),
    Is("match.layer4Configs[].ipProtocol", "all"),
    Has("match.destIpRanges", (EVERYWHERE,)),
    _FOR_EVERY_MACHINE,
)
_PRIORITY = 1000
"""Of a firewall rule that names none (Compute Engine API, firewalls)."""
_AFTER_RULES = 65536
"""The order of the policies of a network: after all of its own rules (Cloud NGFW documentation, evaluation order)."""


@RULES.rule(
    on=COMPUTE_NETWORK,
    joins=True,
    severity=MEDIUM,
    rationale=(
        "Code that gets in, by a poisoned package say, sends data and weights out by any protocol to any address."
    ),
    fix=(
        "Add an EGRESS rule of priority 65534 that denies all to 0.0.0.0/0 for all machines, and above it rules for "
        "what is needed: TCP 443, and 199.36.153.4/30 or 199.36.153.8/30 for Google's APIs."
    ),
)
def gcp_fw_egress(it: View, settings: Settings) -> Verdict:
    """A network refuses egress that no rule allows."""
    if it.flag("deleteDefaultRoutesOnCreate"):
        return PASS
    outward = [rule for rule in it.referrers(COMPUTE_FIREWALL, "network") if rule.text("direction") == "EGRESS"]
    associated = [rule for link in it.referrers(_ASSOCIATION, "attachmentTarget") for rule in _rules_by(link)]
    refusals = [_REFUSES_EGRESS.asked(rule, settings) for rule in outward]
    said = [*refusals, *(_REFUSES_BY_POLICY.asked(rule, settings) for rule in associated)]
    if PASS not in said:
        complaint = "no firewall rule refuses all egress, so everything may go anywhere"
        return UNKNOWN if UNKNOWN in said else fail(complaint)
    refusing = (_priority(rule) for rule, one in zip(outward, refusals, strict=True) if one == PASS)
    last = min(refusing, default=_AFTER_RULES)
    before = [rule for rule in outward if _priority(rule) < last]
    return each(before, lambda rule: _keeps_something_in(rule, settings)) if before else PASS


def _rules_by(association: View) -> Iterator[Block]:
    """The rules that a network has by a policy of the program."""
    for policy in association.many("firewallPolicy", _POLICY, COMPUTE_NETWORK_FIREWALL_POLICY_WITH_RULES):
        yield from (
            policy_rules(policy)
            if policy.type in POLICIES_WITH_RULES
            else policy.referrers(_POLICY_RULE, "firewallPolicy")
        )


def _priority(rule: View) -> int:
    given = rule.integer("priority")
    return _PRIORITY if given is None else given


def _keeps_something_in(rule: View, settings: Settings) -> Verdict:
    """Judge an EGRESS rule: it fails if it lets every machine send everything everywhere."""
    machines = _FOR_EVERY_MACHINE.judge(rule, settings).outcome
    if "allows" not in rule or machines is Outcome.FAIL:
        return PASS
    opening = firewall_opening(rule)
    everywhere = "destinationRanges" not in rule or open_range(rule.texts("destinationRanges"))
    if not everywhere or not any(opening.reach(admitted).is_everything for admitted in opening.admitted):
        return PASS
    if machines is Outcome.UNKNOWN:
        return UNKNOWN
    return fail(f"{rule.name} lets everything out before a rule refuses it")


RULES.row(
    "gcp-net-custom-mode",
    "A network has only the subnets that someone made, and a project only the networks.",
    on=(COMPUTE_NETWORK, ORGANIZATIONS_PROJECT),
    check=ByType(
        {
            COMPUTE_NETWORK: Is("autoCreateSubnetworks", value=False),
            ORGANIZATIONS_PROJECT: Is("autoCreateNetwork", value=False),
        }
    ),
    severity=MEDIUM,
    rationale=(
        "In auto mode each region of the world gets a subnet in 10.128.0.0/9: one more place to watch, and ranges that "
        "collide with those of every other such network."
    ),
    fix="Set autoCreateSubnetworks to false, and make subnets where machines are, for an existing network is "
    "replaced; set autoCreateNetwork of a project to false, whose default network lets the internet reach SSH and "
    "RDP as well.",
    peers="CKV2_GCP_2 CKV_GCP_27 GCP-0010 KICS:59571246 KICS:700f1049",
    cis=("GCP 4.0: 3.1",),
)
RULES.row(
    "gcp-subnet-pga",
    "Machines without a public address reach Google's APIs from a subnet.",
    on=COMPUTE_SUBNETWORK,
    check=Where(
        OneOf("purpose", (None, "PRIVATE", "PRIVATE_RFC_1918")),
        Is("privateIpGoogleAccess", value=True),
    ),
    severity=MEDIUM,
    rationale="They need public addresses or a NAT to read a bucket or pull an image, and get them.",
    fix="Set privateIpGoogleAccess to true.",
    peers="CKV_GCP_74 GCP-0075 KICS:ee7b93c1",
)
RULES.row(
    "gcp-gcs-pap",
    "A bucket refuses public access.",
    on=STORAGE_BUCKET,
    check=Is("publicAccessPrevention", "enforced"),
    severity=MEDIUM,
    rationale=(
        "One binding to allUsers in haste puts the data on the internet, unless the organization's policy prevents it."
    ),
    fix="Set publicAccessPrevention to enforced.",
    peers="CKV_GCP_114 GCP-0001",
    cis=("GCP 4.0: 5.1",),
)
RULES.row(
    "gcp-gcs-ubla",
    "Access to a bucket is decided by IAM alone.",
    on=STORAGE_BUCKET,
    check=Is("uniformBucketLevelAccess", value=True),
    severity=MEDIUM,
    rationale="ACLs of single objects give access that no review of IAM shows.",
    fix="Set uniformBucketLevelAccess to true; ACLs stop to count, so grant by IAM first.",
    peers="CKV_GCP_29 GCP-0002 KICS:bb0db090",
    cis=("GCP 4.0: 5.2",),
)


@RULES.rule(
    on=(CONTAINER_CLUSTER, CONTAINER_NODE_POOL),
    joins=True,
    severity=MEDIUM,
    rationale=(
        "Each node has an address on the internet; the first firewall rule that is too wide puts what a pod opens on "
        "its host there for all."
    ),
    fix=(
        "Set privateClusterConfig.enablePrivateNodes of the cluster to true, and leave "
        "networkConfig.enablePrivateNodes of pools alone; Cloud NAT carries egress."
    ),
    peers="CKV_GCP_64 CKV_GCP_25 GCP-0059 KICS:6ccb85d7",
    cis=("GKE 1.6: 5.6.5",),
)
def gcp_gke_private_nodes(it: View, settings: Settings) -> Verdict:
    """Nodes have private addresses only."""
    if it.type == CONTAINER_NODE_POOL:
        return IsNot("networkConfig.enablePrivateNodes", value=False).judge(it, settings)
    of_cluster = All(
        Is("privateClusterConfig.enablePrivateNodes", value=True),
        IsNot("nodePools[].networkConfig.enablePrivateNodes", value=False),
    ).judge(it, settings)
    if of_cluster == PASS or not it.flag("removeDefaultNodePool"):
        return of_cluster
    private = Is("networkConfig.enablePrivateNodes", value=True)
    of_pools = each(it.referrers(CONTAINER_NODE_POOL, "cluster"), lambda pool: private.judge(pool, settings))
    return of_pools if of_pools in (PASS, UNKNOWN) else of_cluster


_AUTHORIZED = "masterAuthorizedNetworksConfig"


def _few_may_ask(it: View, _: Settings) -> Verdict:
    """Fails unless the public address answers some ranges, each as small as that of an office."""
    authorized = it.block(_AUTHORIZED)
    ranges = [] if authorized is None else [block.text("cidrBlock") for block in authorized.blocks("cidrBlocks")]
    wide = next((text for text in ranges if not is_small(text or "")), "everybody, or nobody" if not ranges else None)
    return allow(wide is None, f"a public address of the API answers {wide}", path=_AUTHORIZED)


RULES.row(
    "gcp-gke-private-endpoint",
    "The control plane of a production cluster is closed to the internet, but for IAM or a few addresses.",
    on=CONTAINER_CLUSTER,
    check=All(
        Either(
            Is("privateClusterConfig.enablePrivateEndpoint", value=True),
            Is("controlPlaneEndpointsConfig.ipEndpointsConfig.enabled", value=False),
            Custom(_few_may_ask),
        ),
        # The endpoint by name asks IAM before the API server sees a call; the cluster's own tokens would pass it by.
        IsNot("controlPlaneEndpointsConfig.dnsEndpointConfig.enableK8sTokensViaDns", value=True),
        IsNot("controlPlaneEndpointsConfig.dnsEndpointConfig.enableK8sCertsViaDns", value=True),
    ),
    severity=HIGH,
    rationale="A stolen token or a flaw of the API server can be used from anywhere.",
    fix=(
        "Set privateClusterConfig.enablePrivateEndpoint to true. Where kubectl and Pulumi have no way into the "
        "network, set controlPlaneEndpointsConfig.dnsEndpointConfig.allowExternalTraffic to true, which asks IAM, or "
        "list ranges of up to 256 addresses in masterAuthorizedNetworksConfig."
    ),
    cis=("GKE 1.6: 5.6.4",),
    in_production=True,
)


@RULES.rule(
    on=CONTAINER_CLUSTER,
    severity=MEDIUM,
    rationale=(
        "The whole internet may try stolen tokens and new flaws on the API server; without the block, that is so."
    ),
    fix=(
        "Set masterAuthorizedNetworksConfig with the cidrBlocks of offices and runners, none for nobody outside, and "
        "gcpPublicCidrsAccessEnabled to false."
    ),
    peers="CKV_GCP_18 CKV_GCP_20 GCP-0053 GCP-0061",
    cis=("GKE 1.6: 5.6.3",),
)
def gcp_gke_authorized_networks(it: View, settings: Settings) -> Verdict:
    """A control plane with a public address answers named ranges only."""
    closed = Either(
        Is("privateClusterConfig.enablePrivateEndpoint", value=True),
        Is("controlPlaneEndpointsConfig.ipEndpointsConfig.enabled", value=False),
    ).judge(it, settings)
    if closed == PASS:
        return NOT_APPLICABLE
    if closed == UNKNOWN:
        return UNKNOWN
    authorized = it.block(_AUTHORIZED)
    if authorized is None:
        return fail(f"{_AUTHORIZED} is not set, so everybody may knock", path=_AUTHORIZED)
    if not authorized.count("cidrBlocks") and not authorized.flag("gcpPublicCidrsAccessEnabled"):
        return PASS
    return All(
        NotOpen(f"{_AUTHORIZED}.cidrBlocks[].cidrBlock"),
        IsNot(f"{_AUTHORIZED}.gcpPublicCidrsAccessEnabled", value=True),
    ).judge(it, settings)


RULES.row(
    "gcp-gke-network-policy",
    "A cluster enforces network policies.",
    on=CONTAINER_CLUSTER,
    check=Either(
        Is("datapathProvider", "ADVANCED_DATAPATH"),
        Is("networkPolicy.enabled", value=True),
        Is("enableAutopilot", value=True),
    ),
    severity=MEDIUM,
    rationale="NetworkPolicy objects are accepted and do nothing: every pod reaches every other, of all teams.",
    fix="Set datapathProvider to ADVANCED_DATAPATH, which replaces the cluster, or networkPolicy.enabled to true.",
    peers="CKV_GCP_12 GCP-0056 KICS:11e7550e KICS:99976ba0",
    cis=("GKE 1.2: 5.6.7",),
)
RULES.row(
    "gcp-gke-vpc-native",
    "Pods have addresses of the network.",
    on=CONTAINER_CLUSTER,
    check=Is("networkingMode", "VPC_NATIVE"),
    severity=MEDIUM,
    rationale=(
        "With routes, firewall rules cannot distinguish pods from nodes, and Google's private services are out of "
        "reach."
    ),
    fix="Leave networkingMode out or set it to VPC_NATIVE, with an ipAllocationPolicy; it replaces the cluster.",
    peers="CKV_GCP_23 GCP-0049 KICS:c606ba1d",
    cis=("GKE 1.6: 5.6.2",),
)
RULES.row(
    "gcp-gke-intranode-vis",
    "Traffic between pods of one node passes the network's firewall and flow logs.",
    on=CONTAINER_CLUSTER,
    check=Where(IsNot("enableAutopilot", value=True), Is("enableIntranodeVisibility", value=True)),
    severity=LOW,
    rationale="Two pods on one node talk unseen: neither flow logs nor firewall rules know of it.",
    fix="Set enableIntranodeVisibility to true; flow logs grow by that traffic.",
    peers="CKV_GCP_61",
    cis=("GKE 1.6: 5.6.1",),
)
