"""How the AWS resources of a stack export become a description."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from penstock.aws.types import (
    EC2_SUBNET,
    EC2_VPC,
    ECR_REPOSITORY,
    EFS_FILE_SYSTEM,
    EKS_ACCESS_ENTRY,
    EKS_CLUSTER,
    FSX_LUSTRE_FILE_SYSTEM,
    RDS_INSTANCE,
    S3_BUCKET,
)
from penstock.conversion.resources import ExportDraft, Reader
from penstock.core.quantities import GIB_PER_TIB, lustre_tib
from penstock.graph.verdict import NotKnown
from penstock.graph.view import View

_ARN_ACCOUNT: Final = 4


def _network(view: View, export: ExportDraft) -> None:
    if "cidr" in export.draft.platform["network"]:
        export.note(view.resource, "A platform has one network.", "Keep it in your own program.")
        export.read.add(view.urn)
        return
    export.put(view, ("network", "cidr"), view.text("cidrBlock"))
    private = [each for each in view.site.of_type(EC2_SUBNET) if not each.flag("mapPublicIpOnLaunch")]
    inside = [each for each in private if view.urn in [vpc.urn for vpc in each.found("vpcId", EC2_VPC)]]
    subnets = [(each.text("availabilityZone"), each.id) for each in inside]
    named = ", ".join(f"{zone}: {id_}" for zone, id_ in dict(subnets).items() if zone)
    hint = f"To keep it, replace cidr by network.existing: {{id: {view.id}, subnets: {{{named}}}}}."
    export.keep(view, "The description creates a new network.", hint)


def _cluster(view: View, export: ExportDraft) -> None:
    export.put(view, ("cluster", "version"), view.text("version"))
    arn = view.outputs.text("arn") or ""
    if arn.count(":") > _ARN_ACCOUNT:
        export.put(view, ("cloud", "account"), arn.split(":")[_ARN_ACCOUNT])
    vpc = view.block("vpcConfig")
    ranges = [each for each in vpc.texts("publicAccessCidrs") if not each.endswith("/0")] if vpc is not None else []
    if vpc is not None and vpc.flag("endpointPublicAccess") is not False:
        if ranges:
            export.put(view, ("cluster", "access"), "restricted")
            export.put(view, ("network", "allowed_cidrs"), ranges)
        else:
            message = "The endpoint is not opened to every address."
            export.note(view.resource, message, "Set cluster.access: restricted and network.allowed_cidrs.")
    name = view.outputs.text("name") or view.text("name") or view.name
    export.draft.called(name, ())
    hint = f"To keep it, set cluster.existing: {{name: {name}}} and network.existing."
    export.keep(view, "The description creates a new cluster.", hint)


def _administrator(view: View, export: ExportDraft) -> None:
    arn = view.text("principalArn")
    if arn and (view.text("type") or "STANDARD") == "STANDARD" and ":assumed-role/" not in arn:
        admins = [*export.draft.platform["cluster"].get("admins", ()), arn]
        export.put(view, ("cluster", "admins"), list(dict.fromkeys(admins)))


def _bucket(view: View, export: ExportDraft) -> None:
    export.add_storage(view, kind="bucket")


def _lustre(view: View, export: ExportDraft) -> None:
    capacity, tier = view.number("storageCapacity"), view.integer("perUnitStorageThroughput")
    if capacity is None or tier is None:
        raise NotKnown
    fabric = {"fabric": "efa"} if view.flag("efaEnabled") else {}
    export.add_storage(view, kind="lustre", capacity_tib=lustre_tib(capacity), throughput_mbps_per_tib=tier, **fabric)


def _shared_files(view: View, export: ExportDraft) -> None:
    export.add_storage(view, kind="nfs")


def _database(view: View, export: ExportDraft) -> None:
    if view.text("engine") != "postgres":
        return
    gib = view.number("allocatedStorage")
    export.add_storage(view, kind="postgres", **({"capacity_tib": round(gib / GIB_PER_TIB, 3)} if gib else {}))


def _repository(view: View, export: ExportDraft) -> None:
    names = [*export.draft.platform["addons"].get("registry", {}).get("repositories", ()), view.name]
    export.put(view, ("addons", "registry"), {"repositories": names})


READERS: Final[Mapping[str, Reader]] = {
    EC2_VPC: _network,
    EKS_CLUSTER: _cluster,
    EKS_ACCESS_ENTRY: _administrator,
    S3_BUCKET: _bucket,
    FSX_LUSTRE_FILE_SYSTEM: _lustre,
    EFS_FILE_SYSTEM: _shared_files,
    RDS_INSTANCE: _database,
    ECR_REPOSITORY: _repository,
}
