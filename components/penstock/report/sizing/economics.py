"""The economics of SCALE: machines ranked, the bill of the choice, mixes, regions, energy, machines of one's own."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from penstock.catalog.commitments import commitment
from penstock.catalog.sizing_assumptions import assumed
from penstock.core.wording import inflect, plural
from penstock.cost.purchase import PurchaseMix, blended_price, break_even_utilisation
from penstock.providers import provider_named
from penstock.report.sizing.document import ReportFigure, ReportSection, ReportTable
from penstock.report.sizing.numbers import lasted, paid, part, sized
from penstock.sizing.cost import HOURS_A_YEAR
from penstock.sizing.energy import cleanest_first
from penstock.sizing.on_premises import OwnSite
from penstock.sizing.own_comparison import YEARS, OwnComparison, own_comparison
from penstock.sizing.ranking import Choice, Ranking, elsewhere
from penstock.sizing.request import SizingRequest
from penstock.sizing.serving import ServingPlan
from penstock.sizing.training import TrainingPlan

_SHOWN = 12
_REGIONS = 5
_SLOW = 10
"""How many times as long as the fastest a machine may take to be listed."""
_MIXES = ((0.4, 0.1), (0.7, 0.0), (0.5, 0.2), (0.0, 0.5), (0.6, 0.2), (0.7, 0.2))


def economics_section(request: SizingRequest, ranking: Ranking, choice: Choice) -> ReportSection:
    """What it costs, here and elsewhere."""
    tables = [ranked_table(request, ranking), _mix_table(request, choice), _region_table(request, choice)]
    sentences = [
        (
            "Costs are list prices of the cheapest region that sells the machine, without tax; a ~ marks a price that "
            "no primary source confirms. Carbon can be compared inside one cloud only: the clouds publish it by "
            "methods that differ."
        )
    ]
    figures = [*_bill(request, choice), *_energy(choice)]
    if request.on_premises:
        own, more, why = _own(ranking)
        figures += own
        tables += more
        sentences += why
    return ReportSection(
        title="Economics",
        sentences=tuple(sentences),
        figures=tuple(figures),
        tables=tuple(each for each in tables if each.rows),
    )


def ranked_table(request: SizingRequest, ranking: Ranking) -> ReportTable:
    """The best machine of each accelerator of each cloud, by cost; those without a price after them."""
    best: dict[tuple[str, str], Choice] = {}
    for each in ranking.choices:
        best.setdefault((each.cloud, each.hardware.chip.accelerator), each)
    near = [each for each in best.values() if request.accelerators is None or not _is_slow(each, ranking)]
    shown = near[:_SHOWN]
    time = "time" if request.trains else "a token"
    cost = "cost" if request.trains else "a month"
    rows = tuple(
        (
            each.cloud,
            f"{each.plan.nodes:,} × {each.hardware.machine_type}",
            each.hardware.chip.accelerator,
            each.offer.region or "",
            each.offer.way.replace("_", " "),
            lasted(each.plan.wall_seconds if isinstance(each.plan, TrainingPlan) else each.plan.load_token_seconds),
            f"{'~' if each.unverified and each.usd is not None else ''}{paid(each.usd)}",
            f"{each.energy.carbon_kg:,.0f} kg" if each.energy.carbon_kg is not None else "unknown",
        )
        for each in shown
    )
    left, slow = len(near) - len(shown), len(best) - len(near)
    more = f"; {left} more in --format json" if left else ""
    more += f"; {slow} more {inflect(slow, 'takes', 'take')} over {_SLOW} times as long as the fastest" if slow else ""
    return ReportTable(
        title=f"By cost, the best machine of each accelerator ({_types(len(ranking.choices))} it{more})",
        heads=("cloud", "machines", "accelerator", "region", "bought", time, cost, "CO2e"),
        rows=rows,
    )


def _types(count: int) -> str:
    return f"{plural(count, 'machine type')} {inflect(count, 'does', 'do')}"


def _is_slow(choice: Choice, ranking: Ranking) -> bool:
    """Return whether nobody would wait for it: jobs on a given number of accelerators have no deadline."""
    plan, fastest = choice.plan, ranking.fastest.plan if ranking.fastest is not None else None
    if not isinstance(plan, TrainingPlan) or not isinstance(fastest, TrainingPlan):
        return False
    return plan.wall_seconds > _SLOW * fastest.wall_seconds


def excluded_table(ranking: Ranking) -> ReportTable:
    """The machine types that are left out, by reason."""
    reasons = Counter(each.why for each in ranking.excluded)
    names: dict[str, list[str]] = {}
    for each in ranking.excluded:
        names.setdefault(each.why, []).append(each.hardware.machine_type)
    rows = tuple(
        (f"{why}{_least_latency(ranking, why)}", str(count), f"{names[why][0]}{', …' if count > 1 else ''}")
        for why, count in reasons.most_common()
    )
    return ReportTable(title="Not chosen from", heads=("why", "types", "such as"), rows=rows)


def _least_latency(ranking: Ranking, why: str) -> str:
    """The latencies that machines can do which are left out for a shorter one."""
    same = [each for each in ranking.excluded if each.why == why]
    least = sorted(found for each in same if (found := each.token_seconds or each.first_token_seconds) is not None)
    if not least:
        return ""
    longest = f" to {lasted(least[-1])}" if len(least) > 1 else ""
    return f": {lasted(least[0])}{longest} at least"


def _bill(request: SizingRequest, choice: Choice) -> Iterator[ReportFigure]:
    offer, plan = choice.offer, choice.plan
    price = offer.price
    source = f"{price.source}, {price.as_of}" if price is not None else "the catalogue has no price"
    yield ReportFigure(
        what=f"machines, {offer.way.replace('_', ' ')}",
        value=paid(choice.machine_usd),
        how=f"{plan.nodes:,} × {choice.hours:,.1f} h × {paid(price.usd if price is not None else None)} in "
        f"{offer.region}",
        source=source,
        unverified=bool(price is not None and price.unverified),
    )
    if request.reserved or request.spot:
        missing = f"; without {', '.join(choice.blend.missing)}" if choice.blend.missing else ""
        yield ReportFigure(
            what="machines in the mix",
            value=paid(choice.blended_usd),
            how=f"× {choice.blend.share:.2f} = {choice.blend.formula}{missing}",
            source="catalog/data/commitments.csv",
            unverified=choice.blend.unverified,
        )
    if choice.commitment is not None:
        committed = choice.commitment
        yield ReportFigure(
            what="commitment, whole term",
            value=paid(committed.usd),
            how=f"{committed.machines:,.4g} machines × {committed.years * HOURS_A_YEAR:,} h at the reserved price, "
            f"used or not; the line above counts {paid(committed.counted_usd)} of it",
            source="catalog/data/commitments.csv",
            unverified=committed.unverified,
        )
    if choice.storage is not None:
        yield ReportFigure(
            what="storage",
            value=paid(choice.storage_usd),
            how=f"{paid(choice.storage.month_usd)} a month, for the time of the job",
            source=f"catalog/{choice.cloud}/data/services.csv",
            unverified=choice.storage.unverified,
        )
    yield ReportFigure(what="together", value=paid(choice.usd), how="the lines above" if choice.usd is not None else "")
    if choice.spot_usd is not None and offer.spot is not None:
        yield ReportFigure(
            what="all of it as spot",
            value=paid(choice.spot_usd),
            how=f"{paid(offer.spot.usd)} an hour at one moment; {part(assumed('spot_waste'))} is repeated",
            source=f"{offer.spot.source}, {offer.spot.as_of}",
            unverified=True,
        )
    if isinstance(plan, ServingPlan) and request.traffic is not None and choice.usd is not None:
        million = request.traffic.requests_per_second * request.traffic.output_tokens * 3600 * choice.hours / 1e6
        yield ReportFigure(
            what="a million tokens written",
            value=paid(choice.usd / million),
            how="a month over its tokens, at the given load all the time",
        )


def _energy(choice: Choice) -> Iterator[ReportFigure]:
    energy, chip = choice.energy, choice.hardware.chip
    if energy.kwh is None or energy.grid is None or energy.carbon_kg is None:
        why = "no rated power is known" if chip.power_w is None else "no figure of that region is known"
        yield ReportFigure(what="energy and carbon", value="unknown", how=f"{chip.title}: {why}")
        return
    yield ReportFigure(
        what="energy",
        value=f"{energy.kwh:,.0f} kWh",
        how=f"{choice.plan.accelerators:,} × {chip.power_w:g} W × {part(assumed('power_use'))} × "
        f"{choice.hours:,.1f} h × PUE "
        f"{energy.grid.pue:g}; accelerators only",
        source=f"{chip.source}, {chip.as_of}",
        unverified=True,
    )
    yield ReportFigure(
        what="carbon",
        value=f"{energy.carbon_kg:,.0f} kg CO2e",
        how=f"× {energy.grid.grid_g_kwh:g} g/kWh in {energy.grid.name}",
        source=f"{energy.grid.source}, {energy.grid.as_of}",
    )


def _mix_table(request: SizingRequest, choice: Choice) -> ReportTable:
    """What ordinary mixes of reserved, spot and on-demand machines save, with this machine's prices."""
    found, offer = commitment(choice.cloud, choice.hardware.machine_type, f"{request.years}y"), choice.offer
    rows: tuple[tuple[str, ...], ...] = ()
    title = ""
    if found is not None and offer.price is not None and offer.spot is not None:
        ratio, waste = offer.spot.usd / offer.price.usd, assumed("spot_waste")
        title = (
            f"What a mix saves at full use: {plural(request.years, 'year')} reserved at "
            f"-{part(found.discount)}, spot at {ratio:.2f} of on demand with {part(waste)} repeated; reserved "
            "pays from "
            f"{part(break_even_utilisation(found.discount))} use"
        )
        shares = [PurchaseMix.of(reserved=reserved, spot=spot) for reserved, spot in _MIXES]
        rows = tuple(
            (
                part(each.reserved),
                part(each.spot),
                part(each.on_demand),
                part(1 - blended_price(1.0, each, discount=found.discount, spot_usd=ratio, lost=waste)),
            )
            for each in shares
        )
    return ReportTable(title=title, heads=("reserved", "spot", "on demand", "saved"), rows=rows)


def _region_table(request: SizingRequest, choice: Choice) -> ReportTable:
    """The cleanest regions of the same cloud that sell the machine, and what they cost."""
    rows: list[tuple[str, ...]] = []
    for grid in cleanest_first(choice.cloud):
        there = elsewhere(request, choice, grid.name)
        if isinstance(there, Choice) and there.energy.carbon_kg is not None:
            carbon = f"{there.energy.carbon_kg:,.0f} kg"
            rows.append((grid.name, f"{grid.grid_g_kwh:g} g/kWh", carbon, paid(there.usd), grid.as_of))
        if len(rows) == _REGIONS:
            break
    cloud = provider_named(choice.cloud)
    title = f"The cleanest regions of {cloud.title if cloud is not None else choice.cloud} that sell it"
    return ReportTable(title=title, heads=("region", "grid", "CO2e", "cost", "year"), rows=tuple(rows))


def _own(ranking: Ranking) -> tuple[list[ReportFigure], list[ReportTable], list[str]]:
    """Servers with eight accelerators against the machines of a cloud that have the same."""
    found = own_comparison(ranking)
    if found is None:
        return (
            [],
            [],
            ["No machine with eight accelerators that are sold in servers does this: nothing is compared."],
        )
    site, machine, title = found.site, found.against.hardware.machine_type, found.against.hardware.chip.title
    reserved = (
        f", and against three years of reservation from {part(found.reserved)}" if found.reserved is not None else ""
    )
    committed = f", {paid(found.reserved_usd)} reserved for them" if found.reserved_usd is not None else ""
    buying = (
        f"On premises: {site.nodes} servers with eight {title} cost {paid(site.capex_usd)} to buy and "
        f"{paid(site.opex_usd)} a year; they pay off against {machine} on demand from {part(found.on_demand)} "
        f"use{reserved}."
    )
    together = (
        f"{YEARS} years, all hours and with storage: {paid(found.own_usd)} on premises; in the cloud "
        f"{paid(found.on_demand_usd)} on demand{committed}."
    )
    return list(_own_figures(found)), list(_own_tables(site)), [buying, together]


def _own_figures(found: OwnComparison) -> Iterator[ReportFigure]:
    site, hourly, even, cloud = found.site, found.hourly_usd, found.on_demand, found.against
    guess, storage = "general knowledge, not checked", found.storage
    hows = {
        "servers": f"{site.nodes:,} × {paid(found.server.usd)}",
        "storage": f"{site.storage_servers} servers for {sized(storage.capacity)} and {sized(storage.bandwidth)}/s, as "
        f"the cloud's at {paid(found.storage_month_usd)} a month",
    }
    for name, usd in site.capex.items():
        yield ReportFigure(
            what=f"CAPEX: {name}", value=paid(usd), how=hows.get(name, ""), source=guess, unverified=True
        )
    for name, usd in site.opex.items():
        yield ReportFigure(what=f"OPEX a year: {name}", value=paid(usd), how="", source=guess, unverified=True)
    yield ReportFigure(
        what="own server and hour",
        value=paid(site.node_hour_usd),
        how=f"CAPEX over {assumed('amortisation'):g} years and OPEX, all hours busy",
        source=guess,
        unverified=True,
    )
    yield ReportFigure(
        what="break-even use",
        value=part(even),
        how=f"own machines and storage, less the cloud's storage, over {paid(hourly)} for "
        f"{cloud.hardware.machine_type} in {cloud.offer.region}",
        source=f"{cloud.offer.price.source}, {cloud.offer.price.as_of}" if cloud.offer.price is not None else "",
        unverified=True,
    )
    yield ReportFigure(
        what="power and cooling",
        value=f"{site.it_kw:,.0f} kW",
        how=f"{site.site_kw:,.0f} kW with cooling at PUE {assumed('own_pue'):g}; {site.cooling_tons:,.0f} tons "
        "of refrigeration; "
        f"{site.racks} racks of 40 kW",
        source=guess,
        unverified=True,
    )


def _own_tables(site: OwnSite) -> Iterator[ReportTable]:
    ports = f"{assumed('switch_ports'):g}"
    yield ReportTable(
        title=f"Non-blocking fabrics of {ports}-port switches for {site.nodes * 8:,} ports, one for each accelerator",
        heads=("form", "tiers", "leaves", "spines", "links"),
        rows=tuple(
            (name, str(each.tiers), str(each.leaves), str(each.spines), f"{each.links:,}")
            for name, each in (("fat tree", site.tree), ("rail-optimised", site.rails))
        ),
    )
    yield ReportTable(
        title="Networks to plan; numbers and ranges are a proposal",
        heads=("network", "VLAN", "addresses", "machines"),
        rows=tuple((each.purpose, str(each.vlan), each.cidr, str(each.hosts)) for each in site.networks),
    )
