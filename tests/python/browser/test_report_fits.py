"""The report page in headless Chromium, in light and dark mode: no overflow, no requests, no errors."""

from __future__ import annotations

import html
import json
import re
import shutil
import subprocess

import numpy as np
import pandas as pd
import pytest

import imbcore
from imbcore.evaluation._report_page import write_report

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium here; install the system's package")
OPTIONS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--virtual-time-budget=10000",
    "--host-resolver-rules=MAP * ~NOTFOUND",
    "--enable-logging=stderr",
]

# A window cannot be as narrow as a phone, but a frame can. Measurements become text of the outer page.
FRAME = """<!doctype html><html><body style="margin:0">
<iframe id="page" style="border:0;width:{width}px;height:900px" srcdoc="{page}"></iframe>
<pre id="found"></pre>
<script>
const failed = [];
document.getElementById("page").addEventListener("load", event => {{
  const view = event.target.contentWindow, page = view.document;
  const wide = [...page.body.querySelectorAll("*")].filter(part => {{
    let around = part.parentElement;
    while (around && getComputedStyle(around).overflowX === "visible") around = around.parentElement;
    return !around && part.getBoundingClientRect().right > view.innerWidth + 1;
  }});
  // The page paints no background of its own, so the scheme's is seen.
  const sheet = page.body.appendChild(page.createElement("i"));
  sheet.style.background = "Canvas";
  document.getElementById("found").textContent = JSON.stringify({{
    dark: view.matchMedia("(prefers-color-scheme: dark)").matches,
    width: view.innerWidth,
    scroll: page.documentElement.scrollWidth,
    wide: wide.map(part => part.outerHTML.slice(0, 120)),
    fetched: view.performance.getEntriesByType("resource").map(entry => entry.name.slice(0, 60)),
    pictures: [...page.images].map(image => [image.alt, image.naturalWidth]),
    ink: view.getComputedStyle(page.body).color,
    paper: view.getComputedStyle(sheet).backgroundColor,
  }});
}});
</script></body></html>"""


@pytest.fixture(scope="module", params=["hddt", "naive_bayes"])
def page(request, tmp_path_factory):
    """A report with long names, of two methods."""
    rng = np.random.default_rng(0)
    n = 400
    long = "a very long column name of the ledger, in thousands of euros (last quarter)"
    country = rng.choice(["Germany, Federal Republic of", "France", "XX"], n)
    X = pd.DataFrame({"amount": rng.gamma(2, 300, n).round(1), long: rng.normal(size=n), "country": country})
    p = 1 / (1 + np.exp(4.2 - X["amount"] / 300 - 1.2 * X[long] - (country == "XX")))
    y = np.where(rng.random(n) < p * 0.5, "fraudulent transaction", "legitimate")
    options = {"positive": "fraudulent transaction", "random_state": 0}
    found = {name: imbcore.evaluate(X, y, name, folds=3, **options) for name in ("hddt", "naive_bayes")}
    model = imbcore.fit(X, y, request.param, **options)
    file = tmp_path_factory.mktemp("page") / "report.html"
    write_report(file, found, model, X, title="a/very/long/path/" + "x" * 120 + ".csv", chosen=request.param)
    return file.read_text(encoding="utf-8")


def seen(page, width, dark, folder):
    """Measurements of the page in a browser."""
    outer = folder / "outer.html"
    outer.write_text(FRAME.format(width=width, page=html.escape(page, quote=True)), encoding="utf-8")
    scheme = "--blink-settings=preferredColorScheme=0" if dark else "--blink-settings=preferredColorScheme=1"
    ran = subprocess.run(
        [CHROMIUM, *OPTIONS, scheme, f"--user-data-dir={folder / 'profile'}", "--dump-dom", outer.as_uri()],
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert not re.search(r"CONSOLE.*(Uncaught|Refused|Failed)", ran.stderr), ran.stderr
    text = re.search(r'<pre id="found">(.*?)</pre>', ran.stdout, re.DOTALL)
    assert text, ran.stderr
    return json.loads(html.unescape(text[1]))


def brightness(colour):
    return sum(map(int, re.findall(r"\d+", colour)[:3]))


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("width", [390, 1280])
def test_page_fits_and_is_self_contained(page, width, dark, tmp_path):
    found = seen(page, width, dark, tmp_path)
    assert found["width"] == width
    assert found["dark"] == dark
    assert found["wide"] == []
    assert found["scroll"] <= width
    assert [name for name in found["fetched"] if not name.startswith("data:")] == []
    assert found["pictures"]
    assert all(alt and shown > 0 for alt, shown in found["pictures"])
    assert abs(brightness(found["ink"]) - brightness(found["paper"])) > 300
