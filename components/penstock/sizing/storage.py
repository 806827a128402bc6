"""Storage: how fast training reads, how fast checkpoints are written, and the file system that is sold for that."""

from __future__ import annotations

from dataclasses import dataclass

from penstock.catalog import prices
from penstock.catalog.sizing_assumptions import assumed
from penstock.core.quantities import LUSTRE_GIB_PER_TIB
from penstock.sizing.checkpoints import Checkpoint
from penstock.sizing.cloud_sizing import LustreSale, sizing_of
from penstock.sizing.memory import GB

_MB = 10**6
"""As the clouds sell it: 1.2 TiB of FSx are 1200 GiB."""
_BUCKET_BYTES_S = 2 * GB
"""What a job writes to a bucket without thinking about it; more is the work of a file system."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Demand:
    """What a job asks of storage, in bytes and bytes a second."""

    read: float
    write: float
    dataset: float
    checkpoint: float
    restore_seconds: float

    @property
    def bandwidth(self) -> float:
        """The larger of reading and writing."""
        return max(self.read, self.write)


@dataclass(frozen=True, slots=True, kw_only=True)
class StorageChoice:
    """What to buy: a bucket for all, and in front of it a Lustre file system where the bucket is too slow.

    Attributes:
        lustre_tib: capacity of the file system as the cloud sells it; 0 for none.
        tier: its throughput, in MB/s for each TiB.
        month_usd: the price of a month; None where it is not known.
        unverified: whether a price of it is a guess.
        why: the reason, in a sentence.
    """

    lustre_tib: float
    tier: int
    month_usd: float | None
    unverified: bool
    why: str


def demand_of(checkpoint: Checkpoint, *, tokens_per_second: float, tokens: float, dataset: float | None) -> Demand:
    """The demand of a job that reads its data once: text by the token, anything else by its size."""
    seconds = tokens / tokens_per_second
    held = tokens * assumed("bytes_per_token") if dataset is None else dataset
    return Demand(
        read=held / seconds,
        write=checkpoint.bandwidth,
        dataset=held,
        checkpoint=checkpoint.size,
        restore_seconds=checkpoint.write_seconds,
    )


def storage_of(demand: Demand, cloud: str) -> StorageChoice:
    """The cheapest storage of a cloud that is fast and large enough."""
    sizing = sizing_of(cloud)
    bucket = prices.service(cloud, *sizing.bucket)
    kept = demand.dataset + assumed("kept_checkpoints") * demand.checkpoint
    bucket_usd = bucket.usd * kept / GB if bucket is not None else None
    bucket_guess = bucket is not None and bool(bucket.unverified)
    if demand.bandwidth <= _BUCKET_BYTES_S:
        why = f"{demand.bandwidth / GB:.2f} GB/s is what a bucket takes; a file system would idle"
        return StorageChoice(lustre_tib=0, tier=0, month_usd=bucket_usd, unverified=bucket_guess, why=why)
    if sizing.lustre is None:
        why = f"{demand.bandwidth / GB:.2f} GB/s is more than a bucket takes, and no Lustre is sold there"
        return StorageChoice(lustre_tib=0, tier=0, month_usd=bucket_usd, unverified=bucket_guess, why=why)
    options = [_lustre(demand, cloud, sizing.lustre, tier) for tier in sizing.lustre.tiers()]
    chosen = min(options, key=lambda each: (each.month_usd is None, each.month_usd or 0, each.lustre_tib))
    total = None if chosen.month_usd is None or bucket_usd is None else chosen.month_usd + bucket_usd
    return StorageChoice(
        lustre_tib=chosen.lustre_tib,
        tier=chosen.tier,
        month_usd=total,
        unverified=chosen.unverified or bucket_guess,
        why=chosen.why,
    )


def _lustre(demand: Demand, cloud: str, sale: LustreSale, tier: int) -> StorageChoice:
    """The smallest file system of a tier that is fast enough and holds the checkpoints; data stay in the bucket."""
    kept = assumed("kept_checkpoints") * demand.checkpoint
    wanted = max(kept / GB, demand.bandwidth / _MB / tier * LUSTRE_GIB_PER_TIB)
    gib = sale.steps(tier).at_least(wanted)
    price = prices.service(cloud, sale.price.service, sale.price.item.format(tier=tier))
    why = (
        f"{demand.bandwidth / GB:.1f} GB/s at {tier} MB/s for each TiB, and room for "
        f"{assumed('kept_checkpoints'):g} checkpoints"
    )
    return StorageChoice(
        lustre_tib=gib / LUSTRE_GIB_PER_TIB,
        tier=tier,
        month_usd=price.usd * gib if price is not None else None,
        unverified=price is None or bool(price.unverified),
        why=why,
    )
