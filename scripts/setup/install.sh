#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# install.sh - copies what `make install` installs.  Usage: install.sh BUILD DESTDIR PREFIX VERSION
# Exit codes: 0 all is there, 2 a wrong folder, others: install(1) said what it could not do.
set -eu
build=$1 to=$2$3 prefix=$3 version=$4

# Where the pkg-config file says that all is.
case $prefix in
*[[:space:]]*) fault="has a space" ;;
/*) fault= ;;
*) fault="is no absolute path" ;;
esac
if [ -n "$fault" ]; then
    echo "install: PREFIX='$prefix' $fault; allowed: such as /usr/local" >&2
    exit 2
fi

install -d "$to/bin" "$to/lib/pkgconfig" "$to/include" "$to/share/man/man1" \
    "$to/share/bash-completion/completions" "$to/share/doc/fatfly" "$to/share/fatfly/systemc"
install -m 755 "$build/fatfly" "$to/bin/fatfly"
install -m 644 "$build/lib/libfatfly.a" "$to/lib/libfatfly.a"
install -m 755 "$build/lib/libfatfly.so.$version" "$to/lib/libfatfly.so.$version"
ln -sf "libfatfly.so.$version" "$to/lib/libfatfly.so.0"
ln -sf libfatfly.so.0 "$to/lib/libfatfly.so"
install -m 644 cmodel/fatfly.h "$to/include/fatfly.h"
install -m 644 cmodel/fatfly_plugin.h "$to/include/fatfly_plugin.h"
install -m 644 docs/fatfly.1 "$to/share/man/man1/fatfly.1"
install -m 644 docs/results/fpga.csv "$to/share/fatfly/fpga.csv"
install -m 644 docs/example.c "$to/share/doc/fatfly/example.c"
install -m 644 scripts/docs/fatfly.bash "$to/share/bash-completion/completions/fatfly"
# SystemC's libraries fit one compiler and one standard of C++, so what needs its headers goes as source.
install -m 644 "$build/systemc/libfatfly_switch.a" "$to/lib/libfatfly_switch.a"
for file in sim/systemc/fatfly_systemc.h sim/systemc/fatfly_systemc.cpp sim/systemc/fatfly_tlm.h sim/systemc/fatfly_tlm.cpp \
    sim/dut.h cmodel/switch/flit.h cmodel/switch/params.h; do
    install -m 644 "$file" "$to/share/fatfly/systemc/${file##*/}"
done
install -m 644 sim/systemc/example.cpp "$to/share/doc/fatfly/systemc_example.cpp"
install -m 644 sim/systemc/tlm_example.cpp "$to/share/doc/fatfly/tlm_example.cpp"
if [ -e "$build/view/page.html" ]; then
    install -m 644 "$build/view/page.html" "$to/share/fatfly/view.html"
else
    echo "install: without the viewer's page; \`scripts/setup.sh wasm\` installs what builds it" >&2
fi
cat >"$to/lib/pkgconfig/fatfly-systemc.pc" <<END
prefix=$prefix
libdir=\${prefix}/lib
includedir=\${prefix}/share/fatfly/systemc
sources=\${includedir}/fatfly_systemc.cpp \${includedir}/fatfly_tlm.cpp

Name: fatfly-systemc
Description: the switch and the network as SystemC modules; compile the variable sources with your bench
Version: $version
Requires: fatfly
Libs: -L\${libdir} -lfatfly_switch -lsystemc
Cflags: -I\${includedir}
END
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
