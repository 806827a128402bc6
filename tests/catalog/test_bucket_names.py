"""What S3 refuses in a bucket's name is refused before it is asked."""

from __future__ import annotations

import pytest

from penstock.aws.facts import bucket_names as buckets


@pytest.mark.parametrize("name", ["abc", "acme-prod-datasets", "a.b.c", "0" * 63])
def test_a_name_that_s3_takes_has_no_problem(name: str) -> None:
    assert buckets.problem(name) is None


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("ab", "3 to 63"),
        ("a" * 64, "3 to 63"),
        ("Acme-data", "a-z"),
        ("acme_data", "a-z"),
        ("-acme", "starts and ends"),
        ("acme.", "starts and ends"),
        ("acme\n", "a-z"),
        ("a..b", "two dots"),
        ("10.0.0.1", "IPv4"),
        ("xn--acme", "prefix 'xn--'"),
        ("acme--x-s3", "suffix '--x-s3'"),
    ],
)
def test_a_name_that_s3_refuses_is_explained(name: str, says: str) -> None:
    assert says in (buckets.problem(name) or "")
