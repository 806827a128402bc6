"""Rules on reserved machines and placement: sizes, zones and numbers of what is reserved, and of what is near."""

from __future__ import annotations

import re

from penstock.azure.facts.size_names import read_size
from penstock.azure.facts.sizes import find_size
from penstock.azure.model.places import region
from penstock.azure.model.pools import AksPool, aks_pools, machine_of_size
from penstock.azure.rules.pools import POOLS, cluster_of
from penstock.azure.types import COMPUTE_CAPACITY_RESERVATION, COMPUTE_CAPACITY_RESERVATION_GROUP
from penstock.graph.verdict import NOT_APPLICABLE, NotKnown, Verdict, allow, together
from penstock.graph.view import View
from penstock.rules.levels import HIGH, MEDIUM, Category
from penstock.rules.rule import RuleSet

RULES = RuleSet(Category.PROVIDER)


@RULES.rule(
    on=COMPUTE_CAPACITY_RESERVATION,
    severity=HIGH,
    rationale="Azure rejects a reservation of no size.",
    fix="Set sku.name to the size of the machines, such as Standard_ND96isr_H100_v5.",
    sources=("Pulumi Azure Native, compute.CapacityReservation: SKU",),
)
def az_reservation_size(reservation: View) -> Verdict:
    """A capacity reservation says which size of machine it holds."""
    if "sku" not in reservation:
        return NOT_APPLICABLE
    return allow(_size(reservation), "the reservation has no size", hint="Name one.", path="sku.name")


@RULES.rule(
    on=COMPUTE_CAPACITY_RESERVATION,
    severity=HIGH,
    rationale="Azure rejects a reservation in a zone that its group does not have.",
    fix="Set zones of the reservation to one of the zones of its group.",
    joins=True,
    sources=("Azure virtual machines documentation, on-demand capacity reservation",),
)
def az_reservation_zone(reservation: View) -> Verdict:
    """A capacity reservation is in one of the zones of its group, and in a region's where the group has none."""
    own = reservation.texts("zones")
    group = reservation.one("capacityReservationGroupName", COMPUTE_CAPACITY_RESERVATION_GROUP)
    zones = group.texts("zones") if group is not None else []
    if not zones:
        return NOT_APPLICABLE
    hint = f"Use {' or '.join(zones)}."
    if not own:
        return allow(False, "the reservation has no zone, and its group has", hint=hint, path="zones")
    return allow(set(own) <= set(zones), f"the group has no zone {' and '.join(own)}", hint=hint, path="zones")


@RULES.rule(
    on=COMPUTE_CAPACITY_RESERVATION,
    severity=HIGH,
    rationale="Azure rejects the reservation of a size that it does not have.",
    fix="Set sku.name to a size of the region, as `az vm list-skus` lists them.",
    sources=("Azure virtual machines documentation, on-demand capacity reservation",),
)
def az_reservation_known_size(reservation: View) -> Verdict:
    """The size of a capacity reservation is one that Azure has, as far as those with accelerators are known."""
    size = _size(reservation)
    named = read_size(size) if size else None
    if size is None or named is None or not named.family.startswith("N"):
        return NOT_APPLICABLE
    known = machine_of_size(size) is not None or find_size(size) is not None
    return allow(known, f"Azure has no size {size}", hint="Use a size that Azure has.", path="sku.name")


@RULES.rule(
    on=COMPUTE_CAPACITY_RESERVATION,
    severity=HIGH,
    rationale="Azure rejects a reservation in another region than its group.",
    fix="Set location to that of the group.",
    joins=True,
    sources=("Azure virtual machines documentation, create a capacity reservation",),
)
def az_reservation_region(reservation: View) -> Verdict:
    """A capacity reservation is in the region of its group."""
    group = reservation.one("capacityReservationGroupName", COMPUTE_CAPACITY_RESERVATION_GROUP)
    if group is None:
        return NOT_APPLICABLE
    own, wanted = region(reservation), region(group)
    message = f"the reservation is in {own}, and its group in {wanted}"
    return allow(own == wanted, message, hint=f"Use {wanted}.", path="location")


@RULES.rule(
    on=POOLS,
    each_of=aks_pools,
    severity=HIGH,
    rationale="Azure gives reserved machines neither to spot nor to proximity placement groups, and rejects the pool.",
    fix="Leave capacityReservationGroupID out, or scaleSetPriority and proximityPlacementGroupID.",
    sources=("Azure virtual machines documentation, on-demand capacity reservation",),
)
def az_aks_reserved_purchase(pool: AksPool) -> Verdict:
    """A node pool on reserved machines is not on spot, and in no proximity placement group."""
    if "capacityReservationGroupID" not in pool.block:
        return NOT_APPLICABLE
    path, hint = pool.block.at("capacityReservationGroupID"), "Leave it out."
    spot = allow(pool.purchase() != "spot", "machines on spot cannot be reserved ones", hint=hint, path=path)
    near = "proximityPlacementGroupID" in pool.block
    return together((spot, allow(not near, "near machines cannot be reserved ones", hint=hint, path=path)))


@RULES.rule(
    on=POOLS,
    each_of=aks_pools,
    severity=HIGH,
    rationale="AKS finds no group by its name.",
    fix="Set capacityReservationGroupID to the id of the group.",
    sources=("AKS documentation, capacity reservation groups",),
)
def az_aks_reservation_id(pool: AksPool) -> Verdict:
    """A node pool names its capacity reservation group by the id of that."""
    text = pool.block.text("capacityReservationGroupID")
    if text is None:
        return NOT_APPLICABLE
    form = re.fullmatch(r"(?i)/subscriptions/.+/capacityReservationGroups/[^/]+", text)
    path = pool.block.at("capacityReservationGroupID")
    return allow(form, f"{text!r} is not the id of a group", hint="Use the id of the group.", path=path)


@RULES.rule(
    on=POOLS,
    each_of=aks_pools,
    severity=HIGH,
    rationale="AKS reads the reservation as the cluster's identity, and takes no system-assigned one for that.",
    fix="Set identity.type of the cluster to UserAssigned, with an identity that is Contributor of the group.",
    joins=True,
    sources=("AKS documentation, capacity reservation groups",),
)
def az_aks_reservation_identity(pool: AksPool) -> Verdict:
    """A cluster whose pools take reserved machines has an identity of the user's own."""
    cluster = cluster_of(pool) if "capacityReservationGroupID" in pool.block else None
    if cluster is None:
        return NOT_APPLICABLE
    identity = cluster.block("identity")
    kind = (identity.text("type") if identity is not None else None) or "SystemAssigned"
    message = f"the cluster has an identity of the type {kind}"
    path = pool.block.at("capacityReservationGroupID")
    hint = "Set identity.type of the cluster to UserAssigned."
    return allow("userassigned" in kind.casefold(), message, hint=hint, path=path)


@RULES.rule(
    on=POOLS,
    each_of=aks_pools,
    severity=HIGH,
    rationale="AKS creates the pool with a warning only, and its machines are not the reserved ones.",
    fix="Set sku.name of a reservation of the group to vmSize of the pool.",
    joins=True,
    sources=("AKS documentation, capacity reservation groups",),
)
def az_aks_reserved_size(pool: AksPool) -> Verdict:
    """The group that a pool takes reserved machines from holds some of the pool's size."""
    held = _reservations(pool)
    if held is None:
        return NOT_APPLICABLE
    message = f"nothing in the group is reserved for {pool.block.text('vmSize')}"
    return allow(_fitting(pool, held), message, hint="Reserve that size.", path=pool.block.at("vmSize"))


@RULES.rule(
    on=POOLS,
    each_of=aks_pools,
    severity=HIGH,
    rationale="Azure gives reserved machines in the zone of their reservation only, and the pool does not start.",
    fix="Set availabilityZones of the pool to the zones of the reservations of its size.",
    joins=True,
    sources=("Azure virtual machines documentation, on-demand capacity reservation",),
)
def az_aks_reserved_zone(pool: AksPool) -> Verdict:
    """A pool has reserved machines in each of its zones."""
    held, zones = _reservations(pool), pool.block.texts("availabilityZones")
    fitting = _fitting(pool, held) if held is not None else []
    reserved = {zone for reservation in fitting for zone in reservation.texts("zones")}
    if not zones or not reserved:
        return NOT_APPLICABLE
    missing = [zone for zone in zones if zone not in reserved]
    message = f"nothing is reserved in zone {' and '.join(missing)}"
    hint = f"Use {' and '.join(sorted(reserved))}."
    return allow(not missing, message, hint=hint, path=pool.block.at("availabilityZones"))


@RULES.rule(
    on=POOLS,
    each_of=aks_pools,
    severity=MEDIUM,
    rationale="Nodes beyond the reservation start only while Azure has machines left.",
    fix="Set sku.capacity of the reservation to the number of nodes, or count of the pool to what is reserved.",
    joins=True,
    sources=("AKS documentation, capacity reservation groups",),
)
def az_aks_reserved_count(pool: AksPool) -> Verdict:
    """A pool on reserved machines has no more nodes than are reserved."""
    held = _reservations(pool)
    fitting = _fitting(pool, held) if held is not None else []
    if not fitting:
        return NOT_APPLICABLE
    reserved, nodes = sum(_capacity(reservation) for reservation in fitting), pool.most()
    path = pool.block.at("maxCount" if pool.block.flag("enableAutoScaling") else "count")
    message = f"{reserved} machines are reserved, and the pool may have {nodes}"
    return allow(nodes <= reserved, message, hint=f"Use {reserved}, or reserve more.", path=path)


@RULES.rule(
    on=POOLS,
    each_of=aks_pools,
    severity=HIGH,
    rationale="A proximity placement group lies in one data centre, and AKS rejects a pool in several zones.",
    fix="Set availabilityZones of the pool to one zone, or leave proximityPlacementGroupID out.",
    sources=("AKS documentation, proximity placement groups",),
)
def az_aks_near_one_zone(pool: AksPool) -> Verdict:
    """A node pool in a proximity placement group is in one zone at most."""
    if "proximityPlacementGroupID" not in pool.block:
        return NOT_APPLICABLE
    count = pool.block.count("availabilityZones")
    path = pool.block.at("availabilityZones")
    return allow(
        count <= 1,
        f"a proximity placement group is in one zone, and the pool in {count}",
        hint="Use one zone.",
        path=path,
    )


def _reservations(pool: AksPool) -> list[View] | None:
    """What is reserved in the group of a pool; None where the pool names none.

    Raises:
        NotKnown: the group, or all that is reserved in it, lies outside the program.
    """
    group = pool.block.one("capacityReservationGroupID", COMPUTE_CAPACITY_RESERVATION_GROUP)
    if group is None:
        return None
    held = group.referrers(COMPUTE_CAPACITY_RESERVATION, "capacityReservationGroupName")
    if not held:
        raise NotKnown
    return held


def _fitting(pool: AksPool, held: list[View]) -> list[View]:
    """Those reservations that hold machines of the size of a pool."""
    size = (pool.block.text("vmSize") or "").casefold()
    return [reservation for reservation in held if _size(reservation).casefold() == size]


def _size(reservation: View) -> str:
    sku = reservation.block("sku")
    return (sku.text("name") if sku is not None else None) or ""


def _capacity(reservation: View) -> int:
    sku = reservation.block("sku")
    return (sku.integer("capacity") if sku is not None else None) or 0
