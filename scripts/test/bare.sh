#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# bare.sh - runs what CI runs on a Debian 12 on which nothing else is installed: what is missing in scripts/packages.txt is found.
#
# usage: bare.sh FOLDER [COMMAND...]   COMMAND: in a clone of the last commit; .ci/run without one
# FOLDER gets the system (with everything 3 GB and, of the tests, 2 GB), or has it from before; the clone is made anew.  Wants root,
# debootstrap, git, and a network for packages (MIRROR=URL in place of the one that debootstrap takes).  Exit codes: that of COMMAND;
# 2 usage; 4 the system cannot be made.
set -u
root=$(cd "$(dirname "$0")/../.." && pwd) || exit 4

die() { echo "bare.sh: $2" >&2; exit "$1"; }
case ${1:-} in '' | -*) die 2 "usage: bare.sh FOLDER [COMMAND...]" ;; esac
[ "$(id -u)" = 0 ] || die 4 "a system of its own needs root"
for tool in debootstrap git; do
  command -v $tool >/dev/null || die 4 "no $tool; apt-get install $tool"
done
folder=$1
shift
[ $# -gt 0 ] || set -- .ci/run
mkdir -p "$folder" || die 4 "$folder cannot be made"
folder=$(cd "$folder" && pwd) || exit 4
[ "$folder" != / ] || die 2 "FOLDER is /; allowed: a folder for a system of its own"
if [ ! -x "$folder/usr/bin/apt-get" ]; then
  [ -z "$(ls -A "$folder")" ] || die 2 "$folder has other files; allowed: an empty folder, or one that bare.sh made"
  debootstrap --variant=minbase bookworm "$folder" ${MIRROR:+"$MIRROR"} || die 4 "debootstrap failed"
fi
cp /etc/resolv.conf "$folder/etc/" 2>/dev/null
away() { umount "$folder/proc" "$folder/dev/pts" "$folder/dev" 2>/dev/null; }
trap away EXIT
for part in proc dev dev/pts; do mount --bind /$part "$folder/$part" || die 4 "/$part cannot be mounted below $folder"; done
rm -rf "$folder/fatfly"
git clone -q "$root" "$folder/fatfly" || die 4 "$root cannot be cloned"
# shellcheck disable=SC2016 # the other shell's words
env -i HOME=/ PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 \
  chroot "$folder" bash -c 'cd fatfly && time "$@"' bare "$@"
