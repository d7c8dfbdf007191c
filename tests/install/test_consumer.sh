#!/usr/bin/env bash
# Installs into an empty prefix, moves it, and builds programs against it: in C
# and C++, shared and static, through pkg-config and through find_package.
set -euo pipefail

here=$EQUANT_SOURCE/tests/install
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

cache() { sed -n "s/^$1:[A-Z]*=//p" "$EQUANT_BUILD/CMakeCache.txt"; }
if [ -n "$(cache EQUANT_SANITIZE)" ] || [ -n "$(cache CMAKE_TOOLCHAIN_FILE)" ]; then
    echo "SKIP: consumers are built with plain native builds only"
    exit 77
fi

# Whatever is installed must not depend on where the prefix was.
cmake --install "$EQUANT_BUILD" --prefix "$work/first" >"$work/install.log" 2>&1 || {
    cat "$work/install.log"
    exit 1
}
prefix=$work/prefix
mv "$work/first" "$prefix"

for file in bin/equant include/equant.h include/equant/data.h share/doc/equant/LICENSE; do
    [ -e "$prefix/$file" ] || {
        echo "not installed: $file"
        exit 1
    }
done
library_folder=$(dirname "$(find "$prefix" -name libequant.so)")
export LD_LIBRARY_PATH=$library_folder PKG_CONFIG_PATH=$library_folder/pkgconfig

"$prefix/bin/equant" --version | grep -F "$(pkg-config --modversion equant)"

echo "== pkg-config"
read -ra shared <<<"$(pkg-config --cflags --libs equant)"
for header in "$prefix"/include/equant.h "$prefix"/include/equant/*.h; do
    "${CC:-cc}" -std=c99 -Wall -Wextra -Werror "${shared[@]}" -fsyntax-only -x c "$header"
    "${CXX:-c++}" -Wall -Wextra -Werror "${shared[@]}" -fsyntax-only -x c++ "$header"
done
read -ra static <<<"$(pkg-config --static --cflags --libs equant)"
archive=("${static[@]/#-lequant/-l:libequant.a}")
for source in consumer.c consumer.cpp; do
    compiler=${CC:-cc}
    [ "$source" = consumer.c ] || compiler=${CXX:-c++}
    "$compiler" "$here/$source" -Wall -Wextra -Werror -o "$work/shared" "${shared[@]}" -lm
    "$compiler" "$here/$source" -Wall -Wextra -Werror -o "$work/static" "${archive[@]}"
    "$work/shared"
    env -u LD_LIBRARY_PATH "$work/static"
    ldd "$work/shared" | grep -F "$library_folder/libequant.so" >/dev/null
done

echo "== find_package"
for languages in C CXX; do
    cmake -S "$here" -B "$work/$languages" -G Ninja "-DCONSUMER_LANGUAGES=$languages" \
        "-DCMAKE_PREFIX_PATH=$prefix" --log-level=WARNING
    cmake --build "$work/$languages" >"$work/build.log" 2>&1 || {
        cat "$work/build.log"
        exit 1
    }
    "$work/$languages/with_equant"
    env -u LD_LIBRARY_PATH "$work/$languages/with_equant_static"
done
