"""Downloads in scripts that neither a version nor a checksum pins."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from penstock.secrets.decoding import unwrapped

_CONTINUED: Final = re.compile(r"\\\r?\n\s*")
_URL: Final = re.compile(r"https?://[^\s\"'|;)<>]+")
_FETCH: Final = r"\b(?:curl|wget)\b[^\n;|&]*"
_SHELL: Final = r"(?:sudo\s+(?:-\S+\s+)*)?(?:env\s+(?:\S+=\S*\s+)*)?(?:ba|z|da)?sh\b|(?:sudo\s+)?python3?\b"
_RUN: Final = (
    ("|", re.compile(rf"({_FETCH})\|\s*(?:{_SHELL})")),
    (
        "<(",
        re.compile(
            rf"(?:\b(?:ba|z|da)?sh\s+(?:-\w+\s+)*|\bsource\s+|(?:^|[\s;])\.\s+)<\(\s*({_FETCH})\)", re.MULTILINE
        ),
    ),
    ("$(", re.compile(rf"(?:\b(?:ba|z|da)?sh\s+-\w*c|\beval)\s+[\"']?\$\(\s*({_FETCH})\)")),
)
"""Commands that run a download as it arrives, each after what a script with one has: through a pipe, a file descriptor
or a substitution."""

_KEPT: Final = re.compile(
    r"\bcurl\b[^\n;|&]*\s(?:-[a-zA-Z]*[oO]\b|--output\b|--remote-name\b)[^\n;|&]*|"
    r"\bwget\b(?![^\n;|&]*\s-[a-zA-Z]*O\s*-)[^\n;|&]*"
)
"""A download that becomes a file; wget prints with -O -, and curl without -o."""

_PIP: Final = re.compile(r"\bpip3?\s+install\b[^\n;|&]*?(git\+https?://[^\s\"']+)")
_VERIFIED: Final = re.compile(
    r"\b(?:sha(?:1|256|384|512)sum|shasum|b2sum|cosign\s+verify|minisign|slsa-verifier|Get-FileHash)\b|"
    r"\bgpgv?\b[^\n]*--verify|\bgpgv\b|openssl\s+dgst[^\n]*-verify"
)
_MOVING: Final = re.compile(r"(?:^|[/=_.-])(?:latest|master|main|HEAD|nightly)(?:[/._-]|$)")
_PINNED: Final = re.compile(r"\d+\.\d+|(?<![0-9a-f])[0-9a-f]{7,64}(?![0-9a-f])|\d{4}-?\d{2}-?\d{2}|\$")
"""A version, a commit, a day, or a variable that holds one."""

_DATA: Final = re.compile(r"\.(?:gpg|asc|key|pem|crt|cer|pub|repo|list|json|ya?ml|txt|conf|cfg)(?:[?#]|$)")
"""Keys and settings: nothing that is run."""

_OWN: Final = re.compile(
    r"https?://(?:169\.254\.|metadata\.google\.internal|localhost|127\.|10\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.|168\.63\.)"
)
"""Metadata services and addresses of the network itself."""


@lru_cache(maxsize=256)
def unpinned_downloads(script: str) -> tuple[str, ...]:
    """Return what a script downloads and runs or keeps, of no fixed version and without a check of what it got."""
    texts = (script, *unwrapped(script))
    return tuple(sorted({found for text in texts for found in _in_text(_CONTINUED.sub(" ", text))}))


def is_moving(url: str) -> bool:
    """Return whether an address names whatever is the newest: latest, main, HEAD."""
    return _MOVING.search(_path(url)) is not None


def _in_text(text: str) -> Iterator[str]:
    if "curl" not in text and "wget" not in text and "git+" not in text:
        return
    run = [match[1] for mark, pattern in _RUN if mark in text for match in pattern.finditer(text)]
    for command in run:
        yield from (url for url in _URL.findall(command) if not _is_own(url) and not _is_pinned(url))
    kept = [match[0] for match in _KEPT.finditer(text)]
    if kept and not _VERIFIED.search(text):
        for command in kept:
            if command not in run and "/dev/null" not in command:
                yield from (
                    url
                    for url in _URL.findall(command)
                    if not _is_own(url) and not _is_pinned(url) and not _DATA.search(url)
                )
    for match in _PIP.finditer(text) if "git+" in text else ():
        if "@" not in _path(match[1]):
            yield match[1]


def _is_own(url: str) -> bool:
    return _OWN.match(url) is not None


def _is_pinned(url: str) -> bool:
    path = _path(url)
    return _MOVING.search(path) is None and _PINNED.search(path) is not None


def _path(url: str) -> str:
    """An address without its host; a variable may be the whole of it."""
    return url.partition("://")[2].partition("/")[2]
