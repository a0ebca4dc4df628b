"""A browser that opens pages: the system's Chromium, driven by playwright, without a network."""

import os
import shutil

import pytest

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


@pytest.fixture(scope="session")
def chromium():
    """Open the browser once; skip if a part of it is missing."""
    sync_api = pytest.importorskip(
        "playwright.sync_api", reason="playwright is not installed: `make browser` installs it"
    )
    found = next(filter(None, [os.environ.get("CHROMIUM"), *map(shutil.which, NAMES)]), None)
    if found is None:
        pytest.skip("no Chromium is installed (Debian: apt install chromium), nor named by CHROMIUM=path")
    with sync_api.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=found)
        yield browser
        browser.close()


@pytest.fixture
def opened(chromium):
    """Open a file as a page; other requests are blocked and fail the test, as do errors."""
    requests, errors, contexts = [], [], []

    def block_network(route):
        requests.append(route.request.url)
        route.abort()

    def open_page(path, **options):
        options = {"viewport": {"width": 1200, "height": 900}} | options
        context = chromium.new_context(offline=True, **options)
        contexts.append(context)
        context.route(lambda url: url != path.as_uri() and not url.startswith("data:"), block_network)
        page = context.new_page()
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.on("console", lambda message: errors.append(message.text))
        page.goto(path.as_uri())
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert requests == []
    assert errors == []
