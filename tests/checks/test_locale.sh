#!/usr/bin/env bash
# Numbers of the library never follow the locale: one file of each system converts them, and nobody sets that of the caller. What
# reads JSON is called in the scope of that file (decimal_text_begin).
set -euo pipefail
cd "${EQUANT_SOURCE:-$(dirname "$0")/../..}"
if grep -rnE '\b(setlocale|strtod|strtof|strtold|atof|sscanf|fscanf)(_l)? *\(' src --include='*.[ch]' \
  --include='*.cu' --include='*.cuh' | grep -v -e '^src/platform/[a-z]*/[a-z]*_locale\.c:' -e '^src/text/json_walk\.c:'; then
  echo "use decimal_text_read of core/decimal_text.h" >&2
  exit 1
fi
