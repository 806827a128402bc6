"""The words for a sum of a month: `about`, or `at least` where it leaves something out."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from penstock.core.wording import listed
from penstock.cost.bill import Line, Unpriced
from penstock.cost.total import Total

NOT_KNOWN: Final = "not known"
"""The cell of an amount that is not known, such as the upper bound of a sum that leaves something out."""

_CENTS_BELOW: Final = 100
_DOUBTS: Final[Mapping[str, tuple[str, Callable[[Line], bool]]]] = {
    "unverified": ("guesses", lambda line: line.unverified),
    "other_region": ("prices of other regions", lambda line: line.confidence == "other-region"),
    "stale": ("prices past their shelf life", lambda line: line.stale),
}
"""The reasons to doubt a price, each with its words; one line may have several."""


def usd(amount: float) -> str:
    """Return an amount of USD as people write it: without cents from 100 on."""
    return f"{amount:,.0f}" if abs(amount) >= _CENTS_BELOW else f"{amount:,.2f}"


def signed(amount: float) -> str:
    """Return a difference of USD with its sign."""
    return f"{'+' if amount >= 0 else '-'}{usd(abs(amount))}"


def span(total: Total | Line) -> str:
    """Return the bounds of an amount as text; empty where they are the amount, or where it is itself the least."""
    if isinstance(total, Total) and not total.is_complete:
        return ""
    expected, low, high = total.monthly_usd, total.low_usd, total.high_usd
    if high is None:
        return f"({usd(low)} or more)"
    if round(low) == round(expected) == round(high):
        return ""
    return f"({usd(low)} to {usd(high)})"


def amount_words(amount: float, *, is_complete: bool) -> str:
    """Return `about 5,470 USD`, or `at least 695 USD` for a sum that leaves something out."""
    return f"{'about' if is_complete else 'at least'} {usd(amount)} USD"


def total_words(total: Total) -> str:
    """Return a sum in words, with what it leaves out: the largest omission by name, the others counted."""
    return ", ".join(filter(None, (sum_words(total), omission_words(total))))


def sum_words(total: Total) -> str:
    """Return a sum in words; `at least` where it leaves something out, which `omission_words` names."""
    if total.known_usd is None:
        return "no cost is known" if total.is_complete else "cost not known"
    return f"{amount_words(total.monthly_usd, is_complete=total.is_complete)} a month"


def omission_words(total: Total) -> str:
    """Return what a sum leaves out; empty for a complete one."""
    if total.is_complete:
        return ""
    return f"no figure for {listed(map(omission_name, total.omitted), 1)}"


def omission_name(each: Unpriced) -> str:
    """Return the machines that have no price, or the resource and the reason why it has no figure."""
    machines = each.machines
    if machines is None:
        return f"{each.urn.rpartition('::')[2]} ({each.why})"
    accelerators = round(machines.count * machines.accelerators)
    number = f" ({accelerators:,} accelerators)" if accelerators else ""
    return f"{round(machines.count, 1):g} × {machines.machine_type}{number}"


def doubtful_usd(total: Total) -> dict[str, float]:
    """Return how much of a sum rests on prices that are doubtful, by the reason."""
    return {
        reason: sum(each.monthly_usd for each in total.lines if is_doubted(each))
        for reason, (_, is_doubted) in _DOUBTS.items()
    }


def doubt_words(total: Total) -> str:
    """Return the shares of a sum that rest on doubtful prices; empty where there are none."""
    shares = [
        (_percent(part / total.monthly_usd), f"({usd(part)} USD)", _DOUBTS[reason][0])
        for reason, part in doubtful_usd(total).items()
        if part
    ]
    words = [f"{percent} {amount} on {what}" for percent, amount, what in shares[1:]]
    if shares:
        percent, amount, what = shares[0]
        words.insert(0, f"{percent} of it {amount} rests on {what}")
    return ", ".join(words)


def _percent(share: float) -> str:
    percent = share * 100
    return "less than 1 %" if percent < 1 else f"{percent:.0f} %"
