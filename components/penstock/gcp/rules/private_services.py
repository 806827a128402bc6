"""Private services: networks of Google's with file systems and databases, and the connections to them."""

from __future__ import annotations

from penstock.catalog import limits
from penstock.gcp.types import (
    COMPUTE_GLOBAL_ADDRESS,
    COMPUTE_NETWORK,
    FILESTORE_INSTANCE,
    LUSTRE_INSTANCE,
    SERVICENETWORKING_CONNECTION,
    SQL_DATABASE_INSTANCE,
)
from penstock.graph.verdict import NOT_APPLICABLE, NotKnown, Verdict, allow, each, fail
from penstock.graph.view import Block, View
from penstock.model.order import comes_after
from penstock.rules.levels import HIGH, MEDIUM, Category
from penstock.rules.rule import RuleSet

RULES = RuleSet(Category.PROVIDER)

_PURPOSE = "VPC_PEERING"
_SERVICE = "servicenetworking.googleapis.com"


@RULES.rule(
    on=COMPUTE_GLOBAL_ADDRESS,
    severity=HIGH,
    rationale=(
        "Google's services take subnetworks out of an internal range of the network, and a smaller range has no room "
        "for one."
    ),
    fix="Set addressType to INTERNAL, prefixLength to 20 (at most 24) and network.",
    sources=("VPC documentation, private services access: allocated IP ranges, /24 at least",),
)
def gcp_psa_range_size(address: View) -> Verdict:
    """A range allocated for private services access is internal, in a network, and a /24 or larger."""
    if address.text("purpose") != _PURPOSE:
        return NOT_APPLICABLE
    if (address.text("addressType") or "EXTERNAL") != "INTERNAL":
        message = "a range for services of Google is internal, and this one is EXTERNAL"
        return fail(message, hint="Set addressType to INTERNAL.", path="addressType")
    length, most = address.integer("prefixLength"), limits.find_limit("private_services_prefix", "gcp").most
    hint = f"Set prefixLength to 20, or to {most} at most."
    if length is None:
        return fail("the range is a single address", hint=hint, path="prefixLength")
    if length > most:
        return fail(f"a /{length} holds no service of Google", hint=hint, path="prefixLength")
    named = address.found("network", COMPUTE_NETWORK) or address.text("network")
    return allow(named, "the range belongs to no network", hint="Name the network.", path="network")


@RULES.rule(
    on=SERVICENETWORKING_CONNECTION,
    severity=HIGH,
    rationale="No other service can be connected privately.",
    fix="Set service to servicenetworking.googleapis.com.",
    sources=("VPC documentation, private services access", "Pulumi Google Cloud 10.2, servicenetworking.Connection"),
)
def gcp_psa_connection_service(connection: View) -> Verdict:
    """A private connection leads to servicenetworking.googleapis.com, or to a partner's own service."""
    service = connection.text("service")
    if service is None:
        return NOT_APPLICABLE
    known = service == _SERVICE or service.endswith(".servicenetworking.goog")
    hint = f"Set service to {_SERVICE}."
    return allow(known, f"{service!r} is not a service with private connections", hint=hint, path="service")


@RULES.rule(
    on=SERVICENETWORKING_CONNECTION,
    severity=HIGH,
    rationale="Service Networking refuses a connection without ranges, and ranges of another purpose or network.",
    fix="Set reservedPeeringRanges to global addresses of the same network with purpose VPC_PEERING.",
    joins=True,
    sources=("VPC documentation, private services access: ranges of the same network, made for peering",),
)
def gcp_psa_connection_ranges(connection: View) -> Verdict:
    """The ranges of a private connection are allocated for VPC peering in the network that is connected."""
    network = connection.one("network", COMPUTE_NETWORK)
    if not connection.count("reservedPeeringRanges"):
        hint = "Name a global address with purpose VPC_PEERING."
        return fail("the connection has no range", hint=hint, path="reservedPeeringRanges")

    def check(address: View) -> Verdict:
        path, purpose = "reservedPeeringRanges", address.text("purpose")
        if purpose != _PURPOSE:
            hint = f"Set its purpose to {_PURPOSE}."
            return fail(f"{address.name} has purpose {purpose or 'unset'}", hint=hint, path=path)
        other = address.one("network", COMPUTE_NETWORK)
        if network is None or other is None:
            return NOT_APPLICABLE
        message = f"{address.name} is a range of {other.name}, and the connection is one of {network.name}"
        return allow(other.urn == network.urn, message, hint="Name ranges of the same network.", path=path)

    return each(connection.many("reservedPeeringRanges", COMPUTE_GLOBAL_ADDRESS), check)


@RULES.rule(
    on=(LUSTRE_INSTANCE, FILESTORE_INSTANCE, SQL_DATABASE_INSTANCE),
    severity=HIGH,
    rationale="Google refuses to create the service where the connection does not exist yet.",
    fix="Create a servicenetworking Connection with a range of the network, and name it in dependsOn of the service.",
    joins=True,
    sources=("VPC documentation, private services access: the connection comes first",),
)
def gcp_psa_connection_first(service: View) -> Verdict:
    """A service reached over private services access is created after the network's private connection."""
    if not _is_peered(service):
        return NOT_APPLICABLE
    holder, path = _network_of(service)
    network = holder.one(path, COMPUTE_NETWORK)
    if network is None:
        return NOT_APPLICABLE
    if network.resource.external:
        raise NotKnown
    connections = network.referrers(SERVICENETWORKING_CONNECTION, "network")
    if not connections:
        return fail(
            f"network {network.name} has no private connection to services of Google",
            hint="Create a servicenetworking Connection with a range of the network, and depend on it.",
            path=holder.at(path),
        )
    return allow(
        any(comes_after(service, connection) for connection in connections),
        f"the resource may be created before {connections[0].name}, without which Google refuses it",
        hint=f"Let it depend on {connections[0].name} (dependsOn).",
        path=holder.at(path),
    )


@RULES.rule(
    on=LUSTRE_INSTANCE,
    severity=MEDIUM,
    rationale=(
        "Managed Lustre documents a /23 for each file system, though an older edition of its documentation has /24, so "
        "a smaller range may have no room."
    ),
    fix="Set prefixLength of a range to 20, and to 23 at most.",
    joins=True,
    sources=("Managed Lustre documentation, configure a VPC network (catalogue, gcp_limits)",),
)
def gcp_psa_lustre_range(filesystem: View) -> Verdict:
    """A range allocated for private services access is a /23 or larger, which each Lustre file system takes."""
    network = filesystem.one("network", COMPUTE_NETWORK)
    if network is None:
        return NOT_APPLICABLE
    used = [
        address.integer("prefixLength")
        for connection in network.referrers(SERVICENETWORKING_CONNECTION, "network")
        for address in connection.many("reservedPeeringRanges", COMPUTE_GLOBAL_ADDRESS)
    ]
    lengths = [length for length in used if length is not None]
    if not lengths:
        return NOT_APPLICABLE
    most = limits.find_limit("lustre_range_prefix", "gcp").most
    message = f"a Lustre file system takes a /{most}, and the largest range kept for services is a /{min(lengths)}"
    return allow(min(lengths) <= most, message, hint="Keep a /20 for services of Google.", path="network")


def _is_peered(service: View) -> bool:
    if service.type == FILESTORE_INSTANCE:
        return any(network.text("connectMode") == "PRIVATE_SERVICE_ACCESS" for network in service.blocks("networks"))
    return service.type == LUSTRE_INSTANCE or "privateNetwork" in (_addresses(service) or ())


def _network_of(service: View) -> tuple[Block, str]:
    """The property that names the network of a service."""
    if service.type == FILESTORE_INSTANCE:
        return next(iter(service.blocks("networks"))), "network"
    config = _addresses(service) if service.type == SQL_DATABASE_INSTANCE else None
    return (config, "privateNetwork") if config is not None else (service, "network")


def _addresses(database: View) -> Block | None:
    settings = database.block("settings")
    return settings.block("ipConfiguration") if settings is not None else None
