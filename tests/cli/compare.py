"""Compares two texts word by word; numbers may differ by a fraction.

usage: compare.py TOLERANCE WANTED FOUND
"""
import math
import re
import sys


def words(line):
    return re.findall(r"[^\s,:\[\]{}]+|[,:\[\]{}]|\s+", line)


def agree(wanted, found, tolerance):
    if wanted == found:
        return True
    try:
        a, b = float(wanted), float(found)
    except ValueError:
        return False
    return math.isclose(a, b, rel_tol=tolerance, abs_tol=tolerance)


def main():
    tolerance = float(sys.argv[1])
    wanted, found = (open(path, encoding="utf-8").read().split("\n") for path in sys.argv[2:])
    for number, (a, b) in enumerate(zip(wanted, found), 1):
        left, right = words(a), words(b)
        same = len(left) == len(right) and all(
            agree(x, y, tolerance) for x, y in zip(left, right))
        if not same:
            sys.exit(f"    line {number}\n    wanted: {a}\n    found:  {b}")
    if len(wanted) != len(found):
        sys.exit(f"    wanted {len(wanted) - 1} lines, found {len(found) - 1}")


main()
