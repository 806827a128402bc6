"""The command line as a module: `python -m penstock`."""

from penstock.cli import main

main()
