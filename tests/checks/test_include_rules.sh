#!/usr/bin/env bash
# Who may include whom: this script is the rule, and docs/architecture.md its picture. Anything of
# ours that is not allowed here is an error. Headers of C are free; what systems do differently stands
# in src/platform alone, and intrinsics where lanes are.
set -euo pipefail
cd "${EQUANT_SOURCE:-$(dirname "$0")/../..}"

# A folder, then a pattern of the headers that it may include. The lanes and the statistics reach
# the contract of lane groups and little else of the physics. Public headers come to all of these
# but physics, lanes and text.
public='equant(/[a-z_]+)?\.h$'
rules=(
  "src/physics       ^physics/"
  "src/lanes         ^(lanes/|physics/lane\.h$)"
  "src/text          ^text/"
  "src/platform      ^platform/"
  "src/parallel      ^(parallel|platform)/"
  "src/model         ^(model/|physics/orbit\.h$|$public)"
  "src/statistics    ^(statistics/|model/|physics/(lane|noise_plan)\.h$)"
  "src/backends      ^(backends/|platform/|parallel/|physics/|lanes/|statistics/|model/|$public)"
  "src/backends/cpu  ^(platform/|backends/([a-z_]+\.h$|cpu/)|parallel/|physics/|lanes/|statistics/(packed_noise|noise_[a-z]+)\.h$|model/|$public)"
  "src/backends/cuda ^(platform/|backends/([a-z_]+\.h$|cuda/)|parallel/|physics/|lanes/|statistics/|model/|$public)"
  "src/core          ^(platform/|core/|parallel/|model/|statistics/(noise_process|noise_terms|random_draw)\.h$|backends/backend\.h$|$public)"
  "src/noise         ^(noise/|statistics/(cholesky|noise_adjoint|noise_gradient|noise_process|noise_terms|random_draw)\.h$|core/|model/|$public)"
  "src/data          ^(platform/|data/|core/|model/|$public)"
  "src/observing     ^(observing/|data/text_[a-z]+\.h$|core/|model/|$public)"
  "src/astrometry    ^(platform/|astrometry/|parallel/|data/(text_[a-z]+\.h$|tables/)|core/|model/|physics/(sky_)?orbit\.h$|statistics/(cholesky|random_draw)\.h$|inference/(sample|predict|plan)/|output/|$public)"
  "src/binaries      ^(platform/|binaries/|parallel/|data/(text_[a-z]+\.h$|velocity_unit\.h$|tables/)|core/|model/|physics/sky_orbit\.h$|statistics/cholesky\.h$|$public)"
  "src/inference     ^(platform/|inference/|dynamics/|output/|text/|parallel/|noise/|core/|model/|statistics/|$public)"
  "src/dynamics      ^(dynamics/|core/|model/|physics/orbit\.h$|$public)"
  "src/output        ^(platform/|output/|inference/|core/|model/|$public)"
  "apps/equant       ^((terminal|files|inputs|options|stars|posteriors|drawing|figures|pictures|results|sky|nights|planning|tables|page|bench|archive|manual|commands|text|platform|parallel)/[a-z0-9_]+\.h$|$public)"
  "tests/oracle      ^(error_bounds|oracle|quad_[a-z_]+|random_system)\.h$"
)

# Rooms of a folder, lowest first: each uses itself and those before it. Every folder beside a
# room is a room too, or has a rule above.
rooms=(
  "src inference/likelihood inference/optimise inference/priors inference/search
       inference/select/orbits inference/select/models inference/select/aliases inference/select/planets inference/interaction inference/fit inference/inject
       inference/sample/target inference/compare inference/record inference/sample/walkers inference/sample/draws
       inference/sample/evidence output inference/sample/run inference/predict inference/plan"
  "src astrometry/epochs astrometry/formats astrometry/solution astrometry/orbit astrometry/posterior astrometry/catalogue"
  "apps/equant terminal files inputs options stars posteriors drawing figures pictures results sky nights planning tables page bench archive manual commands"
)

most_files=40 # in one folder

bad=0
complain() { echo "$1" >&2; bad=1; }

# Lines "FILE:LINE:NAME" of the includes under a folder, in quotes or in angles.
includes() { # FOLDER, " or <
  local close=${2/</>}
  grep -rnE "^[[:space:]]*#[[:space:]]*include[[:space:]]*$2" "$1" --include='*.[ch]' --include='*.cu' \
    --include='*.cuh' | sed -E "s/^([^:]+:[0-9]+):[^$2]*$2([^$close]+)$close.*/\1:\2/"
}

check_rule() { # FOLDER PATTERN
  local file line name
  while IFS=: read -r file line name; do
    [[ $name =~ $2 ]] || complain "$file:$line: $1 may not include \"$name\""
  done < <(includes "$1" '"')
}

check_rooms() { # FOLDER ROOM...
  local folder=$1 room other file line name
  local -A later=()
  shift
  for room in "$@"; do
    later[$room]=1
  done
  for room in "$@"; do
    unset "later[$room]"
    while IFS=: read -r file line name; do
      for other in "${!later[@]}"; do
        [[ $name != "$other"/* ]] || complain "$file:$line: $room stands below $other"
      done
    done < <(includes "$folder/$room" '"')
  done
  for room in "$@"; do
    for other in "$(dirname "$folder/$room")"/*/; do
      other=${other%/}
      [[ " $* " == *" ${other#"$folder"/} "* || " ${rules[*]} " == *" $other "* ||
        " $* " == *" ${other#"$folder"/}/"* ]] ||
        complain "$other: no room and no rule of its own"
    done
  done
}

for rule in "${rules[@]}"; do
  read -r folder allowed <<<"$rule"
  check_rule "$folder" "$allowed"
done
for list in "${rooms[@]}"; do
  read -rd '' -a names <<<"$list" || true
  check_rooms "${names[@]}"
done

of_c="assert.h complex.h ctype.h errno.h fenv.h float.h inttypes.h limits.h locale.h math.h setjmp.h signal.h \
stdalign.h stdarg.h stdatomic.h stdbool.h stddef.h stdint.h stdio.h stdlib.h string.h strings.h tgmath.h sys/types.h istream ostream getopt.h"
of_libraries='^(netcdf|netcdf_mem|zlib|zip|yaml|fitsio|expat|erfa|erfam|librsvg/rsvg|cairo-pdf|Random123/philox)\.h$'
while IFS=: read -r file line name; do
  [[ $name != *intrin.h && $name != arm_neon.h && $name != wasm_simd128.h || $file == src/lanes/* || $file == src/backends/* ]] ||
    complain "$file:$line: intrinsics belong to src/lanes"
  [[ " $of_c " == *" $name "* || $name =~ $of_libraries || $name == *intrin.h || $name == arm_neon.h || $name == wasm_simd128.h ||
    $file == src/platform/* || $file == src/backends/cuda/* || $file == tests/* ]] ||
    complain "$file:$line: <$name>: what systems do differently belongs to src/platform"
  [[ $name != equant* ]] || complain "$file:$line: write \"$name\" for our own header"
done < <(includes src '<'; includes apps '<'; includes tests/oracle '<')

# A header that nobody can reach is dead.
reached=$(grep -rhoE '#[[:space:]]*include[[:space:]]*"[^"]+"' src apps | sed -E 's/.*[\/"]([^\/"]+)"/\1/' | sort -u)
while read -r header; do
  grep -qxF "$(basename "$header")" <<<"$reached" || complain "$header: included by nobody"
done < <(find src apps -name '*.h' -o -name '*.cuh')

# A name means one module, in the whole repository. A public header shares its name with the file that
# implements it.
while read -r name; do
  complain "$name: the base name of more than one module"
done < <(find src apps tests benchmarks examples tools \( -name '*.[ch]' -o -name '*.cu' -o -name '*.cuh' \) | sed -E 's/\.[a-z]+$//' | sort -u |
  sed 's/.*\///' | sort | uniq -d)
while read -r name; do
  complain "$name: a header of the library with the name of a public header"
done < <(find include src apps -name '*.h' | sed 's/.*\///' | sort | uniq -d)

while read -r n folder; do
  [ "$n" -le "$most_files" ] || complain "$folder: $n files; give it rooms"
done < <(find src apps include python tests docs benchmarks -type f -not -path '*/fixtures/*' \
  -not -path '*/corpus/*' -not -path 'docs/decisions/*' -not -path '*/__pycache__/*' -printf '%h\n' | sort | uniq -c)

[ "$bad" = 0 ] && echo "include rules hold"
exit "$bad"
