"""Looking up what is already there."""

from __future__ import annotations

import pulumi


def lookups(opts: pulumi.ResourceOptions | None) -> pulumi.InvokeOptions:
    """The options of a look-up that asks the same account and region as a resource with `opts` would be created in."""
    if opts is None:
        return pulumi.InvokeOptions()
    return pulumi.InvokeOptions(parent=opts.parent, provider=opts.provider)
