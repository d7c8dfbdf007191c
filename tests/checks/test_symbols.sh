#!/usr/bin/env bash
# The shared library exports what include/equant.h and its parts declare, no more
# and no less, and each part can be included alone; and the library calls nothing
# that prints, ends the program or reads the environment.
set -euo pipefail
source_dir=${EQUANT_SOURCE:?} build=${EQUANT_BUILD:?}
library=$build/libequant.so archive=$build/libequant.a
for file in "$library" "$archive"; do
  [ -e "$file" ] || { echo "$file is not there: build it first" >&2; exit 1; }
done

exported=$(nm -D --defined-only "$library" | awk '$2 ~ /[A-Z]/ {print $3}' | sort)
headers=("$source_dir"/include/equant.h "$source_dir"/include/equant/*.h)
declared=$(cat "${headers[@]}" | tr '\n' ' ' | sed 's/EQUANT_API/\n&/g' |
  sed -nE 's/^EQUANT_API [^(;]*[ *](equant_[a-z0-9_]+)\(.*/\1/p' | sort)

bad=0
if ! diff <(echo "$declared") <(echo "$exported") >/dev/null; then
  echo "declared in include/ (<) and exported by libequant.so (>) differ:" >&2
  diff <(echo "$declared") <(echo "$exported") | grep '^[<>]' >&2
  bad=1
fi

for header in "${headers[@]}"; do
  "${CC:-cc}" -std=c99 -Wall -Werror -I"$source_dir/include" -fsyntax-only -x c "$header" || bad=1
  name=equant/$(basename "$header")
  [ "$name" = equant/equant.h ] || grep -qF "#include \"$name\"" "${headers[0]}" ||
    { echo "equant.h does not include $name" >&2; bad=1; }
done

# vsnprintf and snprintf write to memory; the others are not for a library.
# _chk variants are what the fortified C library calls them. Files of src/text write to a stream
# that their caller has opened: in the library that is memory (open_memstream), whose file is here.
# placement.c alone asks the environment, for OMP_NUM_THREADS.
forbidden='^_*(v?(f|d)?printf|puts|fputs|putchar|fputc|putc|fwrite|perror|exit|_exit|quick_exit|abort|assert_fail|getenv|secure_getenv|system|signal|sigaction)(_chk)?$'
text=$(cd "$source_dir/src/text" && printf '%s.o|' *.c)
called=$(nm -A --undefined-only "$archive" | grep -vE ":(${text%|}):" |
  awk '{print $NF, $1}' | sed 's/@[^ ]*//' | awk -v pattern="$forbidden" '$1 ~ pattern && !($1 == "getenv" && /:placement\.c\.o:/)' || true)
if [ -n "$called" ]; then
  echo "the library calls what a library must not:" >&2
  echo "$called" >&2
  bad=1
fi

# A function that no other file calls is static, or dead, unless it is open for a test that cannot
# reach it otherwise. Without NetCDF some wait for it. The command calls what is in src/text, too.
open_for_tests='^failure_(status|describe)$'
symbols=$(nm "$archive" 2>/dev/null)
app=$(nm --undefined-only "$build/apps/equant/libequant_app.a" 2>/dev/null || true)
if [[ $symbols == *netcdf_writer* ]]; then
  alone=$(awk '
    NF > 1 && $(NF - 1) ~ /^[TDRB]$/ && $NF ~ /^[a-z]/ && $NF !~ /^equant_/ { defined[$NF] }
    NF > 1 && $(NF - 1) == "U" { called[$NF] }
    END { for (name in defined) if (!(name in called)) print name }' <(echo "$symbols"; echo "$app") |
    grep -vE "$open_for_tests" || true)
  [ -z "$alone" ] || { echo "nobody calls, from another file: "$alone >&2; bad=1; }
fi

[ "$bad" = 0 ] && echo "$(wc -l <<<"$exported") symbols, all declared; no forbidden call"
exit "$bad"
