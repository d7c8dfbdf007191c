#!/usr/bin/env bash
# Numbers of the library never follow the locale: one file converts them, and nobody sets it.
set -euo pipefail
cd "${EQUANT_SOURCE:-$(dirname "$0")/../..}"
if grep -rnE '\b(setlocale|strtod|strtof|strtold|atof|sscanf|fscanf)(_l)? *\(' src --include='*.[ch]' \
  --include='*.cu' --include='*.cuh' | grep -v '^src/core/decimal_text\.c:'; then
  echo "use decimal_text_read of core/decimal_text.h" >&2
  exit 1
fi
