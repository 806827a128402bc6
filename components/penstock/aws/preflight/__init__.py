"""Asks AWS, by boto3, for the preconditions of a program."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Final

from penstock.aws.preconditions.places import UNKNOWN_REGION, region_of
from penstock.aws.preconditions.quotas import quotas_drawn
from penstock.aws.preflight import permissions, places, services
from penstock.aws.preflight.account import AwsAccount, AwsRefused, open_account
from penstock.aws.preflight.quotas import answer_machines, answer_quota
from penstock.aws.preflight.things import answer_named, answer_search
from penstock.description.platform import Spec
from penstock.graph.view import Site
from penstock.preconditions import Precondition
from penstock.preconditions.need import FreeNameNeed, MachinesNeed, NamedNeed, NamesNeed, QuotaNeed, SearchNeed
from penstock.preflight.inquiry import Reply, not_asked
from penstock.preflight.machines import OFFER, offered
from penstock.preflight.rest import Silent

_SIZED = ("aws-capacity-reservation", "aws-subnet")

_ANSWERS: Final[Mapping[str, Callable[[AwsAccount, NamedNeed], Reply | None]]] = {
    "account": permissions.answer_account,
    OFFER: places.answer_offer,
    "version": places.answer_version,
    "range": places.answer_range,
    "image": services.answer_image,
    "endpoint": services.answer_endpoint,
}
"""Questions with an answer of their own, by the kind of the need."""


class AwsInquiry:
    """Questions to one account."""

    def __init__(self, account: AwsAccount, site: Site) -> None:
        self._account, self._site = account, site

    @property
    def caller(self) -> str:
        """The ARN and the account of the credentials."""
        return f"AWS account {self._account.id}, as {self._account.arn}"

    def further(self, site: Site, described: Spec | None) -> Iterator[Precondition]:  # noqa: ARG002 - as all inquiries
        """Yield the account, permissions, zones, versions, ranges, and every quota that the program draws on."""
        yield permissions.account_needed(site)
        needed = permissions.permissions_needed(site)
        if needed is not None:
            yield needed
        yield from offered(site, "aws", places.HOW_OFFERED)
        yield from places.versions_needed(site)
        yield from places.ranges_needed(site)
        yield from quotas_drawn(site)

    def answer(self, precondition: Precondition) -> Reply | None:
        """Ask for one precondition."""
        try:
            return self._answer(precondition)
        except AwsRefused as refusal:
            return refusal.reply()
        except Silent as silent:
            return not_asked(f"No answer from AWS: {silent}")

    def _answer(self, precondition: Precondition) -> Reply | None:
        account = self._account
        match precondition.need:
            case QuotaNeed() as need:
                return answer_quota(account, need)
            case MachinesNeed() as need:
                return answer_machines(account, need)
            case SearchNeed() as need:
                return answer_search(account, need)
            case FreeNameNeed() as need:
                return services.answer_free_name(account, need)
            case NamesNeed() as need if precondition.kind == permissions.PERMISSIONS:
                return permissions.answer_permissions(account, need)
            case NamesNeed() as need:
                return services.answer_tags(account, need)
            case NamedNeed() as need:
                return self._of_thing(need)
        return None

    def _of_thing(self, need: NamedNeed) -> Reply | None:
        account = self._account
        if need.kind in _ANSWERS:
            return _ANSWERS[need.kind](account, need)
        reply = answer_named(account, need)
        if reply is not None and need.kind in _SIZED:
            return places.with_size(account, self._site, need, reply)
        return reply


def open_inquiry(site: Site, described: Spec | None) -> AwsInquiry:  # noqa: ARG001 - as all inquiries
    """Return an inquiry with the credentials that boto3 finds, in the region of the program.

    Raises:
        CannotAsk: boto3 is missing, or AWS accepts no credentials.
    """
    region = region_of(site, "")
    return AwsInquiry(open_account("" if region == UNKNOWN_REGION else region), site)
