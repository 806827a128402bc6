"""Asks Google Cloud, by google-auth and its REST APIs, for the preconditions of a program."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Final

from penstock.description.platform import Spec
from penstock.gcp.preconditions.places import project_for
from penstock.gcp.preconditions.quotas import quotas_drawn
from penstock.gcp.preflight import places, rights, services
from penstock.gcp.preflight.project import GoogleCloud, open_google_cloud
from penstock.gcp.preflight.quotas import answer_machines, answer_quota
from penstock.gcp.preflight.things import answer_named
from penstock.graph.view import Site
from penstock.preconditions import Precondition
from penstock.preconditions.need import FreeNameNeed, MachinesNeed, NamedNeed, NamesNeed, QuotaNeed
from penstock.preflight.inquiry import Reply, Status, met, not_asked
from penstock.preflight.machines import OFFER, offered
from penstock.preflight.rest import Silent

_ANSWERS: Final[Mapping[str, Callable[[GoogleCloud, NamedNeed], Reply | None]]] = {
    "credentials": lambda cloud, _: met(f"{cloud.caller}."),
    OFFER: places.answer_offer,
    "version": places.answer_version,
    "range": places.answer_range,
    "gcp-billing-right": rights.answer_budgets,
    "gcp-organization-policy": rights.answer_policy,
    "image": services.answer_image,
    "endpoint": services.answer_endpoint,
}
"""Questions with an answer of their own, by the kind of the need."""


class GcpInquiry:
    """Questions to the projects of a program."""

    def __init__(self, cloud: GoogleCloud, site: Site) -> None:
        self._cloud, self._site = cloud, site

    @property
    def caller(self) -> str:
        """The account of the credentials, and the project that is asked about."""
        return f"{self._cloud.caller}, about Google Cloud project {project_for(self._site)}"

    def further(self, site: Site, described: Spec | None) -> Iterator[Precondition]:  # noqa: ARG002 - as all inquiries
        """Yield credentials, permissions, zones, versions, ranges, and every quota that the program draws on."""
        yield rights.credentials_needed()
        needed = rights.permissions_needed(site)
        if needed is not None:
            yield needed
        yield from offered(site, "gcp", places.HOW_OFFERED, project_for(site))
        yield from places.versions_needed(site)
        yield from places.ranges_needed(site)
        yield from quotas_drawn(site)

    def answer(self, precondition: Precondition) -> Reply | None:
        """Ask for one precondition."""
        try:
            return self._answer(precondition)
        except Silent as silent:
            return not_asked(f"No answer from Google Cloud: {silent}")

    def _answer(self, precondition: Precondition) -> Reply | None:
        cloud, site = self._cloud, self._site
        match precondition.need:
            case QuotaNeed() as need:
                return answer_quota(cloud, need)
            case MachinesNeed() as need:
                return answer_machines(cloud, need, project_for(site, precondition.resource))
            case FreeNameNeed() as need:
                return services.answer_free_name(cloud, site, need, precondition.resource)
            case NamesNeed() as need if precondition.kind == rights.PERMISSIONS:
                return rights.answer_permissions(cloud, need)
            case NamesNeed() as need:
                return rights.answer_apis(cloud, need)
            case NamedNeed() as need:
                return self._of_thing(need)
        return None

    def _of_thing(self, need: NamedNeed) -> Reply | None:
        cloud = self._cloud
        if need.kind in _ANSWERS:
            return _ANSWERS[need.kind](cloud, need)
        reply = answer_named(cloud, need)
        if reply is None or reply.status is not Status.MET:
            return reply
        if need.kind == "gcp-project":
            return services.answer_project(cloud, need, reply)
        return places.with_size(cloud, self._site, need, reply) if need.kind == "gcp-reservation" else reply


def open_inquiry(site: Site, described: Spec | None) -> GcpInquiry:  # noqa: ARG001 - as all inquiries
    """Return an inquiry with the application default credentials.

    Raises:
        CannotAsk: google-auth is missing, or there are no credentials that Google accepts.
    """
    return GcpInquiry(open_google_cloud(), site)
