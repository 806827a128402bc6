"""One report as one HTML file: it needs no network, no other file, and no script to be read."""

from __future__ import annotations

from penstock.report.html.page import render

__all__ = ["render"]
