"""A reader of reports, in Debian's Chromium: walk.py FOLDER [SCREENSHOTS].

The folder has the pages; what the reader sees is asserted here. Exits with 77 where there is no browser to drive.
"""

import pathlib
import shutil
import sys
import time

try:
    from playwright.sync_api import sync_playwright
except ImportError:
    print("SKIPPED: there is no playwright here; tests/install-python.sh gets it")
    sys.exit(77)
CHROMIUM = shutil.which("chromium")
if not CHROMIUM:
    print("SKIPPED: there is no chromium here; tests/install-packages.sh gets it")
    sys.exit(77)

FOLDER = pathlib.Path(sys.argv[1]).resolve()
SHOTS = pathlib.Path(sys.argv[2]) if len(sys.argv) > 2 else None
# The most that a page of 100,000 steps may take to open.
MOST_SECONDS = 3


class Reader:
    """One page and what happens in it."""

    def __init__(self, browser, name, shot=None):
        self.page = browser.new_page(viewport={"width": 1060, "height": 830})
        self.wrong, self.asked = [], []
        self.page.on("pageerror", lambda e: self.wrong.append(str(e)))
        self.page.on("console", lambda m: self.wrong.append(m.text) if m.type in ("error", "warning") else None)
        self.page.on("request", lambda r: self.asked.append(r.url))
        begun = time.monotonic()
        self.page.goto((FOLDER / name).as_uri())
        self.page.wait_for_selector("#walk .row")
        self.seconds = time.monotonic() - begun
        self.shot = shot

    def keys(self, *keys):
        for key in keys:
            self.page.keyboard.press(key)
        return self

    def status(self):
        return self.page.inner_text("#status")

    def step(self):
        here, count = self.page.inner_text("#counter").split(" / ")
        return int(here), int(count)

    def texts(self, selector):
        return self.page.locator(selector).all_text_contents()

    def values(self):
        """The values that are shown, by name."""
        rows = self.page.locator("#values tr").all()
        return {r.locator("th").inner_text(): r.locator("td").inner_text() for r in rows}

    def search(self, text):
        self.page.fill("#search", text)
        return self.page.inner_text("#hits")

    def picture(self, selector, name):
        """A part of the page, for the book."""
        if SHOTS:
            self.page.locator(selector).screenshot(path=SHOTS / f"{name}.png")

    def close(self):
        if SHOTS and self.shot:
            self.page.screenshot(path=SHOTS / f"{self.shot}.png")
        assert not self.wrong, self.wrong
        assert len(self.asked) == 1, self.asked
        self.page.close()


def heap(browser):
    r = Reader(browser, "heap.html", "report-heap")
    assert "violates valid-deref: reads 4 bytes of node#2 (malloc at line 12), which was freed at line 25" in r.status()
    last, count = r.step()
    assert last == count > 20, (last, count)
    # The drawing: three nodes, of which one is freed; whoever still leads there is drawn as such.
    assert sorted(r.texts(".drawing .title")) == ["node#1", "node#2", "node#3"]
    assert r.texts(".drawing .ended .title") == ["node#2"]
    assert r.page.locator(".drawing .dangling").count() == 2
    assert r.values() == {"sum": "3", "p": "node#2", "head": "node#3"}, r.values()
    # Back, to where it was freed, and before that.
    assert r.search("free(p)") == "1 of 1 steps", r.page.inner_text("#hits")
    assert ":25: free(p)" in r.status(), r.status()
    r.page.locator("body").click(position={"x": 2, "y": 2})
    assert r.page.locator(".drawing .ended").count() == 1
    r.keys("ArrowLeft")
    assert r.page.locator(".drawing .ended").count() == 0
    here = r.step()[0]
    r.keys("n", "p")
    assert r.step()[0] == here
    # Over a call and out of one.
    r.keys("Home")
    assert r.step()[0] == 1
    r.search("push(value = 1)")
    r.page.locator("body").click(position={"x": 2, "y": 2})
    assert r.values()["value"] == "1" and "push()" in r.page.inner_text("#values")
    r.keys("o")
    assert "push(value = 2)" in r.status(), r.status()
    r.keys("ArrowRight", "ArrowRight", "u")
    assert "push(value = 3)" in r.status(), r.status()
    # The writes of a variable, and the step that wrote a value.
    r.keys("End")
    r.page.get_by_role("button", name="head", exact=True).click()
    assert "head = node#3" in r.status(), r.status()
    r.keys("W")
    assert "head = node#2" in r.status(), r.status()
    assert r.texts("#values .changed th") == ["head"]
    r.keys("w")
    assert "head = node#3" in r.status(), r.status()
    # A line of the source: to be looked at, and to go on from.
    r.page.fill("#goto", "38")
    r.keys("Enter", "Escape")
    line = r.page.locator('.source .row[aria-current="location"]')
    assert "38" in line.inner_text() and "sum += p->value" in line.inner_text(), line.inner_text()
    line.click()
    assert ":38: sum += p->value" in r.status(), r.status()
    assert r.search("Forgets to take") == "1 of 1 lines"
    # Whoever cannot see is told where he is.
    assert r.page.locator(".steps .row[aria-current=step]").count() == 1
    assert all(b.get_attribute("aria-label") for b in r.page.locator(".bar button").all())
    # Nothing but the script of the page is run.
    r.page.evaluate("""() => { const s = document.createElement("script"); s.textContent = "window.hacked = 1"; document.body.append(s); }""")
    assert r.page.evaluate("typeof window.hacked") == "undefined"
    assert any("Content Security Policy" in w for w in r.wrong), r.wrong
    r.wrong.clear()
    r.search("")
    r.page.locator("body").click(position={"x": 2, "y": 2})
    r.keys("End")
    r.close()


def automaton(browser):
    r = Reader(browser, "heap.html")
    titles = r.texts("#automata option")
    assert {"main()", "push()", "after the passes"} <= set(titles), titles
    shown = lambda: titles[int(r.page.input_value("#automata"))]
    arrow = lambda: r.page.locator(".arrow.here title").all_text_contents()
    # The way is drawn, the step at hand on it, and the error at its end.
    r.keys("End", "ArrowLeft")
    assert shown() == "main()", shown()
    assert r.page.locator(".arrow.way").count() > 3
    assert r.page.locator(".arrow:not(.way)").count() > 0
    assert len(arrow()) == 1, arrow()
    assert r.page.locator(".loc.error.way").count() == 1
    assert "violates valid-deref" in r.page.locator(".loc.error.way").text_content()
    r.picture("section.automata", "report-automaton")
    # Back and forth, and into a call.
    before = arrow()
    for _ in range(5):
        r.keys("ArrowLeft")
    assert arrow() != before
    r.search("push(value = 1)")
    r.page.locator("body").click(position={"x": 2, "y": 2})
    r.keys("ArrowRight")
    assert shown() == "push()", (shown(), r.status())
    # What the passes have made stays, and has a way of its own.
    r.page.select_option("#automata", label="after the passes")
    r.keys("ArrowRight")
    assert shown() == "after the passes"
    assert r.page.locator(".arrow.way").count() > 0 and not r.page.locator(".automata .dim").is_visible()
    # An arrow leads to its next step, a location to its line.
    r.page.select_option("#automata", label="drop()")
    r.page.locator(".words.way text", has_text="free(p)").first.click()
    assert shown() == "drop()" and ":2" in r.status() and len(arrow()) == 1, r.status()
    assert "free(p)" in arrow()[0], arrow()
    loop = r.page.locator(".loc.loop").first
    line = loop.text_content().split("line ")[1].split(" ")[0]
    loop.click()
    here = r.page.locator('.source .row[aria-current="location"] .lineno')
    assert loop.text_content().startswith(f"loop, line {here.inner_text()}"), (line, here.inner_text())
    # By keys, and for whoever cannot see.
    r.page.select_option("#automata", label="push()")
    step = r.step()
    r.page.locator(".automaton").focus()
    r.keys("ArrowDown", "ArrowDown")
    focus = r.page.evaluate("document.activeElement.getAttribute('aria-label')")
    assert focus and " to " in focus, focus
    r.keys("ArrowUp", "Enter")
    assert r.step() == step
    assert here.inner_text() == "10", here.inner_text()
    assert all(l.get_attribute("aria-label") for l in r.page.locator(".loc").all())
    r.close()


def timeline(browser, name, words):
    r = Reader(browser, name)
    svg = r.page.locator(".timeline svg")
    assert svg.get_attribute("role") == "img" and svg.get_attribute("aria-label").startswith("time line of "), name
    assert r.page.locator(".timeline .won").count() >= 1 and r.page.locator(".timeline .claim").count() >= 1
    assert r.page.locator(".timeline .finish").count() == 1
    assert r.page.locator(".timeline .stage").count() >= 1
    said = r.page.locator("h2:has-text('Time line') + p").inner_text()
    assert words in said, said
    r.page.locator("summary:has-text('the same as a table')").click()
    rows = r.texts("details[open] tr")
    assert len(rows) == 1 + r.page.locator(".timeline .run").count(), rows
    assert any("certified" in row for row in rows), rows
    r.page.locator("summary:has-text('the same as a table')").click()
    if name == "proof.html":
        r.picture(".timeline", "report-timeline")
    r.close()


def large(browser):
    r = Reader(browser, "large.html")
    assert r.seconds < MOST_SECONDS, r.seconds
    titles = r.texts("#automata option")
    said = {}
    for title in titles:
        r.page.select_option("#automata", label=title)
        said[title] = r.page.locator(".automata .dim").text_content()
        assert r.page.locator(".loc").count() < 200
    assert "only those on the way to an error are drawn" in said["main()"], said
    assert "too large for a picture" in said["other()"], said
    r.close()


def proof(browser):
    r = Reader(browser, "proof.html", "report-proof")
    assert r.page.inner_text("h1") == "true"
    notes = r.texts(".source .row.invariant")
    assert notes and all("holds here: " in n for n in notes), notes
    marks = r.page.locator(".source .mark.true").count()
    assert marks >= 2, marks
    # Nothing goes through the automaton, which is drawn nevertheless.
    loops = r.texts(".loc.loop")
    assert len(loops) == 1 and r.page.locator(".arrow.way").count() == 0, loops
    r.page.locator(".loc.loop").click()
    assert "for (;;)" in r.page.locator('.source .row[aria-current="location"]').inner_text()
    r.close()


def contracts(browser):
    r = Reader(browser, "contracts.html")
    notes = r.texts(".source .row.contract")
    assert any("ensures" in n for n in notes), notes
    r.close()


def waves(browser):
    r = Reader(browser, "waves.html", "report-waves")
    names = r.texts(".waves .name")
    assert names[0] == "clk" and "n" in names, names
    at = names.index("n")
    shown = lambda: r.texts(".waves .value")[at]
    last = int(shown(), 16)
    cursor = lambda: float(r.page.locator(".waves .cursor").get_attribute("x"))
    before = cursor()
    # The last step says what is violated, the one before it made it so.
    r.keys("ArrowLeft", "ArrowLeft")
    assert int(shown(), 16) == last - 1, (shown(), last)
    assert cursor() < before
    r.page.locator(".waves svg").click(position={"x": 10, "y": 40})
    assert int(shown(), 16) == 0, shown()
    r.keys("End")
    r.close()


def many(browser):
    r = Reader(browser, "many.html")
    print(f"{r.step()[1]} steps, {(FOLDER / 'many.html').stat().st_size >> 10} KiB: open in {r.seconds:.2f} s")
    assert r.step()[1] >= 100_000, r.step()
    assert r.seconds < MOST_SECONDS, r.seconds
    assert "39998 more rounds of the loop at line 6" in r.page.inner_text(".steps .folded")
    assert r.page.locator(".row").count() < 200
    # Somewhere in the middle, which opens the loop, and the other way.
    begun = time.monotonic()
    r.page.locator(".steps .folded").click()
    assert r.page.locator(".steps .folded").count() == 0
    assert r.search("i = 20000") and "i = 20000" in r.status(), r.status()
    assert r.values()["i"] == "20000"
    r.keys("Escape", "ArrowRight", "ArrowLeft")
    assert r.page.locator(".row").count() < 200
    r.keys("f")
    assert r.page.locator(".steps .folded").count() == 1
    r.keys("End", "Home", "End")
    took = time.monotonic() - begun
    assert took < 2 * MOST_SECONDS, took
    r.close()


def hostile(browser):
    for name in ("hostile-c.html", "hostile-btor2.html"):
        r = Reader(browser, name)
        r.keys("Home", "ArrowRight", "End")
        assert r.page.evaluate("typeof window.hacked") == "undefined"
        assert r.page.locator("img, #walk b, svg[onload], iframe").count() == 0
        assert r.page.locator(".loc").count() > 0
        # Drawings are ours.
        assert r.page.locator("script").count() == 2
        r.close()
    r = Reader(browser, "hostile-btor2.html")
    assert "</script><script>hacked=1</script>" in r.texts(".waves .name")
    r.close()


def several(browser):
    r = Reader(browser, "ten.html")
    options = r.texts("#traces option")
    assert len(options) == 10, options
    for n in (9, 3):
        r.page.select_option("#traces", str(n))
        kind = options[n].split(" ")[0]
        assert f"violates {kind}" in r.status(), (options[n], r.status())
    r.close()


def modular(browser):
    r = Reader(browser, "modular.html")
    assert r.page.inner_text("h1") == "false(wrong)"
    assert r.texts("#traces option")[0].startswith("wrong: ")
    assert r.texts("details summary.true") and r.texts("details summary.false")
    r.close()


with sync_playwright() as playwright:
    flags = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--disable-background-networking", "--disable-dev-shm-usage"]
    chromium = playwright.chromium.launch(executable_path=CHROMIUM, args=flags)
    for visit in (heap, automaton, proof, contracts, waves, several, modular, hostile, many, large):
        visit(chromium)
    for name, said in (("heap.html", "claims were certified"), ("proof.html", "ended the race after"), ("waves.html", " after ")):
        timeline(chromium, name, said)
    chromium.close()
