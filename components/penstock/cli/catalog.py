"""The command `penstock catalog`: the age of the catalogue, and newer prices from the clouds."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from penstock.core.clock import utc_today
from penstock.providers import priced_clouds

catalog = typer.Typer(
    invoke_without_command=True,
    help="Show which facts of the catalogue are past their shelf life; `refresh` asks the clouds for newer prices.",
)

if TYPE_CHECKING:
    PricedCloud = StrEnum
else:
    PricedCloud = StrEnum("PricedCloud", {name: name for name in priced_clouds()})
"""A cloud whose price service can be asked."""


@catalog.callback()
def show_stale(context: typer.Context) -> None:
    """Show which facts of the catalogue are past their shelf life, and where refreshed prices are."""
    if context.invoked_subcommand is not None:
        return

    from penstock.catalog.price_overrides import folder, refreshed_tables
    from penstock.catalog.shelf_life import stale_tables

    stale = list(stale_tables(utc_today()))
    for each in stale:
        life = f"older than {each.days} days, the oldest of {each.oldest.isoformat()}"
        typer.echo(f"{each.name:32} {each.rows} of {each.of} rows are {life}")
    if not stale:
        typer.echo("Nothing in the catalogue is past its shelf life.")
    elif any(each.name.endswith(("prices", "price_lists")) for each in stale):
        typer.echo("Newer prices: `penstock catalog refresh CLOUD --region REGION`.")
    for name, rows, newest in refreshed_tables():
        typer.echo(f"Refreshed: {name}, {rows} rows, the newest of {newest}, in {folder()}")


@catalog.command("prices")
def show_prices(
    cloud: Annotated[PricedCloud, typer.Argument(help="The cloud whose machine prices to print.")],
    region: Annotated[str, typer.Option(metavar="REGION", help="The region.")],
    machine_type: Annotated[str, typer.Option(metavar="PATTERN", help="Machine types, such as 'm7i.*'.")] = "*",
) -> None:
    """Print the prices of machines in a region as CSV, with their source and date."""
    import csv
    import sys

    from penstock.catalog import prices, regions

    regions.find_region(region, cloud.value)
    writer = csv.writer(sys.stdout, lineterminator="\n")
    writer.writerow(["machine_type", "capacity", "usd_h", "unverified", "source", "as_of"])
    for name, capacity, price in prices.machine_hours(region, cloud.value, machine_type):
        writer.writerow([name, capacity, f"{price.usd:.6g}", " ".join(price.unverified), price.source, price.as_of])


@catalog.command()
def refresh(
    cloud: Annotated[PricedCloud, typer.Argument(help="The cloud whose price service is asked.")],
    region: Annotated[
        list[str] | None, typer.Option(metavar="REGION", help="A region to ask for. May be repeated.")
    ] = None,
    to: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="Where to write; by default where Penstock looks for prices.")
    ] = None,
    endpoint: Annotated[
        str | None, typer.Option(metavar="URL", help="Another address of the price service, such as a mirror.")
    ] = None,
) -> None:
    """Ask a cloud's price service for newer prices, with your network, and keep them beside the catalogue."""
    from penstock.catalog import prices, regions
    from penstock.catalog.price_lists.services import ask_service, example_region, write_prices
    from penstock.catalog.price_overrides import VARIABLE, folder

    if not region and (example := example_region(cloud.value)):
        raise typer.BadParameter(f"name the regions to ask for, such as --region {example}")
    if endpoint is not None and not endpoint.startswith(("https://", "http://")):
        raise typer.BadParameter(f"{endpoint!r} is not an address of the form https://…")
    for name in region or ():
        regions.find_region(name, cloud.value)
    place = to or folder()
    fresh = ask_service(cloud.value, region or (), endpoint)
    written = write_prices(cloud.value, fresh, place)
    prices.forget()
    for path, changed, rows in written:
        typer.echo(f"{path}: {changed} rows new or changed, {rows} in all")
    if not written:
        typer.echo("The price service has no price of the machine types that the catalogue knows.")
    elif to is not None and to != folder():
        typer.echo(f"Penstock uses them where {VARIABLE} names this folder.")
