"""Rules on GPU drivers of GKE nodes: the driver version, the node image and secure boot."""

from __future__ import annotations

from collections.abc import Iterator

from penstock.gcp.model.gke import POOLS, GkePool, gke_pools
from penstock.graph.verdict import NOT_APPLICABLE, Verdict, allow, each
from penstock.graph.view import Block, View
from penstock.rules.levels import HIGH, MEDIUM, Category
from penstock.rules.rule import RuleSet

RULES = RuleSet(Category.PROVIDER)


@RULES.rule(
    on=POOLS,
    severity=HIGH,
    rationale="GKE does not install LATEST on other images; Ubuntu gets the default driver.",
    fix="Set gpuDriverVersion to DEFAULT, or imageType to COS_CONTAINERD.",
    sources=("Kubernetes Engine API, GPUDriverInstallationConfig",),
)
def gcp_gke_gpu_driver_latest(view: View) -> Verdict:
    """The newest GPU driver (LATEST) is selected only for nodes with Container-Optimized OS."""

    def check(pool: GkePool, accelerator: Block) -> Verdict:
        driver = accelerator.block("gpuDriverInstallationConfig")
        if driver is None or driver.text("gpuDriverVersion") != "LATEST":
            return NOT_APPLICABLE
        image = _image(pool)
        message = f"GKE installs the driver LATEST on Container-Optimized OS only, and the image is {image}"
        path = driver.at("gpuDriverVersion")
        return allow(image.startswith("COS"), message, hint="Use DEFAULT, or the image COS_CONTAINERD.", path=path)

    return each(_pool_accelerators(view), lambda pair: check(*pair))


@RULES.rule(
    on=POOLS,
    each_of=gke_pools,
    severity=MEDIUM,
    rationale=(
        "GKE installs drivers on Container-Optimized OS and Ubuntu only; no primary source confirms that Windows nodes "
        "are refused."
    ),
    fix="Set imageType to COS_CONTAINERD.",
    sources=("[?] inferred: GKE installs drivers on Container-Optimized OS and Ubuntu only",),
)
def gcp_gke_accelerator_linux(pool: GkePool) -> Verdict:
    """Nodes with accelerators run a Linux image."""
    machine, config = pool.machine, pool.config
    if machine is None or config is None or not machine.accelerators:
        return NOT_APPLICABLE
    image = _image(pool)
    message = f"{image} does not run on {machine.machine_type}"
    path = config.at("imageType")
    return allow(not image.startswith("WINDOWS"), message, hint="Use COS_CONTAINERD.", path=path)


@RULES.rule(
    on=POOLS,
    severity=MEDIUM,
    rationale=(
        "Secure boot loads no unsigned driver, so that the nodes start but a GPU driver of your own does not load."
    ),
    fix=(
        "Set gpuDriverVersion to DEFAULT so that GKE installs the driver, or set "
        "shieldedInstanceConfig.enableSecureBoot to false."
    ),
    sources=("cluster-toolkit 1.95, modules/compute/gke-node-pool README, enable_secure_boot",),
)
def gcp_gke_gpu_secure_boot(view: View) -> Verdict:
    """Nodes whose GPU driver GKE does not install start without secure boot."""

    def check(pool: GkePool, accelerator: Block) -> Verdict:
        driver, config = accelerator.block("gpuDriverInstallationConfig"), pool.config
        shielded = config.block("shieldedInstanceConfig") if config is not None else None
        if driver is None or shielded is None or driver.text("gpuDriverVersion") != "INSTALLATION_DISABLED":
            return NOT_APPLICABLE
        message = "GKE installs no GPU driver on the nodes, and secure boot loads only drivers that Google signed"
        hint = "Let GKE install the driver (DEFAULT), or set enableSecureBoot to false."
        return allow(not shielded.flag("enableSecureBoot"), message, hint=hint, path=shielded.at("enableSecureBoot"))

    return each(_pool_accelerators(view), lambda pair: check(*pair))


def _pool_accelerators(view: View) -> Iterator[tuple[GkePool, Block]]:
    for pool in gke_pools(view):
        config = pool.config
        for accelerator in config.blocks("guestAccelerators") if config is not None else ():
            yield pool, accelerator


def _image(pool: GkePool) -> str:
    """The image of a pool's nodes; Container-Optimized OS unless another is named."""
    config = pool.config
    named = config.text("imageType") if config is not None else None
    return (named or "COS_CONTAINERD").upper()
