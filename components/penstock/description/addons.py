"""Add-ons, which run beside the workloads."""

from __future__ import annotations

from pydantic import Field

from penstock.description.addon_blocks.cost import CostSpec
from penstock.description.addon_blocks.gitops import GitOpsSpec
from penstock.description.addon_blocks.health import HealthSpec
from penstock.description.addon_blocks.notebooks import NotebooksSpec
from penstock.description.addon_blocks.observability import ObservabilitySpec
from penstock.description.addon_blocks.queueing import QueueingSpec
from penstock.description.addon_blocks.ray import RaySpec
from penstock.description.addon_blocks.secrets import SecretStoreSpec
from penstock.description.addon_blocks.security import SecuritySpec
from penstock.description.addon_blocks.slurm import SlurmSpec
from penstock.description.addon_blocks.training import TrainingSpec
from penstock.description.block import HoldingSpec, Name, SpecBlock


class RegistrySpec(HoldingSpec):
    """Container image repositories, scanned on push."""

    repositories: tuple[Name, ...] = Field(description="A list of names, such as [trainer].")


class AddonsSpec(SpecBlock):
    """One key per add-on; naming an add-on enables it."""

    secrets: SecretStoreSpec | None = None
    registry: RegistrySpec | None = None

    queueing: QueueingSpec | None = None
    training: TrainingSpec | None = None
    ray: RaySpec | None = None
    gitops: GitOpsSpec | None = None
    slurm: SlurmSpec | None = None
    observability: ObservabilitySpec | None = None
    security: SecuritySpec | None = None
    notebooks: NotebooksSpec | None = None
    cost: CostSpec | None = None
    health: HealthSpec | None = None
