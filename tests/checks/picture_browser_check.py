"""Looks at pictures in headless Chromium: picture_browser_check.py BROWSER SVG..."""

import pathlib
import sys

import figure_texts
import headless

faults = []
with headless.Browser(sys.argv[1]) as browser:
    for picture in map(pathlib.Path, sys.argv[2:]):
        browser.tell("Emulation.setDeviceMetricsOverride", width=1100, height=1400,
                     deviceScaleFactor=1, mobile=False)
        browser.open(picture.resolve().as_uri())
        faults += [f"{picture}: {fault}" for fault in browser.evaluate(figure_texts.PROBE)]
for fault in faults:
    print(fault)
print(f"{len(sys.argv) - 2} pictures, {len(faults)} faults")
sys.exit(bool(faults))
