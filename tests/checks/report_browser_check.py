"""Looks at a page in headless Chromium: report_browser_check.py BROWSER PAGE FOLDER FIGURE...
Screenshots of the whole page go to the folder."""

import base64
import pathlib
import sys

import figure_texts
import headless

program, page, folder = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
figures = sys.argv[4:]
faults = []

# What was laid out where. A figure may scroll within itself; the page may not.
PROBE = """(() => {
  const visible = e => { const b = e.getBoundingClientRect(); return b.width > 0 && b.height > 0; };
  const height = e => e.getBoundingClientRect().height;
  return {
    width: document.documentElement.clientWidth,
    page: [document.documentElement.scrollWidth, document.documentElement.scrollHeight],
    background: getComputedStyle(document.body).backgroundColor,
    figures: [...document.querySelectorAll('figure')].map(figure => ({
      id: figure.id,
      pictures: [...figure.querySelectorAll(':scope > svg')].filter(visible).map(svg => ({
        marks: [...svg.querySelectorAll('path')].filter(visible).length,
        smallest: Math.min(...[...svg.querySelectorAll('text')].map(height)),
      })),
    })),
  };
})()"""


def expect(condition, fault):
    if not condition:
        faults.append(fault)


def judge(name, width, told):
    expect(sorted(figure["id"] for figure in told["figures"]) == sorted(figures),
           f"{name}: the figures are {[figure['id'] for figure in told['figures']]}")
    for figure in told["figures"]:
        drawn = figure["pictures"]
        expect(len(drawn) == 1, f"{name}: {figure['id']} is drawn {len(drawn)} times")
        expect(all(one["marks"] >= 3 for one in drawn), f"{name}: {figure['id']} is empty")
        expect(width < 390 or all(one["smallest"] >= 9 for one in drawn), f"{name}: {figure['id']}: small print")


def look(browser, name, width, scheme):
    browser.tell("Emulation.setDeviceMetricsOverride", width=width, height=900,
                 deviceScaleFactor=1, mobile=width < 500)
    browser.tell("Emulation.setEmulatedMedia",
                 features=[{"name": "prefers-color-scheme", "value": scheme}])
    browser.open(page.as_uri())
    told = browser.evaluate(PROBE)
    expect(told["width"] == width, f"{name}: the window is {told['width']} wide")
    expect(told["page"][0] <= width, f"{name}: the page is {told['page'][0]} wide")
    judge(name, width, told)
    for fault in browser.evaluate(figure_texts.PROBE):
        expect(False, f"{name}: {fault}")
    words = browser.heard("Runtime.consoleAPICalled", "Runtime.exceptionThrown", "Log.entryAdded")
    expect(not words, f"{name}: the console says {words}")
    asked = [request["request"]["url"] for request in browser.heard("Network.requestWillBeSent")]
    asked = [address for address in asked if not address.startswith("data:")]
    expect(asked == [page.as_uri()], f"{name}: the page asks for {asked}")
    clip = {"x": 0, "y": 0, "width": width, "height": told["page"][1], "scale": 1}
    shot = base64.b64decode(browser.tell("Page.captureScreenshot", captureBeyondViewport=True,
                                         clip=clip)["data"])
    expect(len(shot) > 50000, f"{name}: the screenshot is blank")
    (folder / f"{name}.png").write_bytes(shot)
    return told["background"]


with headless.Browser(program) as browser:
    day = look(browser, "desk", 1280, "light")
    night = look(browser, "night", 1280, "dark")
    look(browser, "tablet", 768, "light")
    look(browser, "phone", 390, "light")
    look(browser, "small-phone", 320, "light")
    paper = base64.b64decode(browser.tell("Page.printToPDF", preferCSSPageSize=True)["data"])
    (folder / "paper.pdf").write_bytes(paper)
expect(day != night, f"day and night have the same background, {day}")
expect(paper[:4] == b"%PDF", "the page cannot be printed")
for fault in faults:
    print(fault)
print(f"{len(figures)} figures in 5 windows, {len(faults)} faults; pictures in {folder}")
sys.exit(bool(faults))
