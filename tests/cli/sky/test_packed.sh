#!/usr/bin/env bash
# Files compressed by gzip, zip archives and folders, of astrometry and of velocities: what comes out is
# what comes of the files themselves, to the byte; hostile archives are refused in one sentence.
source "$(dirname "$0")/../lib.sh"
cd "$work" || exit 1

python3 - <<'PYTHON'
import gzip, math, random, struct, zipfile, zlib
random.seed(5)

def table(source_id, n=40):
    lines = ["t,w,sigma,psi_deg,f,transit_id,source_id"]
    for k in range(n):
        time, degrees = random.uniform(-900, 900), random.uniform(0, 360)
        factor = math.sin(math.radians(degrees) + 6.2832 * time / 365.25)
        lines.append(f"{2457936.875 + time:.6f},{5 * factor + random.gauss(0, 0.1):.6f},0.1,"
                     f"{degrees:.5f},{factor:.6f},{k + 1},{source_id}")
    return "\n".join(lines) + "\n"

def velocities(amplitude, n=30):
    rows = [(2457000 + 3.7 * k, amplitude * math.sin(0.9 * k) + random.gauss(0, 1)) for k in range(n)]
    return "time,rv,rv_err\n" + "".join(f"{t:.4f},{v:.4f},1.0\n" for t, v in rows)

def pack(name, members, how=zipfile.ZIP_DEFLATED):
    with zipfile.ZipFile(name, "w", how) as archive:
        for member, text in members:
            archive.writestr(member, text)

ids = [4295806720123456000 + k for k in (1, 2, 3)]
sky = {k: table(k) for k in ids}
both = sky[ids[0]] + "".join(sky[k].split("\n", 1)[1] for k in ids[1:])
open("all.csv", "w").write(both)
one = table(77)
open("one.csv", "w").write(one)
open("one.csv.gz", "wb").write(gzip.compress(one.encode()))
half = len(one) // 2 # two files of gzip, one behind the other
open("two_parts.csv.gz", "wb").write(gzip.compress(one[:half].encode()) + gzip.compress(one[half:].encode()))
pack("one.zip", [("one.csv", one)])
pack("one_gzip.zip", [("one.csv.gz", gzip.compress(one.encode()))])
members = [(f"EPOCH_ASTROMETRY-Gaia DR4 {k}.csv", sky[k]) for k in ids]
beside = [("folder/", ""), ("README.txt", "hello"), ("__MACOSX/._x.csv", "x"), (".DS_Store", "x")]
pack("sources.zip", members[:1] + beside + members[1:])
import os
os.mkdir("folder")
for name, text in members:
    open(os.path.join("folder", name), "w").write(text)
open("folder/README.md", "w").write("hello")
os.mkdir("zips")
pack("zips/a.zip", members[:2])
open("zips/b.csv.gz", "wb").write(gzip.compress(members[2][1].encode()))
pack("other.zip", members + [("notes.dat", "nothing of use\n")])

star, second = velocities(30), velocities(20)
open("star.csv", "w").write(star)
open("second.csv", "w").write(second)
open("star.csv.gz", "wb").write(gzip.compress(star.encode()))
pack("star.zip", [("star.csv", star)])
pack("two.zip", [("star.csv", star), ("second.csv", second)])
open("many.csv", "w").write("star,time,rv,rv_err\n" + "".join(
    f"{name},{line}\n" for name, text in (("A", star), ("B", second))
    for line in text.strip().split("\n")[1:]))
pack("many.zip", [(f"{name}.csv", "star,time,rv,rv_err\n" + "".join(
    f"{name},{line}\n" for line in text.strip().split("\n")[1:])) for name, text in (("A", star), ("B", second))])

# ---- hostile ones
whole = open("sources.zip", "rb").read()
open("cut.zip", "wb").write(whole[: len(whole) // 2])
data = bytearray(open("one.zip", "rb").read())
data[300] ^= 0xFF # within the compressed bytes
open("damaged.zip", "wb").write(data)
packed = gzip.compress(one.encode())
open("cut.csv.gz", "wb").write(packed[: len(packed) // 2])
open("wrong_sum.csv.gz", "wb").write(packed[:-8] + b"\0\0\0\0" + packed[-4:])
pack("outside.zip", [("../../etc/one.csv", one)])
pack("absolute.zip", [("/etc/one.csv", one)])
pack("empty.zip", [])
pack("spreadsheet.xlsx", [("[Content_Types].xml", "<x/>"), ("xl/workbook.xml", "<x/>")])
pack("twice.zip", [("a.csv", sky[ids[0]]), ("b.csv", sky[ids[0]])])
pack("nothing.zip", [("notes.dat", "nothing of use\n"), ("more.dat", "of no use\n")])
header = one.split("\n", 1)[0].encode() + b"\n"
bomb = zlib.compressobj(9, zlib.DEFLATED, 31)
with open("bomb.csv.gz", "wb") as out:
    out.write(bomb.compress(header))
    for _ in range(100):
        out.write(bomb.compress(b"\n" * (1 << 20)))
    out.write(bomb.flush())
with zipfile.ZipFile("bomb.zip", "w", zipfile.ZIP_DEFLATED) as archive:
    archive.writestr("bomb.csv", header + b"\n" * (100 << 20))
# One that says that it is small: both headers claim ten bytes.
data = bytearray(open("bomb.zip", "rb").read())
size = struct.pack("<I", len(header) + (100 << 20))
assert data.count(size) == 2
open("liar.zip", "wb").write(data.replace(size, struct.pack("<I", 10)))
# Encrypted, as the general purpose flags say.
data = bytearray(open("one.zip", "rb").read())
data[6] |= 1
place = data.rindex(b"PK\x01\x02")
data[place + 8] |= 1
open("encrypted.zip", "wb").write(data)
PYTHON

run data one.zip
if [ "$code" -eq 3 ]; then
    echo "SKIP: this build has no libzip or no zlib"
    exit 77
fi

# same WANTED FILE...: the catalogue of each path is that of WANTED, to the byte.
same() {
    local wanted=$1 file
    shift
    rm -f wanted.csv
    expect_code 0 catalogue "$wanted" --out wanted.csv
    for file in "$@"; do
        rm -f found.csv
        expect_code 0 catalogue "$file" --out found.csv
        n_checks=$((n_checks + 1))
        cmp wanted.csv found.csv || fail "the catalogue of $file is not that of $wanted"
    done
}

same one.csv one.csv.gz two_parts.csv.gz one.zip one_gzip.zip one.zip/one.csv one_gzip.zip/one.csv.gz
same all.csv sources.zip folder zips other.zip
expect_text "files that are no tables of astrometry: 1, left out"
same many.csv many.zip

# Velocities of one star: two files are two instruments, wherever they stand.
# Warnings name the file.
expect_code 0 data star.csv --json
grep -v 'no unit is given' out >wanted.json
for file in star.csv.gz star.zip star.zip/star.csv; do
    expect_code 0 data "$file" --json
    n_checks=$((n_checks + 1))
    grep -v 'no unit is given' out | cmp - wanted.json || fail "data $file is not that of star.csv"
done
expect_code 0 data two.zip
expect_text "60"
gzip -c star.csv >pipe.gz
expect_code 0 data /dev/stdin --json <pipe.gz

# The astrometry of one source of an archive, by its number, with the velocities beside it.
expect_code 0 fit sources.zip --source 4295806720123456002 --period 100: --no-pictures

expect_refused() { # FILE PATTERN
    local command
    for command in data fit; do
        expect_error 1 "equant: $2" $command "$1"
        n_checks=$((n_checks + 1))
        [ "$(grep -c '^equant: ' err)" -eq 1 ] || fail "$command $1 says more than one sentence"
    done
}
expect_refused cut.zip "cut.zip: this zip archive is cut or broken: *; get it again"
expect_refused damaged.zip "damaged.zip/one.csv: this compressed file is cut or damaged; get it again"
expect_refused cut.csv.gz "cut.csv.gz: this compressed file is cut or damaged; get it again"
expect_refused wrong_sum.csv.gz "wrong_sum.csv.gz: this compressed file is cut or damaged; get it again"
expect_refused outside.zip "outside.zip: this zip archive has a member called '../../etc/one.csv', which leads out of it; *"
expect_refused absolute.zip "absolute.zip: this zip archive has a member called '/etc/one.csv', which leads out of it; *"
expect_refused empty.zip "empty.zip: this zip archive has no files"
expect_refused spreadsheet.xlsx "spreadsheet.xlsx: this is a spreadsheet or a document; save the sheet as CSV"
expect_refused bomb.csv.gz "bomb.csv.gz: this file unpacks to more than 200 times its size, *"
expect_refused bomb.zip "bomb.zip: this zip archive unpacks to more than 200 times its size, *"
expect_refused liar.zip "liar.zip*"
expect_refused encrypted.zip "encrypted.zip: the member 'one.csv' of this zip archive is encrypted; *"
expect_refused one.zip/none.csv "one.zip: this zip archive has no member 'none.csv'"
expect_error 1 "equant: twice.zip/b.csv:2: the rows of source 4295806720123456001 do not stand together; *" data twice.zip
expect_error 1 "equant: nothing.zip/*" data nothing.zip
rm -f table.csv
expect_error 1 "equant: twice.zip/b.csv:2: the rows of source 4295806720123456001 do not stand together; *" \
    catalogue twice.zip --out table.csv

# A bomb is refused in little memory. Sanitizers need more than that for themselves.
if in_full; then
    n_checks=$((n_checks + 1))
    (ulimit -v 1500000 && "$EQUANT" data bomb.csv.gz 2>&1 || true) | grep -q "200 times" ||
        fail "the bomb takes more than 1.5 GB"
fi
finish
