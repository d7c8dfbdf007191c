#!/usr/bin/env bash
# Who may include whom. Each layer names what it may reach; anything else of
# ours is an error. System headers are free, intrinsics excepted.
set -euo pipefail
cd "${EQUANT_SOURCE:-$(dirname "$0")/../..}"

# Layer folder, then patterns of allowed quoted includes. The lanes and the statistics reach the
# contract of lane groups and nothing else of the physics.
rules=(
  'src/physics    ^physics/'
  'src/lanes      ^(lanes/|physics/lane\.h$)'
  'src/statistics ^(statistics/|physics/lane\.h$)'
  'src/model      ^(model/|inference/|equant(/[a-z]+)?\.h$)'
  'src/backends   ^(backends/|physics/|lanes/|statistics/|equant(/[a-z]+)?\.h$)'
  'src/core       ^(core/|statistics/random\.h$|backends/backend\.h$|equant(/[a-z]+)?\.h$)'
  'src/data       ^(data/|core/|equant(/[a-z]+)?\.h$)'
  'src/inference  ^(inference/|output/|core/|model/|statistics/|physics/|equant(/[a-z]+)?\.h$)'
  'src/output     ^(output/|inference/|core/|model/|equant(/[a-z]+)?\.h$)'
  'apps           ^([a-z0-9_]+/)?[a-z0-9_]+\.h$'
  'tests/oracle   ^(error_bounds|oracle|quad_[a-z_]+|random_system)\.h$'
)

bad=0
complain() { echo "$1" >&2; bad=1; }

for rule in "${rules[@]}"; do
  read -r layer allowed <<<"$rule"
  [ -d "$layer" ] || continue
  while IFS=: read -r file line text; do
    name=${text#*[<\"]}
    name=${name%%[>\"]*}
    if [[ $text == *'"'* && ! $name =~ $allowed ]]; then
      complain "$file:$line: $layer may not include \"$name\""
    elif [[ $text == *'<'* && $name == *intrin.h || $name == arm_neon.h ]] &&
         [[ $layer != src/lanes && $layer != src/backends ]]; then
      complain "$file:$line: intrinsics belong to src/lanes"
    elif [[ $text == *'<equant'* ]]; then
      complain "$file:$line: write \"$name\" for our own header"
    fi
  done < <(grep -rnE '^[[:space:]]*#[[:space:]]*include' "$layer" --include='*.[ch]' --include='*.cu' --include='*.cuh')
done

# The rooms of a folder, from the ground up: each may include itself and those named before it.
# A folder that is not named is an error, and so is one that has grown too large to be known.
rooms() {
  local house=$1 prefix room above largest=40
  shift
  prefix=${house#apps/equant}
  prefix=${prefix#src/}
  for room in "$house"/*/; do
    room=$(basename "$room")
    [[ " $* " == *" $room "* ]] || complain "$house/$room: not among the rooms of $house"
    [ "$(find "$house/$room" -type f | wc -l)" -le "$largest" ] ||
      complain "$house/$room: more than $largest files"
  done
  while [ $# -gt 1 ]; do
    room=$1
    shift
    above=$(IFS='|'; echo "$*")
    while IFS=: read -r file line text; do
      complain "$file:$line: $house/$room may not include ${text#*include }"
    done < <(grep -rnE "^[[:space:]]*#[[:space:]]*include[[:space:]]*\"${prefix:+$prefix/}($above)/" "$house/$room")
  done
}

rooms apps/equant terminal files options stars figures pictures results page bench commands

# A header that nobody can reach is dead.
included=$(grep -rhoE '#[[:space:]]*include[[:space:]]*"[^"]+"' src apps | sed -E 's|.*["/]([^"/]+)"|\1|' | sort -u)
while read -r header; do
  grep -qxF "$(basename "$header")" <<<"$included" || complain "$header: included by nobody"
done < <(find src apps -name '*.h')

[ "$bad" = 0 ] && echo "include rules hold"
exit "$bad"
