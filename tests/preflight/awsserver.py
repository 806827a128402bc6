"""An AWS of tests: moto's server, and what moto does not answer yet, in the form of the API references."""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from io import BytesIO
from threading import Thread
from typing import Any
from urllib.parse import parse_qs

from moto.moto_api._internal.models import moto_api_backend
from moto.moto_server.werkzeug_app import DomainDispatcherApplication, create_backend_app
from werkzeug.serving import make_server

Environ = dict[str, Any]
StartResponse = Callable[..., Any]

_SIMULATED = """<SimulatePrincipalPolicyResponse xmlns="https://iam.amazonaws.com/doc/2010-05-08/">
<SimulatePrincipalPolicyResult><IsTruncated>false</IsTruncated><EvaluationResults>{members}</EvaluationResults>
</SimulatePrincipalPolicyResult></SimulatePrincipalPolicyResponse>"""
_MEMBER = "<member><EvalActionName>{action}</EvalActionName><EvalDecision>{decision}</EvalDecision></member>"
"""IAM API reference, SimulatePrincipalPolicy: example response."""

_DENIED = """<Response><Errors><Error><Code>UnauthorizedOperation</Code>
<Message>You are not authorized to perform this operation.</Message></Error></Errors></Response>"""
"""EC2 API reference, example error response."""

_THROTTLED = _DENIED.replace("UnauthorizedOperation", "RequestLimitExceeded")
_RESERVATIONS = """<DescribeCapacityReservationsResponse xmlns="http://ec2.amazonaws.com/doc/2016-11-15/">
<capacityReservationSet>{items}</capacityReservationSet></DescribeCapacityReservationsResponse>"""
"""EC2 API reference, DescribeCapacityReservations: example response."""


@dataclass
class AwsServer:
    """What the account of a test has beyond moto's, and every action that was called."""

    port: int = 0
    quotas: dict[str, float] = field(default_factory=dict)
    """The applied quotas, by code."""
    default_quotas: dict[str, float] = field(default_factory=dict)
    denied: dict[str, str] = field(default_factory=dict)
    """Decisions of IAM's simulator on actions that it does not allow."""
    versions: dict[str, str] = field(default_factory=lambda: {"1.35": "STANDARD_SUPPORT"})
    active_tags: list[str] = field(default_factory=list)
    reservations: list[Mapping[str, str]] = field(default_factory=list)
    """Capacity reservations, by the elements of the EC2 API."""
    throttled: int = 0
    """So many calls are answered with a throttling error first."""
    broken: set[str] = field(default_factory=set)
    """Paths whose answers are not of their form."""
    unauthorized: set[str] = field(default_factory=set)
    """Actions of EC2 that the caller may not call."""
    called: list[str] = field(default_factory=list)

    @property
    def url(self) -> str:
        """The address of every API."""
        return f"http://127.0.0.1:{self.port}"

    @property
    def variables(self) -> Mapping[str, str]:
        """The environment that leads boto3 here, and nowhere else."""
        return {
            "AWS_ENDPOINT_URL": self.url,
            "AWS_ACCESS_KEY_ID": "AKIAIOSFODNN7EXAMPLE",
            "AWS_SECRET_ACCESS_KEY": "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
            "AWS_EC2_METADATA_DISABLED": "true",
            "AWS_CONFIG_FILE": "/dev/null",
            "AWS_SHARED_CREDENTIALS_FILE": "/dev/null",
            "AWS_MAX_ATTEMPTS": "1",
        }

    def answer(self, action: str, environ: Environ, body: bytes) -> tuple[int, str, str] | None:
        """Answer what moto does not: status, type and text."""
        failed = self._failure(action, environ)
        if failed is not None:
            return failed
        if action == "DescribeCapacityReservations":
            items = ("".join(f"<{key}>{value}</{key}>" for key, value in each.items()) for each in self.reservations)
            items = (f"<item>{each}</item>" for each in items)
            return 200, "text/xml", _RESERVATIONS.format(items="".join(items))
        if action == "SimulatePrincipalPolicy":
            given = parse_qs(body.decode())
            actions = [value for key, values in given.items() if key.startswith("ActionNames.") for value in values]
            members = "".join(
                _MEMBER.format(action=each, decision=self.denied.get(each, "allowed")) for each in actions
            )
            return 200, "text/xml", _SIMULATED.format(members=members)
        if action == "ListCostAllocationTags":
            keys = json.loads(body)["TagKeys"]
            tags = [
                {"TagKey": key, "Type": "UserDefined", "Status": "Active"} for key in keys if key in self.active_tags
            ]
            return 200, "application/x-amz-json-1.1", json.dumps({"CostAllocationTags": tags})
        if environ["PATH_INFO"] == "/cluster-versions":
            found = [{"clusterVersion": key, "versionStatus": value} for key, value in self.versions.items()]
            return 200, "application/json", json.dumps({"clusterVersions": found})
        quotas = {"GetServiceQuota": self.quotas, "GetAWSDefaultServiceQuota": self.default_quotas}.get(action)
        return _quota(quotas, json.loads(body)) if quotas is not None else None

    def _failure(self, action: str, environ: Environ) -> tuple[int, str, str] | None:
        if action in self.unauthorized:
            return 403, "text/xml", _DENIED
        if environ["PATH_INFO"] in self.broken:
            return 200, "application/json", '{"clusterVersions": [{}]}'
        if self.throttled:
            self.throttled -= 1
            return 400, "text/xml", _THROTTLED
        return None


def _quota(known: Mapping[str, float], asked: Mapping[str, str]) -> tuple[int, str, str]:
    """Service Quotas API reference: GetServiceQuota, its response and NoSuchResourceException."""
    form = "application/x-amz-json-1.1"
    code = asked["QuotaCode"]
    if code not in known:
        return 400, form, json.dumps({"__type": "NoSuchResourceException", "message": "The request failed."})
    quota = {"ServiceCode": asked["ServiceCode"], "QuotaCode": code, "QuotaName": code, "Value": known[code]}
    return 200, form, json.dumps({"Quota": quota})


@contextmanager
def aws_server() -> Iterator[AwsServer]:
    """Serve an account that has nothing yet, as moto has it."""
    logging.getLogger("werkzeug").setLevel(logging.CRITICAL)
    moto = DomainDispatcherApplication(create_backend_app)
    server = AwsServer()

    def app(environ: Environ, start: StartResponse) -> Iterable[bytes]:
        body = environ["wsgi.input"].read(int(environ.get("CONTENT_LENGTH") or 0))
        environ["wsgi.input"] = BytesIO(body)
        action = _action(environ, body)
        server.called.append(action)
        answered = server.answer(action, environ, body)
        if answered is None:
            found: Iterable[bytes] = moto(environ, start)
            return found
        status, form, text = answered
        start(f"{status} ", [("Content-Type", form)])
        return [text.encode()]

    http = make_server("127.0.0.1", 0, app, threaded=True)
    server.port = http.server_port
    thread = Thread(target=http.serve_forever, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        http.shutdown()
        thread.join()
        http.server_close()
        moto_api_backend.reset()


def _action(environ: Environ, body: bytes) -> str:
    """The action of a call in any of the protocols of AWS; the method and path of one by REST."""
    target = environ.get("HTTP_X_AMZ_TARGET", "")
    if target:
        return str(target.rpartition(".")[2])
    named = re.search(rb"(?:^|&)Action=(\w+)", body)
    if named:
        return named[1].decode()
    return f"{environ['REQUEST_METHOD']} {environ['PATH_INFO']}"
