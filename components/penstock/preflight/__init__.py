"""Asks a real cloud, read only, for every precondition of a rehearsal: whether it is met, and what was found.

Each provider has a package whose `open_inquiry` takes the credentials of whoever runs it; its record names the package.
Nothing is written: no client has a call that is not a read. `run.ask_all` asks.
"""

from __future__ import annotations

from penstock.preflight.inquiry import Asked, Inquiry, Reply, Status

__all__ = ["Asked", "Inquiry", "Reply", "Status"]
