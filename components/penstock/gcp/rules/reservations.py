"""Rules on reservations: how they are named, and that they hold what uses them."""

from __future__ import annotations

import re

from penstock.core.wording import listed
from penstock.gcp.model.gke import POOLS, GkePool, gke_pools, program_gke_pools
from penstock.gcp.rules import nodes
from penstock.gcp.rules.nodes import SINGLE, Starter, allow_at
from penstock.gcp.types import COMPUTE_RESERVATION
from penstock.graph.verdict import NOT_APPLICABLE, NotKnown, Verdict, allow, each, fail, together
from penstock.graph.view import Block, View
from penstock.rules.levels import HIGH, Category
from penstock.rules.rule import RuleSet

RULES = RuleSet(Category.PROVIDER)

_KEY = "compute.googleapis.com/reservation-name"
_NAME = r"[a-z]([-a-z0-9]{0,61}[a-z0-9])?"
_BLOCK = rf"(/reservationBlocks/{_NAME}(/reservationSubBlocks/{_NAME})?)?"
_VALUE = re.compile(rf"(projects/[^/]+/reservations/)?{_NAME}{_BLOCK}")
"""How a reservation is named (GKE documentation, consuming reserved zonal resources; cluster-toolkit 1.95)."""
_SPECIFIC = "SPECIFIC_RESERVATION"


@RULES.rule(
    on=POOLS,
    each_of=gke_pools,
    severity=HIGH,
    rationale="GKE rejects a specific reservation that is not named, and a name with any other reservation type.",
    fix=(
        "Set consumeReservationType to SPECIFIC_RESERVATION with the key compute.googleapis.com/reservation-name and "
        "one entry in values, or leave key and values out."
    ),
    sources=(
        "cluster-toolkit 1.95, modules/compute/gke-node-pool/main.tf",
        "Kubernetes Engine API, ReservationAffinity",
    ),
)
def gcp_gke_reservation_affinity(pool: GkePool) -> Verdict:
    """A node pool with a specific reservation names exactly one by its key, and with any other choice none."""
    target = pool.affinity
    if target is None:
        return NOT_APPLICABLE
    kind, count, key = target.text("consumeReservationType"), target.count("values"), target.text("key")
    if kind != _SPECIFIC:
        message = f"{kind} names no reservation, and {count} are named"
        hint = f"Set consumeReservationType to {_SPECIFIC}, or leave key and values out."
        return allow(not count and key is None, message, hint=hint, path=target.at("values"))
    return together(
        [
            allow(
                count == 1,
                f"SPECIFIC_RESERVATION takes one reservation, and {count} are named",
                hint="Name one reservation in values.",
                path=target.at("values"),
            ),
            allow(
                key == _KEY,
                f"reservations are named by the key {_KEY}, and not by {key}",
                hint=f"Set key to {_KEY}.",
                path=target.at("key"),
            ),
        ]
    )


@RULES.rule(
    on=POOLS,
    each_of=gke_pools,
    severity=HIGH,
    rationale="GKE does not find a reservation that is named in another form.",
    fix="Use NAME or projects/PROJECT/reservations/NAME[/reservationBlocks/B[/reservationSubBlocks/S]] in values.",
    sources=("GKE documentation, consuming reserved zonal resources",),
)
def gcp_gke_reservation_path(pool: GkePool) -> Verdict:
    """A reservation is a name, or projects/PROJECT/reservations/NAME with an optional block and sub-block."""
    target = pool.affinity
    if target is None or nodes.affinity_kind(pool) != _SPECIFIC:
        return NOT_APPLICABLE
    hint = "Use NAME or projects/PROJECT/reservations/NAME[/reservationBlocks/B[/reservationSubBlocks/S]]."
    path = target.at("values")
    return each(
        target.texts("values"),
        lambda value: allow(
            _VALUE.fullmatch(value), f"{value!r} is not a name or path of a reservation", hint=hint, path=path
        ),
    )


@RULES.rule(
    on=POOLS,
    each_of=gke_pools,
    severity=HIGH,
    rationale="A machine that differs from the reservation cannot be taken from it, so the node pool gets no nodes.",
    fix=(
        "Set specificReservationRequired to true, and give the node pool the machineType, guestAccelerators, local "
        "SSDs and nodeLocations of the reservation."
    ),
    joins=True,
    sources=(
        "cluster-toolkit 1.95, modules/compute/gke-node-pool/main.tf",
        "cluster-toolkit 1.95, modules/compute/gke-node-pool/reservation_definitions.tf",
    ),
)
def gcp_gke_reservation_match(pool: GkePool) -> Verdict:
    """A named reservation is specific and matches the pool: machine type, accelerators, local SSDs and zone."""
    reservation = _reservation(pool)
    if reservation is None:
        return NOT_APPLICABLE
    zone, zones = reservation.text("zone"), pool.zones()
    verdicts = [
        allow_at(
            reservation,
            reservation.flag("specificReservationRequired"),
            f"{reservation.name} is open to any machine, and the pool asks for it by name",
            hint="Set specificReservationRequired to true.",
            path="specificReservationRequired",
        ),
        allow(
            zones == [zone],
            f"{reservation.name} is in {zone}, and the nodes start in {_where(zones)}",
            hint=f"Set nodeLocations to {zone} alone.",
            path=pool.block.at("nodeLocations"),
        ),
    ]
    found = nodes.starters(reservation)
    return together([*verdicts, *(_same(pool, reserved, reservation) for reserved in found)])


@RULES.rule(
    on=COMPUTE_RESERVATION,
    severity=HIGH,
    rationale="Nodes beyond the size of the reservation are not created.",
    fix="Raise specificReservation.count, or lower the size of the node pools.",
    joins=True,
    sources=("Compute Engine documentation, consuming reservations",),
)
def gcp_reservation_capacity(reservation: View) -> Verdict:
    """A reservation holds as many machines as the node pools that name it start at most."""
    specific = reservation.block("specificReservation")
    room = specific.integer("count") if specific is not None else None
    if specific is None or room is None:
        return NOT_APPLICABLE
    users = [pool for pool in program_gke_pools(reservation.site) if _uses(pool, reservation)]
    if not users:
        return NOT_APPLICABLE
    wanted = sum(pool.most() for pool in users)
    message = f"the pools that name the reservation start {wanted} machines, and the reservation holds {room}"
    hint = f"Reserve {wanted}, or start fewer."
    return allow(wanted <= room, message, hint=hint, path=specific.at("count"))


@RULES.rule(
    on=POOLS,
    each_of=gke_pools,
    severity=HIGH,
    rationale="Machines with another maintenance interval do not match the reservation and are not created from it.",
    fix=(
        "Set hostMaintenancePolicy.maintenanceInterval to that of the reservation, or leave hostMaintenancePolicy out "
        "where the reservation has none."
    ),
    joins=True,
    sources=("xpk, core/nodepool.py", "xpk issue 476"),
)
def gcp_gke_maintenance_interval(pool: GkePool) -> Verdict:
    """The maintenance interval of a node pool is that of its reservation."""
    reservation = _reservation(pool)
    if reservation is None:
        return NOT_APPLICABLE
    config = pool.config
    maintenance = config.block("hostMaintenancePolicy") if config is not None else None
    mine = maintenance.text("maintenanceInterval") if maintenance is not None else None
    (theirs,) = [found.block.text("maintenanceInterval") for found in nodes.starters(reservation)] or [None]
    message = f"hosts of {reservation.name} are maintained {theirs or 'as usual'}, and the pool asks for {mine}"
    if mine is None and theirs is not None:
        message = f"hosts of {reservation.name} are maintained {theirs}, and the pool does not say so"
    hint = f"Set maintenanceInterval to {theirs}." if theirs else "Leave hostMaintenancePolicy out."
    path = pool.block.at("nodeConfig.hostMaintenancePolicy.maintenanceInterval")
    return allow(mine == theirs, message, hint=hint, path=path)


@RULES.rule(
    on=SINGLE,
    severity=HIGH,
    rationale="Compute Engine rejects a specific reservation that is not named, and a name with any other type.",
    fix=(
        "Set reservationAffinity.type to SPECIFIC_RESERVATION and specificReservation with the key "
        "compute.googleapis.com/reservation-name, or leave specificReservation out."
    ),
    sources=("Compute Engine API, ReservationAffinity",),
)
def gcp_machine_reservation_affinity(view: View) -> Verdict:
    """A machine with a specific reservation names it by its key, and with any other choice names none."""
    affinity = view.block("reservationAffinity")
    if affinity is None:
        return NOT_APPLICABLE
    kind, named = affinity.text("type"), affinity.block("specificReservation")
    if kind != _SPECIFIC:
        message, hint = f"{kind} names no reservation, and one is named", f"Set type to {_SPECIFIC}."
        return allow(named is None, message, hint=hint, path=affinity.at("specificReservation"))
    if named is None:
        hint = f"Set specificReservation with the key {_KEY} and the name."
        path = affinity.at("specificReservation")
        return fail("SPECIFIC_RESERVATION needs a reservation, and none is named", hint=hint, path=path)
    key = named.text("key")
    message = f"reservations are named by the key {_KEY}, and not by {key}"
    return allow(key == _KEY, message, hint=f"Set key to {_KEY}.", path=named.at("key"))


def _reservation(pool: GkePool) -> View | None:
    """The reservation that a pool uses; None where it is bought in another way, which other rules judge."""
    other = nodes.ways(pool) or nodes.enabled(pool.block, "queuedProvisioning")
    return pool.reservation() if nodes.affinity_kind(pool) == _SPECIFIC and not other else None


def _uses(pool: GkePool, reservation: View) -> bool:
    """Return whether a pool uses a reservation; one whose reservation lies outside the program does not."""
    try:
        named = _reservation(pool)
    except NotKnown:
        target = pool.affinity
        if target is not None:
            target.texts("values")  # what cannot be read at all might name it
        return False
    return named is not None and named.urn == reservation.urn


def _where(zones: list[str] | None) -> str:
    return listed(zones) if zones else "three zones that GKE chooses"


def _same(pool: GkePool, reserved: Starter, reservation: View) -> Verdict:
    """Return whether the machines of a pool are those of a reservation."""
    config = pool.config
    if config is None:
        return NOT_APPLICABLE
    mine = Starter(config, pool.view)
    if mine.name != reserved.name:
        message = f"{reservation.name} holds {reserved.name}, and the pool starts {mine.name}"
        hint = f"Use {reserved.name}, or reserve {mine.name}."
        return fail(message, hint=hint, path=config.at("machineType"))
    ssds, theirs = _ssds(config), reserved.block.count("localSsds")
    verdicts = [
        allow(
            ssds is None or not theirs or ssds == theirs,
            f"machines of {reservation.name} have {theirs} local SSDs, and the pool asks for {ssds}",
            hint=f"Ask for {theirs}.",
            path=config.at("ephemeralStorageLocalSsdConfig.localSsdCount"),
        )
    ]
    given = config.blocks("guestAccelerators")
    for accelerator, other in zip(given, reserved.block.blocks("guestAccelerators"), strict=False):
        pair = accelerator.text("type"), accelerator.integer("count")
        right = (other.text("acceleratorType") or "").rpartition("/")[2], other.integer("acceleratorCount")
        theirs_, mine_ = (f"{count} of {kind}" for kind, count in (right, pair))
        message = f"machines of {reservation.name} have {theirs_}, and the pool asks for {mine_}"
        hint = f"Ask for {theirs_}."
        verdicts.append(allow(pair == right, message, hint=hint, path=config.at("guestAccelerators")))
    return together(verdicts)


def _ssds(config: Block) -> int | None:
    """How many local SSDs a pool asks for; None where it leaves that to its machines."""
    for key in ("ephemeralStorageLocalSsdConfig", "localNvmeSsdBlockConfig"):
        block = config.block(key)
        if block is not None:
            return block.integer("localSsdCount") or None
    return config.integer("localSsdCount")
