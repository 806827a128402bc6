"""The policy pack, as the Pulumi CLI starts it: `pulumi preview --policy-pack "$(penstock policy-pack)"`."""

from penstock.pack.servicer import serve

serve()
