#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# test_spec.sh - the specification in Python against the C model, over a covering design.
#
# Every run begins with a reset in mid-traffic: switches of 7 depths and 10 widths for 2048 cycles, of every depth and width for 512,
# networks of 4 to 1024 processors for 72 to 2048.  Then the planted bugs of bugs.txt, each of which must be seen.  Ends with
# `N passed, N failed`.
set -u
cd "$(dirname "$0")/../.." || exit 4
# shellcheck source=tb/lib/checks.sh
. tb/lib/checks.sh
# shellcheck source=tb/lib/planted.sh
. tb/lib/planted.sh
jobs=${JOBS:-$(nproc)}
here=$build/spec
mkdir -p "$here"

compare() { python3 -B tb/spec/compare.py --build "$build" --jobs "$jobs" "$@"; }

if python3 -B tb/spec/test_cover.py >"$here/cover.log" 2>&1; then
  pass "covering design"
else
  fail "covering design: $(tail -n 3 "$here/cover.log")"
fi
line=$(python3 -B tb/spec/cover.py --depth 17 2>&1)
if [ "$line" = "cover.py: --depth 17; allowed: 1 to 16" ]; then
  pass "a depth of 17 is refused"
else
  fail "a depth of 17: $line"
fi

# A row costs about as many switch-cycles in a network of any size.
python3 -B tb/spec/cover.py --depth 1,2,3,4,5,8,16 --flit-w 16,17,24,32,33,40,48,55,63,64 >"$here/switches"
python3 -B tb/spec/cover.py | sed 's/$/:512/' >"$here/widths"
python3 -B tb/spec/cover.py --network --depth 1,2,3,16 --flit-w 16,27,32,48,64 |
  sed -e 's/^n4-.*/&:2048/' -e 's/^n16-.*/&:1024/' -e 's/^n64-.*/&:384/' -e 's/^n256-.*/&:128/' \
    -e 's/^n1024-.*/&:72/' >"$here/networks"
# Tori and meshes: each routing with each scan, odd and even radix, as few channels as there can be and nine.
printf '%s\n' torus4-v2-q2-w32-ecube-{rot,rr,fo}:192 torus{2,4}-v3-q2-w24-nhop-{rot,rr,fo}:192 mesh4-v1-q1-w16-ecube-{rot,rr}:192 \
  mesh4-v4-q3-w33-nhop-{rot,fo}:192 torus5-v9-q2-w40-ecube-rr:128 mesh5-v9-q16-w64-nhop-rr:128 torus3-v5-q2-w17-ecube-rot:192 \
  torus8-v5-q2-w32-nhop-rot:48 torus11-v2-q2-w32-ecube-rr:24 >"$here/cubes"
# ... and every topology, k, V and routing that docs/cube.md allows, for fewer cycles.
python3 -B tb/spec/cube.py >"$here/every"
for list in switches widths networks cubes every; do
  mapfile -t shapes <"$here/$list"
  least=60
  [ $list != cubes ] || least=15
  [ $list != every ] || least=326
  if line=$(compare "${shapes[@]}" 2>&1) && [ "${#shapes[@]}" -gt $least ]; then
    pass "$list: $line"
  else
    fail "$list: $line"
  fi
done
{ sed 's/:.*//' "$here/switches" "$here/widths" "$here/networks" && cat "$here/cubes" "$here/every"; } >"$here/all"

# The C model as it is, file by file: a bug in a .c changes one of them.
flags=(-std=c11 -D_POSIX_C_SOURCE=200809L -DDUT_LIBRARY -O1 -w -fPIC)
sources=(cmodel/switch/*.c cmodel/network/{fat_tree,network,cube_network}.c sim/{dut,dut_cmodel,dut_cube}.c)
compiled() { (cd "$1" && ${CC:-gcc} "${flags[@]}" -Icmodel/switch -Icmodel/network -Isim -c "${@:2}"); } # FOLDER FILE...: its objects
rm -rf "$here/objects" && mkdir "$here/objects" && cp -r cmodel sim "$here/objects" && compiled "$here/objects" "${sources[@]}"

# wrong_model NAME FILE FROM TO: a C model with a bug, as $here/NAME/c.so; of a cube's router where the name begins so.
wrong_model() {
  local dir=$here/$1 changed=("${sources[@]}") other=dut_cube
  [[ $1 != cube-* ]] || other=dut_cmodel
  rm -rf "$dir" && mkdir -p "$dir" && cp -r cmodel sim "$here"/objects/*.o "$dir"
  plant "$dir/$2" "$3" "$4" || return
  [[ $2 != *.c ]] || changed=("$2")
  compiled "$dir" "${changed[@]}" && rm "$dir/$other.o" && ${CC:-gcc} -shared -Wl,-Bsymbolic "$dir"/*.o -o "$dir/c.so"
}

declare name file from to pattern
while read -r line; do
  fields "$line" name file from to pattern
  if ! why=$(wrong_model "$name" "$file" "$from" "$to" 2>&1); then
    fail "$name: $why"
    continue
  fi
  mapfile -t shapes < <(grep -E -- "$pattern" "$here/all" | head -n 8 | sed 's/^n1024-.*/&:64/')
  line=$(compare --model "$here/$name/c.so" "${shapes[@]}" 2>&1)
  if [ $? = 1 ] && grep -q '^\([sn]\|torus\|mesh\)[0-9].*: specification .*; C .*; Verilog ' <<<"$line"; then
    pass "$name: $line"
  else
    fail "$name: not seen: $line"
  fi
  rm -rf "${here:?}/$name"
done < <(listed tb/spec/bugs.txt)

# Three answers: where the C model alone is wrong, the Verilog says what the specification says.
shape=s1of3-v1-q2-w32-rp-rr line=
wrong_model parents-swapped cmodel/switch/route.h '16u << rand' '16u << (rand ^ 1)' &&
  line=$(compare --model "$here/parents-swapped/c.so" $shape 2>&1)
if [[ $line =~ specification\ (.*)\;\ C\ (.*)\;\ Verilog\ (.*)$ ]] &&
  [ "${BASH_REMATCH[1]}" = "${BASH_REMATCH[3]}" ] && [ "${BASH_REMATCH[1]}" != "${BASH_REMATCH[2]}" ]; then
  pass "three answers: $line"
else
  fail "three answers: $line"
fi

ends
