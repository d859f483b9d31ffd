#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# planted.sh - what the tests that plant bugs share; sourced by them after checks.sh.
#
# A list of bugs has a line for each, its fields between bars; \| is a bar in a field, and ¶ the end of a line.
# shellcheck disable=SC2034,SC2154  # the tests read flags, link, libs and objects; build is of checks.sh

layers=(switch network topology traffic theory measure engine api) # of the library
# A program with a bug runs once: linked without what debuggers read, and by the linker that takes least.
link=("-Wl,-s")
! command -v ld.gold >/dev/null || link+=(-fuse-ld=gold)
libs=("${link[@]}" -lconfig -lz -ldl -lpthread -lgsl -lgslcblas -lsqlite3 -lm) # of the command

# flags_of TREE [LAYER]...: $flags, for what includes headers of the library of TREE and of more layers.
flags_of() {
  local layer
  flags=(-std=c11 -D_POSIX_C_SOURCE=200809L -ffp-contract=off -Og -w "-I$1/cmodel")
  for layer in "${layers[@]}" "${@:2}"; do flags+=("-I$1/cmodel/$layer"); done
}

# objects_but FILE FOLDER...: $objects, what was compiled in these folders but for FILE, and for what is left of files
# of cmodel that are gone.
objects_but() {
  local object_ source_
  objects=()
  while read -r object_; do
    source_=${object_##*/cmodel/}
    [ "$source_" = "$object_" ] || [ -e "cmodel/${source_%.o}.c" ] || continue
    objects+=("$object_")
  done < <(find "${@:2}" -name '*.o' ! -path "*/${1%.c}.o")
}

# listed LIST: its lines but for comments.
listed() { grep -v '^#' "$1"; }

# fields LINE NAME...: the fields of a line in the variables NAME.
fields() {
  local line_=${1//\\|/$'\1'} name_
  shift
  IFS='|' read -r "$@" <<<"$line_"
  for name_; do
    read -r "${name_?}" <<<"${!name_//$'\1'/|}"
    printf -v "$name_" '%s' "${!name_//¶/$'\n'}"
  done
}

# plant FILE FROM TO [OUT]: FROM, which stands in FILE once, becomes TO, there or in OUT; else one line says why not.
# By awk, which begins in 2 ms where Python takes 50: there are hundreds of bugs.
plant() {
  local text_
  text_=$(FROM=$2 TO=$3 awk -v RS='\001' '{
      from = ENVIRON["FROM"]
      for (rest = $0; at = from == "" ? 0 : index(rest, from); rest = substr(rest, at + length(from)))
        if (!n++)
          out = substr(rest, 1, at - 1) ENVIRON["TO"] substr(rest, at + length(from))
      if (n != 1)
        exit
      print out
      n = -1
    } END { if (n != -1) { print "its text stands", n + 0, "times in", FILENAME; exit 1 } }' "$1" && echo .) || {
    echo "$text_"
    return 1
  }
  printf '%s' "${text_%??}" >"${4:-$1}"
}

# at_once LIST: this test with --one LINE for each line of LIST, as many at once as JOBS.
at_once() { xargs -d '\n' -n 1 -P "${JOBS:-$(nproc)}" "$0" --one <"$1"; }

# tally LOG ALL: ALL lines of LOG must say PASS.
tally() {
  passed=$(grep -c '^PASS ' "$1")
  failed=$(($2 - passed))
}
