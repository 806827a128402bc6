"""Checks of the policy documents that resources carry on AWS."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from typing_extensions import override

from penstock.aws.model.iam_documents import read_document
from penstock.aws.model.iam_statements import Statement
from penstock.aws.types import S3_ACCESS_POINT, S3_BUCKET, S3_BUCKET_POLICY
from penstock.graph.verdict import NOT_APPLICABLE, PASS, Verdict, each, fail
from penstock.graph.view import Block
from penstock.rules.checks import Check

BUCKET_POLICIES: Final = dict.fromkeys(
    (
        S3_BUCKET_POLICY,
        S3_BUCKET,
        S3_ACCESS_POINT,
        "aws:s3/filesFileSystemPolicy:FilesFileSystemPolicy",
        "aws:s3control/accessGrantsInstanceResourcePolicy:AccessGrantsInstanceResourcePolicy",
        "aws:s3control/accessPointPolicy:AccessPointPolicy",
        "aws:s3control/bucketPolicy:BucketPolicy",
        "aws:s3control/objectLambdaAccessPointPolicy:ObjectLambdaAccessPointPolicy",
        "aws:s3/vectorsVectorBucketPolicy:VectorsVectorBucketPolicy",
    ),
    ("policy",),
) | dict.fromkeys(
    ("aws:s3tables/tableBucketPolicy:TableBucketPolicy", "aws:s3tables/tablePolicy:TablePolicy"), ("resourcePolicy",)
)
"""The properties with the policies of buckets, by type."""

if TYPE_CHECKING:
    from penstock.rules.settings import Settings


@dataclass(frozen=True, slots=True)
class OfDocuments(Check):
    """Every document that a resource carries fulfils a check.

    `carriers` are the types that do, and the paths at which they do; what the check reads of a document decides whether
    something that is not known yet matters.
    """

    carriers: Mapping[str, tuple[str, ...]]
    check: Callable[[tuple[Statement, ...], str], Verdict]

    @override
    def reads(self, type_: str) -> tuple[str, ...]:
        return self.carriers[type_]

    @override
    def judge(self, it: Block, settings: Settings) -> Verdict:
        places = (place for path in self.carriers[it.owner.type] for place in it.locations(path))
        return each(
            places,
            lambda place: (
                NOT_APPLICABLE if place.value is None else self.check(read_document(place.value).statements, place.path)
            ),
        )


def check_of_statements(
    complaint: Callable[[Statement], str | None],
) -> Callable[[tuple[Statement, ...], str], Verdict]:
    """A check of each statement that allows something; a complaint of None passes, and Deny takes nothing."""

    def check(statements: tuple[Statement, ...], path: str) -> Verdict:
        def one(statement: Statement) -> Verdict:
            wrong = complaint(statement) if statement.allows else None
            return PASS if wrong is None else fail(wrong, path=path)

        return each(statements, one)

    return check
