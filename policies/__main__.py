"""The policy pack, as the Pulumi CLI starts it: `pulumi preview --policy-pack policies`."""

from penstock.pack.servicer import serve

serve()
