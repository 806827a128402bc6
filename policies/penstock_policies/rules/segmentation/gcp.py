"""Segmentation on Google Cloud."""

from __future__ import annotations

from penstock.resources.verdict import NOT_APPLICABLE, PASS, UNKNOWN, Verdict, allow, asked, each, fail
from penstock.resources.view import Block, View
from penstock_policies.checks import (
    Absent,
    All,
    AtLeast,
    ByType,
    Custom,
    Each,
    Either,
    Given,
    Is,
    IsNot,
    NoneOf,
    OneOf,
    Where,
)
from penstock_policies.open_world import NotOpen, Reach, listed, open_range, ports_of, public_range, refuse_world
from penstock_policies.rule import CRITICAL, HIGH, LOW, MEDIUM, Concern, Rules
from penstock_policies.settings import Settings

RULES = Rules(Concern.SEGMENTATION)

_FIREWALL = "gcp:compute/firewall:Firewall"
_NETWORK = "gcp:compute/network:Network"
_SUBNETWORK = "gcp:compute/subnetwork:Subnetwork"
_BUCKET = "gcp:storage/bucket:Bucket"
_CLUSTER = "gcp:container/cluster:Cluster"
_NODE_POOL = "gcp:container/nodePool:NodePool"
_POLICY_RULES = (
    "gcp:compute/networkFirewallPolicyRule:NetworkFirewallPolicyRule",
    "gcp:compute/regionNetworkFirewallPolicyRule:RegionNetworkFirewallPolicyRule",
    "gcp:compute/firewallPolicyRule:FirewallPolicyRule",
)
_POLICIES = (
    "gcp:compute/networkFirewallPolicyWithRules:NetworkFirewallPolicyWithRules",
    "gcp:compute/regionNetworkFirewallPolicyWithRules:RegionNetworkFirewallPolicyWithRules",
    "gcp:compute/firewallPolicyWithRules:FirewallPolicyWithRules",
)
_SCOPES = ("srcNetworkContext", "srcNetworkScope")
_INSIDE = ("INTRA_VPC", "NON_INTERNET", "VPC_NETWORKS")
"""Where traffic comes from when a rule of a policy leaves the internet out, whatever its ranges are."""
_EVERYWHERE = "0.0.0.0/0"
_WORKBENCH = "gcp:workbench/instance:Instance"
_TPU = "gcp:tpu/v2Vm:V2Vm"
_QUEUED_TPU = "gcp:tpu/v2QueuedResource:V2QueuedResource"
_DATABASE = "gcp:sql/databaseInstance:DatabaseInstance"
_ALLOYDB = "gcp:alloydb/instance:Instance"


def _lets_in(it: View) -> bool:
    """Whether a firewall rule is in force and lets traffic in."""
    return (it.text("direction") or "INGRESS") == "INGRESS" and "allows" in it and not it.flag("disabled")


def _reach(allowed: Block, protocol: str = "protocol") -> Reach:
    return Reach.of(allowed.text(protocol), [ports_of(port) for port in listed(allowed.value("ports"))])


@RULES.rule(
    "gcp-fw-no-world",
    on=_FIREWALL,
    reads=("direction", "disabled", "sourceRanges", "sourceTags", "allows[].protocol", "allows[].ports"),
    weight=CRITICAL,
    why="Scanners find an open port within minutes; one weak password or unpatched service behind it is enough.",
    fix=(
        "Name in sourceRanges who needs the port, or Google's own ranges (35.235.240.0/20 for SSH by IAP, "
        "35.191.0.0/16 and 130.211.0.0/22 for load balancers)."
    ),
    peers="CKV_GCP_2 CKV_GCP_3 CKV_GCP_106 CKV2_GCP_12 GCP-0027 GCP-0070 GCP-0071",
    cis=("GCP 3.6†", "GCP 3.7†"),
)
def _firewall(it: View, settings: Settings) -> Verdict:
    """A firewall rule lets the whole internet reach public ports only."""
    if not _lets_in(it):
        return NOT_APPLICABLE
    by_name = any(it.resource.inputs.get(key) for key in ("sourceTags", "sourceServiceAccounts"))
    sources = [item for spot in it.spots("sourceRanges") for item in listed(spot.value)]
    if not sources and not by_name:
        sources = [_EVERYWHERE]
    return each(
        it.blocks("allows"),
        lambda allowed: refuse_world(
            sources, lambda: _reach(allowed), settings.parameters.public_ports, "sourceRanges"
        ),
    )


def _policy(it: View, settings: Settings) -> Verdict:
    if it.type in _POLICIES:
        return each(it.spots("rules[]"), lambda spot: _policy_rule(it.within(spot), settings))
    return _policy_rule(it, settings)


def _policy_rule(rule: Block, settings: Settings) -> Verdict:
    inward = (rule.text("direction") or "INGRESS") == "INGRESS"
    match = rule.block("match")
    if not inward or rule.text("action") != "allow" or rule.flag("disabled") or match is None:
        return NOT_APPLICABLE
    scopes = {match.text(key) for key in _SCOPES} - {None}
    if scopes.intersection(_INSIDE):
        return PASS
    sources = [item for spot in match.spots("srcIpRanges") for item in listed(spot.value)]
    if "INTERNET" in scopes and not sources:
        sources = [_EVERYWHERE]

    def one(layer: Block) -> Verdict:
        return refuse_world(
            sources, lambda: _reach(layer, "ipProtocol"), settings.parameters.public_ports, match.at("srcIpRanges")
        )

    return each(match.blocks("layer4Configs"), one)


def _read_of_policy(prefix: str) -> tuple[str, ...]:
    of_match = ("srcIpRanges", "layer4Configs[].ipProtocol", "layer4Configs[].ports")
    return (f"{prefix}direction", f"{prefix}action", *(f"{prefix}match.{path}" for path in of_match))


RULES.row(
    "gcp-fwpolicy-no-world",
    "A rule of a firewall policy lets the whole internet reach public ports only.",
    on=(*_POLICY_RULES, *_POLICIES),
    check=ByType(
        {
            **dict.fromkeys(_POLICY_RULES, Custom(_read_of_policy(""), _policy)),
            **dict.fromkeys(_POLICIES, Custom(_read_of_policy("rules[]."), _policy)),
        }
    ),
    weight=CRITICAL,
    why="A policy outranks the rules of a network: what it opens to the internet no firewall below it closes again.",
    fix="Name in match.srcIpRanges who needs the port, or use goto_next and let each network decide.",
)


@RULES.rule(
    "gcp-fw-no-all-ports",
    on=_FIREWALL,
    reads=("direction", "disabled", "allows[].protocol", "allows[].ports"),
    weight=HIGH,
    why="Whoever takes one machine in the range reaches every service of all others, the forgotten ones too.",
    fix="Give each of allows a protocol and its ports.",
    peers="CKV2_GCP_12 GCP-0072 GCP-0074",
)
def _all_ports(it: View, _: Settings) -> Verdict:
    """A firewall rule that lets traffic in names its ports."""
    if not _lets_in(it):
        return NOT_APPLICABLE

    def one(allowed: Block) -> Verdict:
        reach = _reach(allowed)
        return allow(not reach.is_everything, f"{allowed.at('protocol')} lets in {reach}", path=allowed.at("protocol"))

    return each(it.blocks("allows"), one)


def _keeps_inside(it: View, _: Settings) -> Verdict:
    """Lets private addresses only be reached: the flow logs of subnetworks have these connections already."""
    ranges = it.texts("destinationRanges")
    inside = it.text("direction") == "EGRESS" and "allows" in it and ranges and public_range(ranges) is None
    return allow(inside, "nothing else logs what it lets through", path="logConfig")


RULES.row(
    "gcp-fw-logging",
    "A firewall rule logs the connections that it decides.",
    on=_FIREWALL,
    check=Either(
        Given("logConfig.metadata"),
        Is("enableLogging", value=True),
        Custom(("direction", "allows", "destinationRanges"), _keeps_inside),
    ),
    weight=LOW,
    why="After a break-in nobody can tell what was reached from where.",
    fix="Set logConfig.metadata, to EXCLUDE_ALL_METADATA where the volume matters: logs are billed by size.",
)
_REFUSES_EGRESS = All(
    Given("denies"),
    Is("denies[].protocol", "all"),
    Is("destinationRanges[]", _EVERYWHERE),
    IsNot("disabled", value=True),
)


@RULES.rule(
    "gcp-fw-egress",
    on=_NETWORK,
    reads=("deleteDefaultRoutesOnCreate",),
    joins=True,
    weight=MEDIUM,
    why="Code that gets in, by a poisoned package say, sends data and weights out by any protocol to any address.",
    fix=(
        "Add an EGRESS rule of priority 65534 that denies all to 0.0.0.0/0, and above it rules for what is needed: "
        "TCP 443, and 199.36.153.4/30 or 199.36.153.8/30 for Google's APIs."
    ),
    peers="GCP-0035",
)
def _network_egress(it: View, settings: Settings) -> Verdict:
    """A network refuses egress that no rule allows."""
    if it.flag("deleteDefaultRoutesOnCreate"):
        return PASS
    outward = [rule for rule in it.referrers(_FIREWALL, "network") if rule.text("direction") == "EGRESS"]
    said = [asked(lambda rule: _REFUSES_EGRESS.judge(rule, settings), rule) for rule in outward]
    if PASS in said or UNKNOWN in said:
        return PASS if PASS in said else UNKNOWN
    return fail("no firewall rule refuses all egress, so everything may go anywhere")


RULES.row(
    "gcp-net-custom-mode",
    "A network has only the subnets that someone made.",
    on=_NETWORK,
    check=Is("autoCreateSubnetworks", value=False),
    weight=MEDIUM,
    why="In auto mode each region of the world gets a subnet in 10.128.0.0/9: one more place to watch, and ranges "
    "that collide with those of every other such network.",
    fix="Set autoCreateSubnetworks to false, and make subnets where machines are.",
    peers="CKV2_GCP_18 GCP-0010",
    cis=("GCP 3.1†",),
)
RULES.row(
    "gcp-subnet-pga",
    "Machines without a public address reach Google's APIs from a subnet.",
    on=_SUBNETWORK,
    check=Where(
        OneOf("purpose", (None, "PRIVATE", "PRIVATE_RFC_1918")),
        Is("privateIpGoogleAccess", value=True),
    ),
    weight=MEDIUM,
    why="They need public addresses or a NAT to read a bucket or pull an image, and get them.",
    fix="Set privateIpGoogleAccess to true.",
    peers="CKV_GCP_74 GCP-0075",
)
RULES.row(
    "gcp-gcs-pap",
    "A bucket refuses public access.",
    on=_BUCKET,
    check=Is("publicAccessPrevention", "enforced"),
    weight=HIGH,
    why="One binding to allUsers in haste puts the data on the internet.",
    fix="Set publicAccessPrevention to enforced.",
    peers="CKV_GCP_114 GCP-0001",
    cis=("GCP 5.1†",),
)
RULES.row(
    "gcp-gcs-ubla",
    "Access to a bucket is decided by IAM alone.",
    on=_BUCKET,
    check=Is("uniformBucketLevelAccess", value=True),
    weight=MEDIUM,
    why="ACLs of single objects give access that no review of IAM shows.",
    fix="Set uniformBucketLevelAccess to true; ACLs stop to count, so grant by IAM first.",
    peers="CKV_GCP_29 GCP-0002",
    cis=("GCP 5.2†",),
)


@RULES.rule(
    "gcp-gke-private-nodes",
    on=(_CLUSTER, _NODE_POOL),
    reads=(),
    joins=True,
    weight=HIGH,
    why="Each node has an address on the internet, and what a pod opens on its host is there for all.",
    fix=(
        "Set privateClusterConfig.enablePrivateNodes of the cluster to true, and leave "
        "networkConfig.enablePrivateNodes of pools alone; Cloud NAT carries egress."
    ),
    peers="CKV_GCP_64 CKV_GCP_25 GCP-0059",
    cis=("GKE 6.6.5†",),
)
def _private_nodes(it: View, settings: Settings) -> Verdict:
    """Nodes have private addresses only."""
    if it.type == _NODE_POOL:
        return IsNot("networkConfig.enablePrivateNodes", value=False).judge(it, settings)
    of_cluster = All(
        Is("privateClusterConfig.enablePrivateNodes", value=True),
        IsNot("nodePools[].networkConfig.enablePrivateNodes", value=False),
    ).judge(it, settings)
    if of_cluster == PASS or not it.flag("removeDefaultNodePool"):
        return of_cluster
    private = Is("networkConfig.enablePrivateNodes", value=True)
    of_pools = each(it.referrers(_NODE_POOL, "cluster"), lambda pool: private.judge(pool, settings))
    return of_pools if of_pools in (PASS, UNKNOWN) else of_cluster


RULES.row(
    "gcp-gke-private-endpoint",
    "The control plane of a production cluster is reached from its network only.",
    on=_CLUSTER,
    check=All(
        Either(
            Is("privateClusterConfig.enablePrivateEndpoint", value=True),
            Is("controlPlaneEndpointsConfig.ipEndpointsConfig.enabled", value=False),
        ),
        Is("controlPlaneEndpointsConfig.dnsEndpointConfig.allowExternalTraffic", value=False),
    ),
    weight=HIGH,
    why="A stolen token or a flaw of the API server can be used from anywhere.",
    fix=(
        "Set privateClusterConfig.enablePrivateEndpoint to true and controlPlaneEndpointsConfig.dnsEndpointConfig."
        "allowExternalTraffic to false; from then on kubectl and Pulumi need a way into the network."
    ),
    peers="CKV_GCP_18 GCP-0053",
    cis=("GKE 6.6.4†",),
    in_production=True,
)
_AUTHORIZED = "masterAuthorizedNetworksConfig"


@RULES.rule(
    "gcp-gke-authorized-networks",
    on=_CLUSTER,
    reads=(f"{_AUTHORIZED}.cidrBlocks[].cidrBlock", f"{_AUTHORIZED}.gcpPublicCidrsAccessEnabled"),
    weight=HIGH,
    why="The whole internet may try stolen tokens and new flaws on the API server; without the block, that is so.",
    fix=(
        "Set masterAuthorizedNetworksConfig with the cidrBlocks of offices and runners, none for nobody outside, and "
        "gcpPublicCidrsAccessEnabled to false."
    ),
    peers="CKV_GCP_20 GCP-0061",
    cis=("GKE 6.6.3†",),
)
def _authorized(it: View, settings: Settings) -> Verdict:
    """A control plane with a public address answers named ranges only."""
    if (
        Either(
            Is("privateClusterConfig.enablePrivateEndpoint", value=True),
            Is("controlPlaneEndpointsConfig.ipEndpointsConfig.enabled", value=False),
        ).judge(it, settings)
        == PASS
    ):
        return NOT_APPLICABLE
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
    on=_CLUSTER,
    check=Either(
        Is("datapathProvider", "ADVANCED_DATAPATH"),
        Is("networkPolicy.enabled", value=True),
        Is("enableAutopilot", value=True),
    ),
    weight=HIGH,
    why="NetworkPolicy objects are accepted and do nothing: every pod reaches every other, of all teams.",
    fix="Set datapathProvider to ADVANCED_DATAPATH, which replaces the cluster, or networkPolicy.enabled to true.",
    peers="CKV_GCP_12 GCP-0056",
    cis=("GKE 6.6.7†",),
)
RULES.row(
    "gcp-gke-vpc-native",
    "Pods have addresses of the network.",
    on=_CLUSTER,
    check=Is("networkingMode", "VPC_NATIVE"),
    weight=MEDIUM,
    why="With routes, firewall rules cannot tell pods from nodes, and Google's private services are out of reach.",
    fix="Leave networkingMode out or set it to VPC_NATIVE, with an ipAllocationPolicy; it replaces the cluster.",
    peers="CKV_GCP_23 GCP-0049",
    cis=("GKE 6.6.2†",),
)
RULES.row(
    "gcp-gke-intranode-vis",
    "Traffic between pods of one node passes the network's firewall and flow logs.",
    on=_CLUSTER,
    check=Where(IsNot("enableAutopilot", value=True), Is("enableIntranodeVisibility", value=True)),
    weight=LOW,
    why="Two pods on one node talk unseen: neither flow logs nor firewall rules know of it.",
    fix="Set enableIntranodeVisibility to true; flow logs grow by that traffic.",
    peers="CKV_GCP_61",
    cis=("GKE 6.6.1†",),
)
_MACHINES = (
    "gcp:compute/instanceTemplate:InstanceTemplate",
    "gcp:compute/regionInstanceTemplate:RegionInstanceTemplate",
    "gcp:compute/instance:Instance",
    "gcp:compute/instanceFromTemplate:InstanceFromTemplate",
    "gcp:compute/instanceFromMachineImage:InstanceFromMachineImage",
)
_NO_ADDRESS = Each("networkInterfaces[]", All(Absent("accessConfigs"), Absent("ipv6AccessConfigs")))

RULES.row(
    "gcp-instance-no-public-ip",
    "A machine has no public address.",
    on=(*_MACHINES, _WORKBENCH),
    check=ByType({**dict.fromkeys(_MACHINES, _NO_ADDRESS), _WORKBENCH: Is("gceSetup.disablePublicIp", value=True)}),
    weight=HIGH,
    why="Anybody can knock at it, and a slip in one firewall rule lets them in.",
    fix="Leave accessConfigs out of networkInterfaces (an empty object there is an address, too), and set "
    "gceSetup.disablePublicIp of a notebook machine to true; Cloud NAT serves.",
    peers="CKV_GCP_40 GCP-0031",
    cis=("GCP 4.9†",),
)
RULES.row(
    "gcp-tpu-internal-only",
    "The workers of a TPU have no public addresses.",
    on=(_TPU, _QUEUED_TPU),
    check=ByType(
        {
            _TPU: All(
                Either(Given("networkConfig"), Given("networkConfigs")),
                IsNot("networkConfig.enableExternalIps", value=True),
                IsNot("networkConfigs[].enableExternalIps", value=True),
            ),
            _QUEUED_TPU: Each(
                "tpu.nodeSpecs[].node",
                All(Given("networkConfig"), IsNot("networkConfig.enableExternalIps", value=True)),
            ),
        }
    ),
    weight=HIGH,
    why="Every host of a slice stands on the internet; without a networkConfig it is in the default network as well.",
    fix="Set networkConfig with the subnetwork and enableExternalIps false; the subnet needs Private Google Access.",
    peers="CKV2_GCP_32",
)
RULES.row(
    "gcp-sql-private",
    "A database has no public address.",
    on=(_DATABASE, _ALLOYDB),
    check=ByType(
        {
            _DATABASE: Where(
                Given("settings"),
                All(
                    Is("settings.ipConfiguration.ipv4Enabled", value=False),
                    NotOpen("settings.ipConfiguration.authorizedNetworks[].value"),
                ),
            ),
            _ALLOYDB: All(
                IsNot("networkConfig.enablePublicIp", value=True),
                NotOpen("networkConfig.authorizedExternalNetworks[].cidrRange"),
            ),
        }
    ),
    weight=CRITICAL,
    why="Passwords are tried from all over the world, and one that leaked elsewhere opens everything.",
    fix="Set settings.ipConfiguration.ipv4Enabled to false and privateNetwork to the network, for which a range must "
    "be peered; for AlloyDB leave networkConfig.enablePublicIp out.",
    peers="CKV_GCP_60 CKV_GCP_11 GCP-0017",
    cis=("GCP 6.5†",),
)


@RULES.rule(
    "gcp-filestore-private",
    on="gcp:filestore/instance:Instance",
    reads=("fileShares.nfsExportOptions[].ipRanges",),
    weight=MEDIUM,
    why="Every machine of the network mounts the share as root, and reads and deletes what any team put there.",
    fix=(
        "Set fileShares.nfsExportOptions with the ipRanges of the nodes: pods mount through their node, with its "
        "address. ROOT_SQUASH beside it keeps a pod's root from writing where the share belongs to root."
    ),
)
def _filestore(it: View, _: Settings) -> Verdict:
    """A share is exported to named ranges only."""
    options = [it.within(spot) for spot in it.spots("fileShares.nfsExportOptions[]") if spot.value is not None]
    path = "fileShares.nfsExportOptions"
    if not options:
        return fail(f"{path} is not set, so every client of the network has the share as root", path=path)

    def one(option: Block) -> Verdict:
        ranges = option.texts("ipRanges")
        found = open_range(ranges)
        return allow(ranges and found is None, f"{option.at('ipRanges')} names no clients", path=option.at("ipRanges"))

    return each(options, one)


RULES.row(
    "gcp-lustre-network",
    "Root of a client is root in a Lustre instance from named ranges only.",
    on="gcp:lustre/instance:Instance",
    check=All(
        Given("network"),
        Is("accessRulesOptions.defaultSquashMode", "ROOT_SQUASH"),
        AtLeast("accessRulesOptions.defaultSquashUid", 1),
        NoneOf("accessRulesOptions.accessRules[].ipAddressRanges[]", (_EVERYWHERE,)),
    ),
    weight=MEDIUM,
    why="Every machine of the network mounts it, and whoever is root on one reads and deletes what any team put there.",
    fix=(
        "Set accessRulesOptions.defaultSquashMode to ROOT_SQUASH with defaultSquashUid and defaultSquashGid 65534, and "
        "an access rule with NO_SQUASH for the range of the nodes."
    ),
)
