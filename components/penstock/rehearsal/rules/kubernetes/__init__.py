"""What a Kubernetes API server or its scheduler refuses, by subject."""

from __future__ import annotations

from types import ModuleType

SUBJECTS: tuple[ModuleType, ...] = ()
