"""The component provider, as the Pulumi CLI starts it from a clone: `pulumi package add REPOSITORY/plugin`."""

from penstock.component_provider.provider import main

main()
