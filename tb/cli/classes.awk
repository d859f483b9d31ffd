# SPDX-License-Identifier: Apache-2.0
# classes.awk - a log of fatfly run --events: requests of 2 flits take channels 0 and 1, all others 2 and 3; for each
# request that arrived its destination sends one reply back, -v delay=C cycles and one later.
BEGIN { FS = "," }
/^#/ { next }
$1 == "event" { for (k = 1; k <= NF; k++) at[$k] = k; next }
$1 == "ready" {
  flits[$at["worm"]] = $at["flits"]; from[$at["worm"]] = $at["src"]; to[$at["worm"]] = $at["dst"]
  if ($at["flits"] != 2)
    sent[$at["cycle"] " " $at["src"] " " $at["dst"]]++
}
$1 == "move" && ($at["channel"] < 2) != (flits[$at["worm"]] == 2) { print "row " NR ": a channel of the others: " $0; bad = 1; exit }
$1 == "arrived" && flits[$at["worm"]] == 2 {
  asked[$at["cycle"] + 1 + delay " " to[$at["worm"]] " " from[$at["worm"]]]++
  requests++
}
END {
  if (bad)
    exit 1
  for (k in asked)
    if (asked[k] != sent[k]) { print "asked " asked[k] ", sent " sent[k] + 0 " replies: " k; exit 1 }
  for (k in sent)
    if (sent[k] != asked[k]) { print "sent " sent[k] " replies without a request: " k; exit 1 }
  if (!requests) { print "no request"; exit 1 }
  print requests " requests"
}
