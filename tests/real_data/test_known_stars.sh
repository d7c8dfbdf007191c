#!/usr/bin/env bash
# Stars whose planets everybody knows, fitted blind: those of benchmarks/check-stars that take
# a second or two. Run the whole list by hand.
set -eu
: "${EQUANT:?is the path of the equant command under test}"
: "${EQUANT_SOURCE:?is the root of the repository}"

if ! command -v python3 >/dev/null; then
    echo "SKIP: python3 is not installed"
    exit 77
fi
exec "$EQUANT_SOURCE/benchmarks/check-stars" --jobs 1 --star "HD 69830" --star "HIP 14810" \
    --star "BL2009 set 1"
