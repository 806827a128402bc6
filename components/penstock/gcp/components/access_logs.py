"""Who reads and writes the buckets: Google's audit logs, turned on."""

from __future__ import annotations

import pulumi
from pulumi_gcp import projects

from penstock.gcp.components.handles import ProjectHandle

_LOGGED = ("DATA_READ", "DATA_WRITE")


class AccessLogs(pulumi.ComponentResource):
    """A record of each read and write in the project's buckets: who it was, from where, and which object or folder.

    It is the audit log of data access, which Google recommends before the usage logs of buckets: those do not say who
    it was, may come late or never, and want a group of Google's let in, which many organisations forbid (Cloud Storage
    documentation, usage logs and storage logs). Entries are kept for 30 days, in the project's log bucket `_Default`.
    What exceeds 50 GiB a month is billed by the GiB: an object that is read costs about twice as much with its entry.

    The switch is the project's: it holds for buckets of others in it, too, takes the place of what it said of Cloud
    Storage before, and stays on when the stack goes.
    """

    def __init__(
        self,
        name: str,
        *,
        project: ProjectHandle,
        opts: pulumi.ResourceOptions | None = None,
    ) -> None:
        super().__init__("penstock:gcp:AccessLogs", name, None, opts)

        projects.IAMAuditConfig(
            name,
            project=project.id,
            service="storage.googleapis.com",
            audit_log_configs=[{"log_type": kind} for kind in _LOGGED],
            opts=pulumi.ResourceOptions(parent=self, retain_on_delete=True),
        )
        self.register_outputs({})
