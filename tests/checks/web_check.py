"""Uses the page of `make web` in headless Chromium: web_check.py BROWSER PAGE FOLDER. Screenshots of
a desk, a night and a phone go to the folder."""

import base64
import json
import pathlib
import sys
import time

import headless

program, page, folder = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
star, view = (pathlib.Path(name).resolve() for name in sys.argv[4:])
faults = []
HOSTILE = "<img src=x onerror=document.title=1>.csv"
VELOCITIES = "time,rv,err,inst\n" + "".join(f"{2450000 + 3 * i},{(7 * i) % 11},1,<b>bold</b>\n" for i in range(40))
BAD = {
    "bad.csv": b"time,rv,err\n1,2,3\n2,x,3\n",
    "picture.csv": b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0",
    "empty.csv": b"",
    "zeros.csv": b"\0" * 4096,
    "huge.csv": b"time,rv,err\n1e400,1,1\n",
}


def expect(condition, fault):
    if not condition:
        faults.append(fault)


def wait(browser, expression, seconds=120):
    until = time.monotonic() + seconds
    while not browser.evaluate(f"Boolean({expression})"):
        if time.monotonic() > until:
            alert = browser.evaluate("document.getElementById('error').textContent")
            raise SystemExit(f"{expression}: in vain; the page says {alert!r}; "
                             f"{browser.heard('Runtime.exceptionThrown', 'Log.entryAdded')}")
        time.sleep(0.05)


def choose(browser, files):
    """As if chosen in the dialogue."""
    told = json.dumps([[name, base64.b64encode(data).decode()] for name, data in files.items()])
    browser.evaluate(f"""(() => {{
      const list = new DataTransfer();
      for (const [name, text] of {told})
        list.items.add(new File([Uint8Array.from(atob(text), c => c.charCodeAt(0))], name));
      const input = document.getElementById('files');
      input.files = list.files;
      input.dispatchEvent(new Event('change'));
    }})()""")


def words(browser, name):
    return browser.evaluate(f"document.getElementById('{name}').textContent")


def see(browser, name, width, scheme):
    browser.tell("Emulation.setDeviceMetricsOverride", width=width, height=900, deviceScaleFactor=1, mobile=width < 500)
    browser.tell("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
    time.sleep(0.3)
    size = browser.evaluate("[document.documentElement.scrollWidth, document.documentElement.scrollHeight]")
    expect(size[0] <= width, f"{name}: the page is {size[0]} wide")
    clip = {"x": 0, "y": 0, "width": width, "height": size[1], "scale": 1}
    shot = base64.b64decode(browser.tell("Page.captureScreenshot", captureBeyondViewport=True, clip=clip)["data"])
    expect(len(shot) > 20000, f"{name}: the screenshot is blank")
    (folder / f"{name}.png").write_bytes(shot)


with headless.Browser(program) as browser:
    browser.tell("Emulation.setDeviceMetricsOverride", width=1280, height=900, deviceScaleFactor=1, mobile=False)
    browser.open(page.as_uri())
    wait(browser, "document.body.dataset.ready")
    see(browser, "first", 1280, "light")

    for name, data in BAD.items():
        choose(browser, {name: data})
        wait(browser, f"document.getElementById('error').textContent.includes('{name}')")
        print(f"{name}: {words(browser, 'error')}")
    choose(browser, {HOSTILE: VELOCITIES.encode()})
    wait(browser, "document.querySelectorAll('#peaks button').length")
    expect(browser.evaluate("document.querySelectorAll('main img, main b').length") == 0, "a name has become markup")
    expect("<b>bold</b>" in words(browser, "legend"), f"the legend says {words(browser, 'legend')}")

    browser.evaluate("document.getElementById('demo').click()")
    wait(browser, "document.querySelectorAll('#peaks button').length > 2")
    expect("401" in words(browser, "summary"), f"the summary is {words(browser, 'summary')}")
    expect("embedded table" in words(browser, "understood"), "what was understood is not said")
    browser.evaluate("document.querySelector('#peaks button').click()")
    see(browser, "demonstration", 1280, "light")
    before = words(browser, "numbers")
    browser.evaluate("""(() => { const slider = document.querySelector('.card input[type=range]');
      slider.value = Number(slider.value) * 1.05; slider.dispatchEvent(new Event('input')); })()""")
    wait(browser, f"document.getElementById('numbers').textContent !== {json.dumps(before)}")
    browser.evaluate("document.getElementById('undo').click()")
    before = words(browser, "numbers")
    browser.evaluate("""(() => { const [x, y] = plots.velocities.pixelOf(0), box = plots.velocities.canvas.getBoundingClientRect();
      plots.velocities.canvas.dispatchEvent(new MouseEvent('click', {clientX: box.x + x, clientY: box.y + y})); })()""")
    expect("400 observations" in words(browser, "summary"), f"without a point: {words(browser, 'summary')}")
    browser.evaluate("document.getElementById('take-back').click()")
    expect(words(browser, "numbers") == before, "with all points again, the numbers are others")
    browser.evaluate("document.getElementById('fit').click()")
    wait(browser, "!document.getElementById('stop').hidden")
    browser.evaluate("document.getElementById('stop').click()")
    wait(browser, "document.getElementById('status').textContent.includes('stopped')")

    choose(browser, {star.name: star.read_bytes()})
    wait(browser, "document.getElementById('summary').textContent.startsWith('60 ')")
    browser.evaluate("document.getElementById('fit').click()")
    wait(browser, "!document.getElementById('results').hidden")
    expect(browser.evaluate("document.querySelectorAll('.card').length") == 2, "there are not two planets")
    expect("planet c" in words(browser, "text"), "the text of the fit is not there")
    wait(browser, "document.getElementById('periodogram-of').textContent.includes('beside 2 planets')")
    numbers = words(browser, "numbers")
    print(words(browser, "status"), numbers)
    (folder / "fit.json").write_text(browser.evaluate(
        "new TextDecoder().decode(state.results.get('results/fit.json'))"))
    results = {name: browser.evaluate(f"new TextDecoder().decode(state.results.get('results/{name}'))").encode()
               for name in ("fit.json", "residuals.ecsv", "curve.ecsv")}
    browser.evaluate("save = (name, bytes) => { globalThis.saved = [name, bytes.length]; }")
    browser.evaluate("document.querySelector('#saves button').click()")
    wait(browser, "globalThis.saved")
    name, size = browser.evaluate("globalThis.saved")
    expect(name == "report.html" and size > 50000, f"{name} has {size} bytes")
    see(browser, "desk", 1280, "light")
    see(browser, "night", 1280, "dark")
    see(browser, "phone", 390, "light")
    choose(browser, results)
    wait(browser, "document.getElementById('results').hidden && document.querySelectorAll('.card').length == 2")
    expect(words(browser, "numbers") == numbers, f"opened again, the numbers are {words(browser, 'numbers')}")

    said = browser.heard("Runtime.consoleAPICalled", "Runtime.exceptionThrown", "Log.entryAdded")
    expect(not said, f"the console says {said}")
    asked = [request["request"]["url"] for request in browser.heard("Network.requestWillBeSent")]
    asked = [address for address in asked if not address.startswith(("data:", "blob:"))]
    expect(asked == [page.as_uri()], f"the page asks for {asked}")
    refused = browser.tell("Runtime.evaluate", awaitPromise=True, returnByValue=True, expression=
                           "fetch('https://example.org/').then(() => 'sent', error => 'refused')")["result"]["value"]
    time.sleep(0.2)
    browser.evaluate("0")
    policy = [event["entry"]["text"] for event in browser.heard("Log.entryAdded")]
    expect(refused == "refused" and any("Content Security Policy" in text for text in policy),
           f"a request elsewhere is {refused}: {policy}")

    browser.open(view.as_uri())
    wait(browser, "document.querySelectorAll('.card').length == 2 && "
                  "document.getElementById('periodogram-of').textContent.includes('beside 2 planets')")
    expect(words(browser, "summary").startswith("60 "), f"with a star in it, the page says {words(browser, 'summary')}")

for fault in faults:
    print(fault)
print(f"{len(faults)} faults; pictures in {folder}")
sys.exit(bool(faults))
