#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# install.sh - copies what `make install` installs.  Usage: install.sh BUILD DESTDIR PREFIX VERSION
set -eu
build=$1 to=$2$3 prefix=$3 version=$4

install -d "$to/bin" "$to/lib/pkgconfig" "$to/include" "$to/share/man/man1" \
    "$to/share/bash-completion/completions"
install -m 755 "$build/fatfly" "$to/bin/fatfly"
install -m 644 "$build/lib/libfatfly.a" "$to/lib/libfatfly.a"
install -m 755 "$build/lib/libfatfly.so.$version" "$to/lib/libfatfly.so.$version"
ln -sf "libfatfly.so.$version" "$to/lib/libfatfly.so.0"
ln -sf libfatfly.so.0 "$to/lib/libfatfly.so"
install -m 644 cmodel/fatfly.h "$to/include/fatfly.h"
install -m 644 docs/fatfly.1 "$to/share/man/man1/fatfly.1"
install -m 644 scripts/fatfly.bash "$to/share/bash-completion/completions/fatfly"
cat >"$to/lib/pkgconfig/fatfly.pc" <<END
prefix=$prefix
libdir=\${prefix}/lib
includedir=\${prefix}/include

Name: fatfly
Description: butterfly fat-tree networks of wormhole switches, simulated cycle by cycle
Version: $version
Libs: -L\${libdir} -lfatfly
Libs.private: -lm
Cflags: -I\${includedir}
END
echo "installed fatfly $version under $to"
