#!/usr/bin/env bash
# Every C source is as clang-format with our .clang-format would write it.
set -euo pipefail
if ! command -v clang-format >/dev/null; then
  echo "SKIP: clang-format is not installed"
  exit 77
fi
cd "${EQUANT_SOURCE:?}"
folders=()
for folder in include src apps tests examples benchmarks; do
  [ -d "$folder" ] && folders+=("$folder")
done
find "${folders[@]}" \( -name '*.c' -o -name '*.h' \) -print0 |
  xargs -0 clang-format --dry-run --Werror
echo "formatted"
