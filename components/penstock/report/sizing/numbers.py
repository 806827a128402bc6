"""Numbers as people read them."""

from __future__ import annotations

from penstock.core.quantities import GIB

_HOUR_S = 3600.0
_DAY_H = 24.0
_DAYS_FROM_H, _HOURS_FROM_H, _MINUTES_FROM_S = 72, 2, 120
_WHOLE_USD, _WHOLE_PERCENT = 100, 10
_STEPS = ((1e15, "P"), (1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k"))


def counted(value: float) -> str:
    """A count of parameters or tokens: 70B, 1.4T."""
    for step, unit in ((1e12, "T"), (1e9, "B"), (1e6, "M")):
        if value >= step:
            return f"{value / step:.3g}{unit}"
    return f"{value:,.0f}"


def sized(value: float) -> str:
    """A number of bytes: 5.67 TB."""
    for step, unit in _STEPS:
        if value >= step:
            return f"{value / step:.3g} {unit}B"
    return f"{value:.0f} B"


def held(value: float) -> str:
    """Memory of an accelerator, in the unit that its makers count in: 56.8 GiB."""
    gib = value / GIB
    return f"{gib:,.1f} GiB" if gib >= 1 else f"{gib:.2g} GiB"


def lasted(seconds: float) -> str:
    """A time: 42 h, 29.4 days, 12 min, 18 ms."""
    hours = seconds / _HOUR_S
    if hours >= _DAYS_FROM_H:
        return f"{hours / _DAY_H:.1f} days"
    if hours >= _HOURS_FROM_H:
        return f"{hours:.1f} h"
    if seconds >= _MINUTES_FROM_S:
        return f"{seconds / 60:.0f} min"
    return f"{seconds:.3g} s" if seconds >= 1 else f"{seconds * 1000:.3g} ms"


def paid(usd: float | None) -> str:
    """Money: 2,372 USD; unknown is unknown."""
    if usd is None:
        return "unknown"
    return f"{usd:,.0f} USD" if usd >= _WHOLE_USD else f"{usd:,.2f} USD"


def part(share: float) -> str:
    """A share: 12 %, 0.2 %."""
    percent = share * 100
    return f"{percent:.0f} %" if percent >= _WHOLE_PERCENT or percent == 0 else f"{percent:.2g} %"
