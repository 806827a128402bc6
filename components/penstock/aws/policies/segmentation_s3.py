"""Buckets of S3 and access points that the internet must not reach."""

from __future__ import annotations

from typing import Final

from penstock.aws.types import LAMBDA_FUNCTION_URL, S3_ACCESS_POINT, S3_BUCKET, S3_BUCKET_PUBLIC_ACCESS_BLOCK
from penstock.graph.verdict import NOT_APPLICABLE, Verdict, allow, each
from penstock.graph.view import Block, View
from penstock.rules.checks import All, ByType, Check, Custom, Each, Either, Has, Is, IsNot, Joined, Where
from penstock.rules.levels import HIGH, MEDIUM, Category
from penstock.rules.rule import RuleSet
from penstock.rules.settings import Settings

RULES = RuleSet(Category.SEGMENTATION)

_ACCOUNT_BLOCK: Final = "aws:s3/accountPublicAccessBlock:AccountPublicAccessBlock"
_REGIONAL_POINT: Final = "aws:s3control/multiRegionAccessPoint:MultiRegionAccessPoint"
_WEBSITE: Final = "aws:s3/bucketWebsiteConfiguration:BucketWebsiteConfiguration"
_CORS: Final = "aws:s3/bucketCorsConfiguration:BucketCorsConfiguration"
_FOUR: Final = ("blockPublicAcls", "blockPublicPolicy", "ignorePublicAcls", "restrictPublicBuckets")
_ALL_FOUR: Final = All(*(Is(one, value=True) for one in _FOUR))


def _account_blocks(it: View, settings: Settings) -> Verdict:
    return each(it.site.of_type(_ACCOUNT_BLOCK), lambda block: _ALL_FOUR.judge(block, settings))


_BY_ACCOUNT: Final = Custom(_account_blocks, others=True)


def _keeps_four(at: str) -> Check:
    """None of the four blocks at a path is turned off; access points have all four by default."""
    return All(*(IsNot(f"{at}.{one}", value=False) for one in _FOUR))


RULES.row(
    "aws-s3-block-public",
    "No public access block of a bucket, an access point or an account leaves a way open.",
    on=(S3_BUCKET_PUBLIC_ACCESS_BLOCK, _ACCOUNT_BLOCK, S3_ACCESS_POINT, _REGIONAL_POINT),
    check=ByType(
        {
            S3_BUCKET_PUBLIC_ACCESS_BLOCK: Either(_ALL_FOUR, _BY_ACCOUNT),
            _ACCOUNT_BLOCK: _ALL_FOUR,
            S3_ACCESS_POINT: _keeps_four("publicAccessBlockConfiguration"),
            _REGIONAL_POINT: _keeps_four("details.publicAccessBlock"),
        }
    ),
    severity=HIGH,
    rationale="One policy or ACL in haste puts the data on the internet.",
    fix="Set blockPublicAcls, blockPublicPolicy, ignorePublicAcls and restrictPublicBuckets to true, or remove the "
    "block of an access point, which is replaced and then has all four.",
    peers="CKV_AWS_53 CKV_AWS_54 CKV_AWS_55 CKV_AWS_56 CKV_AWS_392 AWS-0086 AWS-0087 AWS-0091 AWS-0093 "
    "KICS:1a4bc881 KICS:1ec253ab KICS:d0cc8694 KICS:4fa66806",
    cis=("AWS 5.0: 2.1.4",),
)
RULES.row(
    "aws-s3-block-declared",
    "A public access block is declared for a bucket.",
    on=S3_BUCKET,
    check=Either(
        Joined(((S3_BUCKET_PUBLIC_ACCESS_BLOCK, "bucket"),), "no public access block is declared for it"), _BY_ACCOUNT
    ),
    severity=MEDIUM,
    rationale=(
        "S3 closes new buckets by itself, but what nobody declares, nobody notices when it is turned off by hand; and "
        "buckets older than April 2023 have no such block."
    ),
    fix="Add an aws.s3.BucketPublicAccessBlock with blockPublicAcls, blockPublicPolicy, ignorePublicAcls and "
    "restrictPublicBuckets true, or one aws.s3.AccountPublicAccessBlock for all buckets.",
    sources=("S3 user guide, blocking public access",),
    peers="CKV2_AWS_6 AWS-0094",
    cis=("AWS 5.0: 2.1.4",),
)


def _redirects(it: View) -> Verdict:
    return _only_redirects(it, "")


def _redirects_or_serves_none(it: View) -> Verdict:
    website = it.block("website")
    return NOT_APPLICABLE if website is None else _only_redirects(website, "website")


def _only_redirects(website: Block, path: str) -> Verdict:
    return allow("redirectAllRequestsTo" in website, "S3 serves the bucket as a website", path=path)


RULES.row(
    "aws-s3-no-website",
    "No bucket serves a website by itself, except one that redirects all requests.",
    on=(_WEBSITE, S3_BUCKET),
    check=ByType(
        {
            _WEBSITE: Custom(_redirects, takes_settings=False),
            S3_BUCKET: Custom(_redirects_or_serves_none, takes_settings=False),
        }
    ),
    severity=HIGH,
    rationale=(
        "The website endpoint of S3 speaks plain HTTP only, and the bucket behind it must be public: what lands there "
        "by mistake is on the internet."
    ),
    fix="Remove the website configuration, and serve the bucket through CloudFront with an OriginAccessControl.",
    peers="KICS:42bb6b7f",
)

_WRITES: Final = Either(
    Has("allowedMethods", ("PUT",)),
    Has("allowedMethods", ("POST",)),
    Has("allowedMethods", ("DELETE",)),
    Has("allowedMethods", ("*",)),
)


RULES.row(
    "aws-cors-named-origins",
    "Pages of named sites only may write through a browser.",
    on=(S3_BUCKET, _CORS, LAMBDA_FUNCTION_URL),
    check=ByType(
        {
            **dict.fromkeys((S3_BUCKET, _CORS), Each("corsRules[]", Where(_WRITES, IsNot("allowedOrigins[]", "*")))),
            LAMBDA_FUNCTION_URL: Each("cors", IsNot("allowOrigins[]", "*")),
        }
    ),
    severity=MEDIUM,
    rationale="A page of a stranger, opened by someone who is logged in, writes or deletes with that person's rights.",
    fix="List the origins of your own sites in allowedOrigins (allowOrigins of a function URL), in place of *.",
    peers="KICS:98a8f708 CKV2_AWS_75",
)
