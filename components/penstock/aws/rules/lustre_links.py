"""Links between FSx for Lustre and S3: data repository associations and the older import and export paths."""

from __future__ import annotations

from collections.abc import Iterable

from penstock.aws.model.launch_templates import inside
from penstock.aws.rules.lustre import INTELLIGENT_TIERING, deployment_type, storage_type
from penstock.aws.types import FSX_DATA_REPOSITORY_ASSOCIATION, FSX_LUSTRE_FILE_SYSTEM, S3_BUCKET
from penstock.catalog import limits
from penstock.graph.verdict import NOT_APPLICABLE, PASS, Failure, NotKnown, Outcome, Verdict, allow, together
from penstock.graph.view import View
from penstock.rules.levels import HIGH, MEDIUM, Category
from penstock.rules.rule import RuleSet

RULES = RuleSet(Category.PROVIDER)

_OLD_LINKS = ("importPath", "exportPath", "autoImportPolicy", "importedFileChunkSize")
"""How file systems were linked to one bucket before there were associations."""


@RULES.rule(
    on=FSX_LUSTRE_FILE_SYSTEM,
    severity=HIGH,
    rationale=(
        "FSx does not back up a linked file system, since the bucket is the durable copy, and rejects the setting."
    ),
    fix="Set automaticBackupRetentionDays to 0, and leave copyTagsToBackups out.",
    joins=True,
    sources=("FSx for Lustre user guide, using-backups-fsx",),
)
def aws_fsx_linked_no_backup(filesystem: View) -> Verdict:
    """A file system that is linked to a bucket has no automatic backups."""
    linked = "importPath" in filesystem or bool(filesystem.referrers(FSX_DATA_REPOSITORY_ASSOCIATION, "fileSystemId"))
    if not linked:
        return NOT_APPLICABLE
    return together(
        (
            allow(
                not filesystem.integer("automaticBackupRetentionDays"),
                "AWS does not back up a file system that is linked to a bucket",
                hint="Set automaticBackupRetentionDays to 0.",
                path="automaticBackupRetentionDays",
            ),
            allow(
                not filesystem.flag("copyTagsToBackups"),
                "copyTagsToBackups is true, although a linked file system has no backups",
                hint="Leave copyTagsToBackups out.",
                path="copyTagsToBackups",
            ),
        )
    )


@RULES.rule(
    on=FSX_LUSTRE_FILE_SYSTEM,
    severity=HIGH,
    rationale="FSx refuses data repository associations on a file system with an import path.",
    fix=(
        "Link all buckets by DataRepositoryAssociation, and leave importPath, exportPath, autoImportPolicy and "
        "importedFileChunkSize out."
    ),
    joins=True,
    sources=("FSx API model in botocore 1.44, ImportPath, ExportPath and AutoImportPolicy",),
)
def aws_fsx_one_link_method(filesystem: View) -> Verdict:
    """A file system is linked to buckets by data repository associations or by an import path, and not by both."""
    old = [key for key in _OLD_LINKS if key in filesystem]
    if not old:
        return NOT_APPLICABLE
    return allow(
        not filesystem.referrers(FSX_DATA_REPOSITORY_ASSOCIATION, "fileSystemId"),
        f"{old[0]} excludes data repository associations",
        hint="Link all buckets by DataRepositoryAssociation.",
        path=old[0],
    )


@RULES.rule(
    on=FSX_LUSTRE_FILE_SYSTEM,
    severity=MEDIUM,
    rationale="FSx may reject an import path on PERSISTENT_2; no primary source confirms this.",
    fix=(
        "Create a DataRepositoryAssociation with dataRepositoryPath, and leave importPath, exportPath, "
        "autoImportPolicy and importedFileChunkSize out."
    ),
    sources=("no primary source: the API model does not say so",),
)
def aws_fsx_persistent2_associations(filesystem: View) -> Verdict:
    """A PERSISTENT_2 file system is linked to buckets by data repository associations, and not by an import path."""
    old = [key for key in _OLD_LINKS if key in filesystem]
    if not old:
        return NOT_APPLICABLE
    hint = "Create a DataRepositoryAssociation with dataRepositoryPath instead."
    return allow(
        deployment_type(filesystem) != "PERSISTENT_2", f"PERSISTENT_2 does not accept {old[0]}", hint=hint, path=old[0]
    )


@RULES.rule(
    on=FSX_DATA_REPOSITORY_ASSOCIATION,
    severity=HIGH,
    rationale="CreateDataRepositoryAssociation rejects other paths.",
    fix="Set fileSystemPath to a path that begins with /, and dataRepositoryPath to s3:// and the bucket's name.",
    sources=("FSx API model in botocore 1.44, CreateDataRepositoryAssociation",),
)
def aws_fsx_association_paths(link: View) -> Verdict:
    """A data repository association leads from a path that begins with / to one that begins with s3://."""
    inside, outside = link.text("fileSystemPath"), link.text("dataRepositoryPath")
    if inside is None or outside is None:
        return NOT_APPLICABLE
    outer = f"Write s3://{outside}." if "://" not in outside else "Write s3:// and the bucket's name."
    return together(
        (
            allow(
                inside.startswith("/"),
                f"{inside!r} is not a path of the file system",
                hint=f"Write /{inside}.",
                path="fileSystemPath",
            ),
            allow(
                outside.startswith(("s3://", "nfs://")),
                f"{outside!r} is not an S3 path",
                hint=outer,
                path="dataRepositoryPath",
            ),
        )
    )


@RULES.rule(
    on=FSX_DATA_REPOSITORY_ASSOCIATION,
    severity=HIGH,
    rationale="CreateDataRepositoryAssociation refuses any other file system.",
    fix='Set fileSystemTypeVersion to "2.15", deploymentType to PERSISTENT_2 and storageType to SSD.',
    joins=True,
    sources=(
        "FSx API model in botocore 1.44, CreateDataRepositoryAssociation",
        "FSx API model in botocore 1.44, DataRepositoryAssociation",
    ),
)
def aws_fsx_association_support(link: View) -> Verdict:
    """Data repository associations are for Lustre 2.12 or newer, not SCRATCH_1 or Intelligent-Tiering."""
    filesystem = link.one("fileSystemId", FSX_LUSTRE_FILE_SYSTEM)
    if filesystem is None:
        return NOT_APPLICABLE
    kind, version = deployment_type(inside(filesystem)), filesystem.text("fileSystemTypeVersion")
    oldest = version or ("2.12" if kind == "PERSISTENT_2" else "2.10")
    good = kind != "SCRATCH_1" and storage_type(filesystem) != INTELLIGENT_TIERING and oldest != "2.10"
    return allow(
        good,
        (
            f"{filesystem.name} is {kind} on {storage_type(filesystem)} with Lustre {oldest}, which does not "
            "support associations"
        ),
        hint='Set fileSystemTypeVersion to "2.15" and deploymentType to PERSISTENT_2 on SSD.',
        path="fileSystemId",
    )


@RULES.rule(
    on=FSX_LUSTRE_FILE_SYSTEM,
    severity=HIGH,
    rationale="CreateDataRepositoryAssociation refuses further associations and overlapping paths.",
    fix=(
        "Set fileSystemPath and dataRepositoryPath to paths that do not contain each other, and keep at most eight "
        "associations."
    ),
    joins=True,
    sources=("FSx API model in botocore 1.44, CreateDataRepositoryAssociation",),
)
def aws_fsx_association_no_overlap(filesystem: View) -> Verdict:
    """A file system has at most eight data repository associations, whose paths and prefixes do not overlap."""
    links = filesystem.referrers(FSX_DATA_REPOSITORY_ASSOCIATION, "fileSystemId")
    if not links:
        return NOT_APPLICABLE
    most = limits.find_limit("lustre_data_repositories", "aws").most
    failures = [
        Failure(f"a file system has at most {most} associations", "Leave this one out.", "fileSystemId", link.urn)
        for link in links[most:]
    ]
    for path in ("fileSystemPath", "dataRepositoryPath"):
        failures += _nested(links, path)
    return Verdict(Outcome.FAIL, tuple(failures)) if failures else PASS


@RULES.rule(
    on=FSX_DATA_REPOSITORY_ASSOCIATION,
    severity=MEDIUM,
    rationale="FSx may accept the association, but automatic import does not work across regions.",
    fix="Use a bucket in the region of the file system in dataRepositoryPath.",
    joins=True,
    sources=("aws-parallelcluster, FsxAutoImportValidator",),
)
def aws_fsx_bucket_same_region(link: View) -> Verdict:
    """A bucket that a file system imports from is in the region of the file system."""
    path = link.text("dataRepositoryPath")
    if path is None:
        return NOT_APPLICABLE
    bucket = link.site.named(S3_BUCKET, path.removeprefix("s3://").split("/")[0])
    filesystem = link.one("fileSystemId", FSX_LUSTRE_FILE_SYSTEM)
    if bucket is None or filesystem is None:
        raise NotKnown
    there, here = _region(bucket), _region(filesystem)
    hint = f"Put the bucket into {here}."
    return allow(
        there == here,
        f"{bucket.name} is in {there}, and the file system in {here}",
        hint=hint,
        path="dataRepositoryPath",
    )


def _nested(links: Iterable[View], key: str) -> list[Failure]:
    """The links whose path lies within that of another, found beside each other once they are sorted."""
    paths = sorted((f"{path.rstrip('/')}/", rank, link) for rank, link in enumerate(links) if (path := link.text(key)))
    failures = []
    outer = None
    for path, rank, link in paths:
        if outer is not None and path.startswith(outer[0]):
            blamed = max((rank, link), outer[1:], key=lambda each: each[0])[1]
            message = f"{path.rstrip('/') or '/'} lies within {outer[0].rstrip('/') or '/'}, which is linked too"
            failures.append(Failure(message, "Use paths that do not contain each other.", key, blamed.urn))
        else:
            outer = path, rank, link
    return failures


def _region(holder: View) -> str:
    region = holder.text("region") or holder.outputs.text("region") or holder.provider.text("region")
    if not region:
        raise NotKnown
    return region
