"""Takes the pictures of docs/images; needs Pillow, too: `PYTHONPATH=. python -m tests.report.browser.screenshots`."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

from PIL import Image
from playwright.sync_api import sync_playwright
from tests.report.browser.test_report_in_browser import CHROMIUM, FLAGS, REPORTS

IMAGES = Path(__file__).parents[3] / "docs" / "images"
COLOURS = 96
"""Of a picture: so many show the page as it is, in a fifth of the size."""

DESK = {"width": 1200, "height": 1130}
PICTURES: dict[str, tuple[str, str, dict[str, int], str]] = {
    "report-light": ("a rehearsal", "light", DESK, ""),
    "report-dark": ("a rehearsal", "dark", DESK, ""),
    "report-timeline": ("a rehearsal", "light", {"width": 1200, "height": 900}, "#timeline"),
    "report-change": ("a change", "light", {"width": 1200, "height": 800}, ""),
    "report-phone": ("a rehearsal", "dark", {"width": 390, "height": 844}, ""),
}
"""Each picture: the report, light or dark, the window, and the part of the page, or the top of it."""


def main() -> None:
    """Write every picture anew."""
    IMAGES.mkdir(exist_ok=True)
    with sync_playwright() as started:
        browser = started.chromium.launch(executable_path=CHROMIUM, args=[*FLAGS])
        for name, (report, scheme, viewport, part) in PICTURES.items():
            options: dict[str, Any] = {"color_scheme": scheme, "viewport": viewport}
            page = browser.new_context(**options).new_page()
            page.set_content(REPORTS[report]())
            taken = page.locator(part).screenshot() if part else page.screenshot()
            picture = Image.open(io.BytesIO(taken)).convert("RGB").quantize(COLOURS)
            picture.save(IMAGES / f"{name}.png", optimize=True)
        browser.close()


if __name__ == "__main__":
    main()
