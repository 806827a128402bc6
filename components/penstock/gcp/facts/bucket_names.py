"""The names that Cloud Storage accepts for a bucket."""

from __future__ import annotations

import re

from penstock.catalog.tables import rows

_FORM = re.compile(r"[a-z0-9][a-z0-9._-]*[a-z0-9]")
_IPV4 = re.compile(r"\d+\.\d+\.\d+\.\d+")
_WHOLE = range(3, 64)
_DOTTED = range(3, 223)


def problem(name: str) -> str | None:
    """Return what Cloud Storage would refuse in a bucket's name, as one sentence, or None if it is fine.

    Whether the name is free cannot be known here: names are unique in all of Google Cloud. A name with dots is that of
    a domain, which must be proven to be one's own.
    """
    if not _FORM.fullmatch(name) or len(name) not in (_DOTTED if "." in name else _WHOLE):
        return "a bucket's name has 3 to 63 of a-z, 0-9, '-', '_' and '.', and starts and ends with a letter or digit"
    if any(not part or len(part) not in range(1, 64) for part in name.split(".")):
        return "each part of a bucket's name between dots has 1 to 63 characters"
    if _IPV4.fullmatch(name):
        return "a bucket's name must not look like an IPv4 address"
    for row in rows("gcp/bucket_names"):
        if row["kind"] == "prefix" and name.startswith(row["text"]):
            return f"Google keeps the prefix {row['text']!r} for itself"
        if row["kind"] == "part" and row["text"] in name:
            return f"Google refuses {row['text']!r} anywhere in a bucket's name"
    return None
