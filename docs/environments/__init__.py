"""Pages on the environments of `stacks/`: questions of those who run them, and what commands print."""

from docs.environments.pages import PAGES as PAGES
