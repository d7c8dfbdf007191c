#!/usr/bin/env bash
# Velocities against radvel.
set -euo pipefail
check=${EQUANT_SOURCE:?}/tests/checks/radvel_check.py
library=$EQUANT_BUILD/libequant.so

source "${EQUANT_SOURCE:?}/tests/checks/python_environment.sh"
"$venv/bin/python" "$check" "$library"
