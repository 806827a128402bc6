"""What Cloud Storage refuses in a bucket's name is refused before it is asked."""

from __future__ import annotations

import pytest

from penstock.gcp.facts import bucket_names as gcp_bucket_names


@pytest.mark.parametrize("name", ["abc", "acme-prod-datasets", "acme_data", "a.b.c", "0" * 63, f"{'a' * 63}.example"])
def test_a_name_that_cloud_storage_takes_has_no_problem(name: str) -> None:
    assert gcp_bucket_names.problem(name) is None


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("ab", "3 to 63"),
        ("a" * 64, "3 to 63"),
        ("Acme-data", "a-z"),
        ("acme data", "a-z"),
        ("-acme", "starts and ends"),
        ("acme_", "starts and ends"),
        ("acme\n", "a-z"),
        ("a..b", "between dots"),
        (f"{'a' * 64}.example", "between dots"),
        ("10.0.0.1", "IPv4"),
        ("goog-models", "prefix 'goog'"),
        ("my-google-models", "'google'"),
        ("my-g00gle-models", "'g00gle'"),
    ],
)
def test_a_name_that_cloud_storage_refuses_is_explained(name: str, says: str) -> None:
    assert says in (gcp_bucket_names.problem(name) or "")
