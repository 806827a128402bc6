"""Rules on volumes of Azure NetApp Files."""

from __future__ import annotations

from typing import Final

from penstock.azure.types import NETAPP_CAPACITY_POOL, NETAPP_CAPACITY_POOL_VOLUME
from penstock.core.quantities import TIB
from penstock.graph.verdict import NOT_APPLICABLE, Verdict, allow, each, fail
from penstock.graph.view import Block, View
from penstock.rules.levels import HIGH, Category
from penstock.rules.rule import RuleSet

RULES = RuleSet(Category.PROVIDER)


_FLAGS: Final = {"nfsv3": "NFSv3", "nfsv41": "NFSv4.1"}
"""The protocol that each flag of an export rule opens, as protocolTypes names it."""


@RULES.rule(
    on=NETAPP_CAPACITY_POOL_VOLUME,
    severity=HIGH,
    rationale="Azure rejects the volume with InvalidExportPolicyRule.",
    fix="Set nfsv3 and nfsv41 of each rule to true for the protocols in protocolTypes alone.",
    sources=("Azure NetApp Files documentation, configure export policy",),
)
def az_netapp_export(volume: View) -> Verdict:
    """The rules of a volume's export policy open the protocols of NFS that the volume has, and no others."""
    protocols = volume.texts("protocolTypes") or ["NFSv3"]
    policy = volume.block("exportPolicy")
    if policy is None or not set(protocols) & set(_FLAGS.values()):
        return NOT_APPLICABLE

    def check(rule: Block) -> Verdict:
        opened = [flag for flag in _FLAGS if rule.flag(flag)]
        wrong = next((flag for flag in opened if _FLAGS[flag] not in protocols), None)
        if wrong is not None:
            message = f"the rule opens {_FLAGS[wrong]}, and the volume has {' and '.join(protocols)}"
            return fail(message, hint="Use false.", path=rule.at(wrong))
        missing = next(flag for flag, protocol in _FLAGS.items() if protocol in protocols)
        return allow(opened, "the rule opens no protocol of the volume", hint="Use true.", path=rule.at(missing))

    return each(policy.blocks("rules"), check)


@RULES.rule(
    on=NETAPP_CAPACITY_POOL,
    severity=HIGH,
    rationale="Azure rejects the volume with PoolSizeTooSmall.",
    fix="Set size of the pool to the sum of usageThreshold of its volumes or more, or lower these.",
    joins=True,
    sources=("Azure NetApp Files documentation, resource limits",),
)
def az_netapp_pool_room(pool: View) -> Verdict:
    """The volumes of a capacity pool are together no larger than the pool."""
    volumes = pool.referrers(NETAPP_CAPACITY_POOL_VOLUME, "poolName")
    size = pool.number("size") if volumes else None
    if size is None:
        return NOT_APPLICABLE
    taken = sum(volume.number("usageThreshold") or 0 for volume in volumes)
    message = f"its volumes have {taken / TIB:g} TiB, and the pool {size / TIB:g}"
    return allow(taken <= size, message, hint=f"Use {taken / TIB:g} TiB or more.", path="size")
