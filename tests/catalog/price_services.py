"""The clouds' price services as they answer, served by a local server: recorded forms, shortened."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

SAMPLES = Path(__file__).parents[1] / "tools" / "samples"

Answer = Callable[[str, Mapping[str, list[str]]], tuple[int, bytes]]


def sample(name: str) -> str:
    """A recorded answer."""
    return (SAMPLES / name).read_text(encoding="utf-8")


@dataclass
class PriceService:
    """A server with the requests that it got: the path with its query, and the headers."""

    url: str = ""
    requests: list[tuple[str, Mapping[str, str]]] = field(default_factory=list)


@contextmanager
def serving(answer: Answer) -> Iterator[PriceService]:
    """Serve answers at an address of this machine."""
    service = PriceService()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            service.requests.append((self.path, dict(self.headers)))
            parts = urlsplit(self.path)
            status, body = answer(parts.path, parse_qs(parts.query))
            self.send_response(status)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - as the base class calls it
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    service.url = f"http://127.0.0.1:{server.server_port}"
    try:
        yield service
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def aws(path: str, _: Mapping[str, list[str]]) -> tuple[int, bytes]:
    """The bulk price list of one region, with a volume and a gateway behind its machines."""
    if path != "/offers/v1.0/aws/AmazonEC2/current/eu-north-1/index.csv":
        return 404, b"<Error/>"
    lines = sample("aws_price_list.csv").splitlines()
    header = lines[5] + ',"usageType"'
    machines = [f'{line},"EUN1-BoxUsage"' for line in lines[6:]]
    columns = [column.strip('"') for column in header.split(",")]

    def row(usage: str, unit: str, usd: str) -> str:
        values = {
            "TermType": "OnDemand",
            "Unit": unit,
            "PricePerUnit": usd,
            "Currency": "USD",
            "Region Code": "eu-north-1",
            "usageType": usage,
        }
        return ",".join(f'"{values.get(column, "")}"' for column in columns)

    services = [
        row("EUN1-EBS:VolumeUsage.gp3", "GB-Mo", "0.0836000000"),
        row("EUN1-NatGateway-Hours", "Hrs", "0.0460000000"),
        row("EUN1-NatGateway-Bytes", "GB", "0.0460000000"),
    ]
    return 200, "\n".join([*lines[:5], header, *machines, *services]).encode()


def azure(path: str, query: Mapping[str, list[str]]) -> tuple[int, bytes]:
    """The retail prices of a region, in two pages whose link names another host."""
    if path != "/api/retail/prices":
        return 404, b"{}"
    items = json.loads(sample("azure_prices.json"))["Items"]
    if "$skip" in query:
        return 200, json.dumps({"Items": items[1:], "NextPageLink": None}).encode()
    following = "https://prices.azure.com:443/api/retail/prices?$filter=x&$skip=1000"
    return 200, json.dumps({"Items": items[:1], "NextPageLink": following}).encode()


def google(path: str, query: Mapping[str, list[str]]) -> tuple[int, bytes]:
    """The SKUs of Compute Engine, in two pages."""
    if path != "/v1/services/6F81-5844-456A/skus":
        return 404, b"{}"
    skus = json.loads(sample("gcp_skus.json"))["skus"]
    if query.get("pageToken") == ["second"]:
        return 200, json.dumps({"skus": skus[2:], "nextPageToken": ""}).encode()
    return 200, json.dumps({"skus": skus[:2], "nextPageToken": "second"}).encode()
