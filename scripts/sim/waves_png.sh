#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# waves_png.sh - draws a wave file as GTKWave shows it, on a machine without a display.
#
# usage: waves_png.sh WAVE GTKW PNG [WIDTHxHEIGHT]
# Exit codes: 0 drawn, 2 wrong use, 3 no such file, 4 a tool is missing or nothing was drawn.
set -u

fail() {
    code=$1
    shift
    echo "waves_png.sh: $*" >&2
    exit "$code"
}

[ $# -eq 3 ] || [ $# -eq 4 ] || fail 2 "usage: waves_png.sh WAVE GTKW PNG [WIDTHxHEIGHT]"
wave=$1 gtkw=$2 png=$3 size=${4:-1700x1000}
missing=
for tool in gtkwave:gtkwave Xvfb:xvfb import:imagemagick; do
    command -v "${tool%%:*}" >/dev/null 2>&1 || missing="$missing ${tool##*:}"
done
[ -z "$missing" ] || fail 4 "cannot draw waves, not installed:$missing"
[ -r "$wave" ] || fail 3 "cannot read $wave"
[ -r "$gtkw" ] || fail 3 "cannot read $gtkw"
case $size in
    *[!0-9x]* | *x*x* | x* | *x | "") fail 2 "size $size; allowed: WIDTHxHEIGHT in pixels" ;;
    *x*) ;;
    *) fail 2 "size $size; allowed: WIDTHxHEIGHT in pixels" ;;
esac

( : >"$png.part" ) 2>/dev/null || fail 4 "cannot write $png"
work=$(mktemp -d) || fail 4 "cannot make a temporary folder"
xvfb='' viewer=''
tidy() {
    [ -z "$viewer" ] || kill "$viewer" 2>/dev/null
    [ -z "$xvfb" ] || kill "$xvfb" 2>/dev/null
    rm -rf "$work" "$png.part"
}
trap tidy EXIT
trap 'exit 4' HUP INT TERM

# Xvfb finds a free display by itself and writes its number when it listens.
Xvfb -displayfd 3 -screen 0 "${size}x24" 3>"$work/display" >"$work/log" 2>&1 &
xvfb=$!
tries=0
until [ -s "$work/display" ]; do
    tries=$((tries + 1))
    [ $tries -le 100 ] || fail 4 "Xvfb did not start"
    kill -0 "$xvfb" 2>/dev/null || fail 4 "Xvfb did not start: $(tail -n 1 "$work/log")"
    sleep 0.1
done
DISPLAY=:$(cat "$work/display")
export DISPLAY

# No window manager: the window gets the size that the resource file asks for.
cat >"$work/gtkwaverc" <<EOF
initial_window_x ${size%x*}
initial_window_y ${size#*x}
initial_window_xpos 0
initial_window_ypos 0
hide_sst 1
splash_disable 1
force_toolbars 0
use_big_fonts 1
fontname_signals Sans 10
fontname_waves Monospace 9
hpane_pack 1
EOF
sed "s/^\[size\].*/[size] ${size%x*} ${size#*x}/" "$gtkw" >"$work/view.gtkw"
for filter in "$(dirname "$gtkw")"/*.filter; do
    [ -r "$filter" ] && cp "$filter" "$work/"
done
gtkwave -r "$work/gtkwaverc" "$wave" "$work/view.gtkw" >"$work/log" 2>&1 &
viewer=$!

# Drawn means: many colours, and twice the same picture.
tries=0 last=none
while :; do
    tries=$((tries + 1))
    [ $tries -le 60 ] || fail 4 "GTKWave drew nothing within 30 s"
    sleep 0.5
    kill -0 "$viewer" 2>/dev/null || fail 4 "GTKWave ended: $(tail -n 1 "$work/log")"
    import -window root "png:$png.part" 2>/dev/null || continue
    colours=$(identify -format %k "png:$png.part" 2>/dev/null) || continue
    now=$(cksum <"$png.part")
    if [ "${colours:-0}" -ge 16 ] && [ "$now" = "$last" ]; then
        break
    fi
    last=$now
done
mv "$png.part" "$png" || fail 4 "cannot write $png"
