"""The names that S3 accepts for a general-purpose bucket."""

from __future__ import annotations

import re

from penstock.catalog.tables import rows

_FORM = re.compile(r"[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]")
_IPV4 = re.compile(r"\d+\.\d+\.\d+\.\d+")


def problem(name: str) -> str | None:
    """Return what S3 would refuse in a bucket's name, as one sentence, or None if it is fine.

    Whether the name is free cannot be known here: names are unique in the whole partition.
    """
    if not _FORM.fullmatch(name):
        return "a bucket's name has 3 to 63 of a-z, 0-9, '.' and '-', and starts and ends with a letter or digit"
    if ".." in name:
        return "a bucket's name has no two dots in a row"
    if _IPV4.fullmatch(name):
        return "a bucket's name must not look like an IPv4 address"
    for row in rows("aws/bucket_names"):
        taken = name.startswith(row["text"]) if row["kind"] == "prefix" else name.endswith(row["text"])
        if taken:
            return f"AWS keeps the {row['kind']} {row['text']!r} for itself"
    return None
