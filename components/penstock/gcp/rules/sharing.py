"""GPUs that several pods share on one node."""

from __future__ import annotations

from penstock.catalog import limits
from penstock.gcp.model.gke import POOLS, gke_pools
from penstock.graph.verdict import NOT_APPLICABLE, Verdict, allow, each
from penstock.graph.view import Block, View
from penstock.rules.levels import MEDIUM, Category
from penstock.rules.rule import RuleSet

RULES = RuleSet(Category.PROVIDER)


@RULES.rule(
    on=POOLS,
    severity=MEDIUM,
    rationale="GKE documents 48 containers for each physical GPU as the limit, and a single client shares nothing.",
    fix="Set gpuSharingConfig.maxSharedClientsPerGpu to a number from 2 to 48.",
    sources=("GKE documentation, share GPUs with GPU time-sharing",),
)
def gcp_gke_gpu_sharing_clients(view: View) -> Verdict:
    """A shared GPU has 2 to 48 clients."""
    least, most = (limits.find_limit(name, "gcp").most for name in ("gpu_clients_least", "gpu_clients"))

    def check(accelerator: Block) -> Verdict:
        sharing = accelerator.block("gpuSharingConfig")
        clients = sharing.integer("maxSharedClientsPerGpu") if sharing is not None else None
        if sharing is None or clients is None:
            return NOT_APPLICABLE
        message = f"{least} to {most} containers share a GPU, and {clients} are set"
        hint = f"Use {min(max(clients, least), most)}."
        return allow(least <= clients <= most, message, hint=hint, path=sharing.at("maxSharedClientsPerGpu"))

    configs = [config for pool in gke_pools(view) if (config := pool.config) is not None]
    return each((gpu for config in configs for gpu in config.blocks("guestAccelerators")), check)
