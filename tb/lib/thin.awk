# SPDX-License-Identifier: Apache-2.0
# thin.awk - what Icarus has compiled, less what costs time and changes nothing: awk -f thin.awk FILE.vvp FILE.vvp
#
# A bus that is driven piece by piece is a `concat8', which carries the strength of each driver, and is brought down to four values
# again by each reader; no wire here has two drivers, so a `concat' does.  Names of wires go that no other line reads: they are
# there for waves and debuggers.  With both, vvp takes a third less time for tb_fast and half for tb_selftest; test_fast.sh compares
# what is said.
NR == FNR {
  for (rest = $0; match(rest, /v0x[0-9a-f]+_[0-9]+/); rest = substr(rest, RSTART + RLENGTH)) uses[substr(rest, RSTART, RLENGTH)]++
  next
}
$2 == ".net" && $3 ~ /^"/ && uses[$1] == 1 { next } # not a word of an array
{ sub(/ \.concat8 /, " .concat ") }
1
