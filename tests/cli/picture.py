"""Reads an SVG picture: picture.py FILE prints its texts, a line each, and its caption, and fails unless it is
well-formed, stands alone and leads nowhere but to numbers."""

import pathlib
import re
import sys
import xml.etree.ElementTree

NAMES = "{http://www.w3.org/2000/svg}"
root = xml.etree.ElementTree.parse(sys.argv[1]).getroot()
faults = []
if root.tag != NAMES + "svg":
    faults.append("no SVG")
width, height = float(root.get("width")), float(root.get("height"))
if [float(n) for n in root.get("viewBox").split()] != [0, 0, width, height]:
    faults.append("the size is not that of the view")
for element in root.iter():
    for name, value in element.attrib.items():
        if name in ("d", "x", "y", "width", "height", "transform") and re.search("nan|inf", value):
            faults.append(f"{element.tag} has {name} {value[:40]}")
        if "href" in name:
            faults.append(f"{element.tag} wants {value}")
style = root.find(NAMES + "style").text
if re.search(r"var\(|@import|url\(|\$", style):
    faults.append("the style is not sufficient to itself")
paper = next(e for e in root if e.get("class") == "paper")
if (float(paper.get("width")), float(paper.get("height"))) != (width, height):
    faults.append("the paper does not lie behind all of it")
if not any(len(e.get("d", "")) > 100 for e in root.iter(NAMES + "path")):
    faults.append("nothing is drawn")
for text in root.iter(NAMES + "text"):
    print("".join(text.itertext()).replace("\u200b", ""))
beside = pathlib.Path(sys.argv[1]).with_suffix(".caption.txt")
if beside.exists():
    print(beside.read_text(encoding="utf-8").removeprefix("Caption: "), end="")
for fault in faults:
    print(f"{sys.argv[1]}: {fault}", file=sys.stderr)
sys.exit(bool(faults))
