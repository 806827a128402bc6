"""Predefined roles of Google's services."""

from __future__ import annotations

from penstock.gcp.facts import roles as gcp_roles


def test_roles_are_written_as_grants_write_them() -> None:
    assert "roles/storage.objectViewer" in gcp_roles.roles_of("storage")
    assert "roles/iam.workloadIdentityUser" in gcp_roles.roles_of("iam")


def test_a_service_that_is_not_listed_has_none() -> None:
    assert gcp_roles.roles_of("bigtable") == ()
