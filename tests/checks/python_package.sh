# The Python package as it lies in the repository, over the library of this build: to be sourced
# by tests that need no installation. A copy for each of them, since declarations are made for it.
package=$EQUANT_BUILD/check-package/$(basename "$0" .sh)
rm -rf "$package"
mkdir -p "$package"
cp -r "$EQUANT_SOURCE/python/equant" "$package/"
python3 "$EQUANT_SOURCE/python/make_declarations.py" "$EQUANT_SOURCE/include/equant.h" \
  "$package/equant/_c.py"
export PYTHONPATH=$package EQUANT_LIBRARY=$EQUANT_BUILD/libequant.so
# Threads that wait for work by sleeping disturb neither each other nor other tests.
