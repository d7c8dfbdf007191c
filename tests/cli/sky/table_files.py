"""Tables of columns (name, kind, unit, values) as the archives write them: csv, ECSV, VOTable (TABLEDATA,
BINARY2) and FITS. Kinds are long, double, float, boolean and text; a value is a number, None, or a list,
for the arrays of a source. Of the standard library alone."""

import base64
import struct

CODES = {"long": ">q", "double": ">d", "float": ">f", "boolean": ">B"}
LETTERS = {"long": "K", "double": "D", "float": "E", "boolean": "L"}


def word(value, kind, none="null"):
    if value is None:
        return none
    return {"boolean": str(value).lower()}.get(kind, str(value))


def cell(value, kind, opening="(", between=",", closing=")", none="null", empty=""):
    if isinstance(value, list):
        return opening + between.join(word(one, kind, none) for one in value) + closing
    return word(value, kind, empty)


def rows_of(columns):
    return list(zip(*(values for *_, values in columns)))


def write_csv(path, columns):
    with open(path, "w") as file:
        file.write(",".join(name for name, *_ in columns) + "\n")
        for row in rows_of(columns):
            file.write(",".join(cell(value, kind, '"(', ",", ')"') for value, (_, kind, *_) in zip(row, columns)) + "\n")


def write_ecsv(path, columns):
    kinds = {"long": "int64", "double": "float64", "float": "float32", "boolean": "bool", "text": "string"}
    with open(path, "w") as file:
        file.write("# %ECSV 1.0\n# ---\n# delimiter: ','\n# datatype:\n")
        for name, kind, unit, _ in columns:
            file.write(f"# - {{name: {name}, {'unit: ' + unit + ', ' if unit else ''}datatype: {kinds[kind]}}}\n")
        file.write("# schema: astropy-2.0\n" + ",".join(name for name, *_ in columns) + "\n")
        for row in rows_of(columns):
            file.write(",".join(cell(value, kind, '"[', ",", ']"') for value, (_, kind, *_) in zip(row, columns)) + "\n")


def pack(value, kind):
    if kind == "boolean":
        return {None: b"?", True: b"T", False: b"F"}[value]
    if kind == "long":
        return struct.pack(">q", 0 if value is None else value)
    return struct.pack(CODES[kind], float("nan") if value is None else value)


def packed_row(row, columns):
    mask, data = 0, b""
    for i, (value, (_, kind, *_)) in enumerate(zip(row, columns)):
        if value is None:
            mask |= 0x80 >> i % 8 << 8 * (i // 8)
        if kind == "text":
            data += struct.pack(">I", len(value)) + value.encode()
        elif isinstance(value, list):
            data += struct.pack(">I", len(value)) + b"".join(pack(one, kind) for one in value)
        else:
            data += pack(value, kind)
    return mask.to_bytes((len(columns) + 7) // 8, "little") + data


def write_votable(path, columns, is_binary):
    rows = rows_of(columns)
    with open(path, "w") as file:
        file.write('<?xml version="1.0"?>\n<VOTABLE version="1.4"><RESOURCE><TABLE>\n')
        for name, kind, unit, values in columns:
            is_array = kind == "text" or isinstance(values[0], list)
            datatype = {"text": "char"}.get(kind, kind)
            file.write(f'<FIELD name="{name}" datatype="{datatype}"' + (' arraysize="*"' if is_array else "")
                       + (f' unit="{unit}"' if unit else "") + "/>\n")
        if is_binary:
            data = base64.encodebytes(b"".join(packed_row(row, columns) for row in rows)).decode()
            file.write(f'<DATA><BINARY2><STREAM encoding="base64">\n{data}</STREAM></BINARY2></DATA>')
        else:
            file.write("<DATA><TABLEDATA>\n")
            for row in rows:
                cells = (cell(value, kind, "", " ", "", "NaN") for value, (_, kind, *_) in zip(row, columns))
                file.write("<TR>" + "".join(f"<TD>{one}</TD>" for one in cells) + "</TR>\n")
            file.write("</TABLEDATA></DATA>")
        file.write("</TABLE></RESOURCE></VOTABLE>\n")


def card(key, value):
    shown = f"'{value:<8}'" if isinstance(value, str) else {True: "T", False: "F"}.get(value, str(value)) \
        if isinstance(value, bool) else str(value)
    text = f"{key:<8}= {shown:<20}" if isinstance(value, str) else f"{key:<8}= {shown:>20}"
    return f"{text:<80}"


def block(cards):
    text = "".join(card(*one) for one in cards) + f"{'END':<80}"
    return text.ljust(-(-len(text) // 2880) * 2880).encode()


def write_fits(path, columns):
    """A binary table; arrays stand in its heap. FITS has no missing flags: they are bytes of zero."""
    rows, heap, data, formats = rows_of(columns), b"", b"", []
    for _, kind, _, values in columns:
        if kind == "text":
            formats.append(f"{max(len(value) for value in values)}A")
        else:
            formats.append(f"1P{LETTERS[kind]}" if isinstance(values[0], list) else f"1{LETTERS[kind]}")
    for row in rows:
        for value, (_, kind, *_), form in zip(row, columns, formats):
            if kind == "text":
                data += value.encode().ljust(int(form[:-1]))
            elif isinstance(value, list):
                data += struct.pack(">ii", len(value), len(heap))
                heap += b"".join(b"\0" if one is None and kind == "boolean" else pack(one, kind) for one in value)
            else:
                data += b"\0" if value is None and kind == "boolean" else pack(value, kind)
    width = len(data) // len(rows)
    head = [("XTENSION", "BINTABLE"), ("BITPIX", 8), ("NAXIS", 2), ("NAXIS1", width), ("NAXIS2", len(rows)),
            ("PCOUNT", len(heap)), ("GCOUNT", 1), ("TFIELDS", len(columns))]
    for i, ((name, _, unit, _), form) in enumerate(zip(columns, formats), 1):
        head += [(f"TTYPE{i}", name), (f"TFORM{i}", form)] + ([(f"TUNIT{i}", unit)] if unit else [])
    body = data + heap
    with open(path, "wb") as file:
        file.write(block([("SIMPLE", True), ("BITPIX", 8), ("NAXIS", 0), ("EXTEND", True)]))
        file.write(block(head) + body.ljust(-(-len(body) // 2880) * 2880, b"\0"))


def write_all(stem, columns):
    """The paths of one table in all kinds of files."""
    write_csv(f"{stem}.csv", columns)
    write_ecsv(f"{stem}.ecsv", columns)
    write_votable(f"{stem}.xml", columns, False)
    write_votable(f"{stem}.vot", columns, True)
    write_fits(f"{stem}.fits", columns)
