#!/usr/bin/env bash
# docs/architecture.md is true: every path that it names exists, every noun of its tables is a file
# of its room, and every folder stands in it. Sources that other pages name exist, too.
set -euo pipefail
cd "${EQUANT_SOURCE:-$(dirname "$0")/../..}"
page=docs/architecture.md

bad=0
complain() { echo "$page: $1" >&2; bad=1; }
exists() { grep -qE "(^|/)${1//./\\.}$" <<<"$everything"; }

everything=$(find include src apps python web examples tests benchmarks tools docs \
  \( -name __pycache__ -o -name '*.egg-info' \) -prune -o -print)

# Paths in backticks, and those that lines of the picture of the house begin with.
named=$({
  grep -oE '`[A-Za-z0-9_./{},-]+`' "$page" | tr -d '`' | grep -E '/|\.(c|h|cu|cuh|sh|py|md)$'
  sed -n '/^## The house/,/^## Who knows whom/p' "$page" | grep -oE '^[a-z]+/[A-Za-z0-9_./{},-]*'
} | while read -r path; do eval "printf '%s\n' $path"; done | sed 's|/$||' | sort -u)

while read -r path; do
  exists "$path" || complain "there is no $path"
done <<<"$named"

while IFS=: read -r other line path; do
  path=${path//\`/}
  [[ $path == *NAME* || $path == math.h ]] || exists "$path" ||
    { echo "$other:$line: there is no $path" >&2; bad=1; }
done < <(grep -noE '`[A-Za-z0-9_./-]+\.(c|h|cu|cuh|sh)`' CONTRIBUTING.md README.md docs/*.md docs/decisions/*.md)

room=
while IFS='|' read -r _ first nouns _; do
  [[ $first == *\`*\`* ]] && room=${first//[\` ]/}
  [ -d "src/$room" ] || continue
  for noun in $(grep -oE '`[a-z_0-9]+`' <<<"$nouns" | tr -d '`'); do
    [ -e "src/$room/$noun.c" ] || [ -e "src/$room/$noun.h" ] || complain "there is no $noun in src/$room"
  done
done < <(sed -n '/^| room | file |/,/^$/p' "$page")

# A folder of data alone stands for itself where one above it is named.
is_named() { grep -qxF "$1" <<<"$named"; }
while read -r folder; do
  is_named "$folder" || [[ $folder != */* ]] && continue
  holds_code=$(find "$folder" -maxdepth 1 -type f | grep -cE '\.(c|h|cu|cuh|py|sh|md)$' || true)
  above=$folder
  while [ "$holds_code" = 0 ] && [[ $above == */*/* ]] && ! is_named "$above"; do
    above=${above%/*}
  done
  is_named "$above" || complain "$folder is missing"
done < <(find src apps/equant include tests docs python \( -name __pycache__ -o -name '*.egg-info' \) -prune \
  -o -type f -printf '%h\n' | sort -u)

[ "$bad" = 0 ] && echo "the page shows the house"
exit "$bad"
