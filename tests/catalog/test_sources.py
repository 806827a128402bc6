"""Each source of a fact is a link, or is known to have none."""

from __future__ import annotations

import re

import pytest
from tools import gcp_prices

from penstock.catalog import api_limits, tables
from penstock.catalog.sources import source_page, source_pages, source_url


def test_every_source_of_a_table_has_a_page_or_is_known_to_have_none() -> None:
    for name in tables.table_names():
        sources = {row["source"] for row in tables.rows(name) if "source" in row}

        assert not {source for source in sources if source_page(source) is None}


@pytest.mark.parametrize("cloud", ["aws", "gcp"])
def test_the_source_of_the_limits_of_apis_has_a_page(cloud: str) -> None:
    assert source_url(api_limits.source(cloud))


def test_every_label_begins_a_source_or_a_part_of_one() -> None:
    written = {row["source"] for name in tables.table_names() for row in tables.rows(name) if "source" in row}
    written |= {*map(api_limits.source, ("aws", "gcp")), gcp_prices.SOURCE}
    parts = {part for source in written for part in (source, *source.split("; "))}

    assert source_pages().keys() == {page.label for part in parts if (page := source_page(part))}


def test_pages_are_addresses() -> None:
    for page in source_pages().values():
        assert re.fullmatch(r"(https://[^\s|]+)?", page.url or ""), page


@pytest.mark.parametrize(
    ("source", "url"),
    [
        ("EKS user guide, access entries", "https://docs.aws.amazon.com/eks/latest/userguide/access-entries.html"),
        ("EKS user guide, something else", "https://docs.aws.amazon.com/eks/latest/userguide/"),
        ("terraform-provider-aws issue 151830", "https://github.com/hashicorp/terraform-provider-aws"),
        ("no log found; two zones", None),
        ("hearsay", None),
    ],
)
def test_a_source_leads_to_the_page_of_its_longest_label(source: str, url: str | None) -> None:
    assert source_url(source) == url
