"""Notices each value that a program marks as secret, or that a function of it is applied to as one.

Also loaded by its path into the interpreter of a program: it has the standard library only, of Python 3.8 and later.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any


@contextmanager
def learning(output: Any, learn: Callable[[Any], None]) -> Iterator[None]:
    """Hands each such value to `learn` before the program sees it; `output` is Pulumi's class of outputs."""
    apply, secret = output.apply, output.secret

    def learning_apply(self: Any, function: Callable[[Any], Any], run_with_unknowns: bool = False) -> Any:  # noqa: FBT001, FBT002 - as the SDK's
        def seen(value: Any) -> Any:
            # The SDK's own frame knows whether the value is secret; the function must not run before that is learnt.
            if sys._getframe(1).f_locals.get("is_secret") is True:  # noqa: SLF001
                learn(value)
            return function(value)

        return apply(self, seen, run_with_unknowns)

    def learning_secret(value: Any) -> Any:
        learn(value)
        return secret(value)

    output.apply, output.secret = learning_apply, staticmethod(learning_secret)
    try:
        yield
    finally:
        output.apply, output.secret = apply, staticmethod(secret)
