#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# bugs_table.py - writes the table of planted bugs in docs/planted-bugs.md from tb/bugs/bugs.txt.
#
# usage: bugs_table.py [--check]   without --check the table between the markers is replaced.
# Exit codes: 0 written or up to date, 1 the page differs, 2 wrong usage, 3 the list or page is wrong.
import pathlib
import sys
from collections.abc import Iterator

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
from lib import lists, markdown
from lib.lists import Wrong

ROOT = pathlib.Path(__file__).resolve().parents[2]
LIST = "tb/bugs/bugs.txt"
PAGE = "docs/planted-bugs.md"
BEGIN = "<!-- bugs: scripts/docs/bugs_table.py -->"
END = "<!-- /bugs -->"

# What each does, for a person: the list has only the text that changes.
WORDS = {
    "busy-follows-valid": "an output channel counts as held after any flit, not from head to tail",
    "one-reset-missing": "a reset does not free channel 0 of child 1",
    "grant-held-too-long": "an output channel stays taken one cycle after the tail",
    "tail-does-not-release": "the tail does not free the output channel",
    "hold-outlives-tail": "the input channel remembers its output after the tail",
    "scan-wraps-wrong": "RR: the start port comes after the lower ports, not first",
    "start-never-odd": "RR: the lowest bit of the start port is lost",
    "rot-wraps-wrong": "ROT: after a grant to port 4 or 5 the pointer goes astray",
    "fcfs-tie-to-higher": "FCFS: of two heads that come in one cycle the higher port counts as older",
    "ff-order-inverted": "FF: the lower height goes first",
    "ff-tie-with-a-parent": "FF: of equal heights a parent always goes before a child",
    "gp-both-parents": "GP: an input may be granted both parents",
    "rg-no-preference": "RG: the random preference is ignored",
    "crosspoint-missing": "the crosspoint from parent 1 to child 2 is missing",
    "order-pair-swapped": "one of the 15 pairs of ports is compared the wrong way round",
    "room-off-by-one": "a queue reports no room while one place is free",
    "room-sees-the-pop": "a full queue reports room when a flit leaves it in that cycle: a wire from `out_room_i` to `in_room_o`",
    "fifo-pointer-short": "the memory of a queue wraps one slot early",
    "fifo-forgets-pop": "a flit that comes while the only one leaves counts as a second one",
    "fifo-fresh-lost": "FCFS: a head that moves up from the memory is not seen as new at the front",
    "parent-bit-swapped": "RP: level 1 takes the other parent",
    "fp-bit-of-next-level": "FP: the path bit of the level below is read",
    "wrong-child-at-level": "level 2 sends worms to the wrong child",
    "up-one-level-too-far": "a worm goes up one level too far",
    "lfsr-tap": "a tap of the shift register is a place off",
    "body-ignores-room": "body and tail flits leave without room at the far end",
    "channel-mix-up": "a flit goes to the queue of another virtual channel",
    "channel-turn-lost": "the turn among virtual channels starts anew when all of them ask",
    "highest-channel-first": "a head takes the highest free channel",
    "height-of-a-body": "FF: the height is read from body flits, too",
    "pair-lead-astray": "V = 2, RP: a child that goes up is taken for another in three of the four orders",
    "pair-link-forgets": "V = 2, RP: an output channel is not held by a worm of its last input",
    "pair-pick-four": "V = 2, RP: parent 1 never gets a child",
    "pair-no-grant": "V = 2, RP: a port goes on without a grant",
    "one-overwrites": "V = 1, RP: a second flit is written over the first",
    "one-draws-once": "V = 1, RP: a head that waits draws its parent once, not in each cycle",
    "one-parent-forgotten": "V = 1, RP: a worm forgets its parent when its head crosses",
    "one-digit-of-the-link": "V = 1, RP: where the flit behind leads is read from what is on the link later",
    "one-asks-without-flit": "V = 1, RP: a worm that waits for its next flit asks as if it were there",
    "one-reads-idle-link": "V = 1, RP: a link that is not valid is read for a head",
    "one-link-blind": "V = 1, RP: an output is not valid when its next neighbour alone sends to it",
    "one-last-tail-unread": "V = 1, RP: a tail of the last input does not free the output",
    "one-ring-half-held": "V = 1, RP: a parent is held by worms of children 2 and 3 alone",
    "one-fork-of-the-link": "V = 1, FP: the path bit of the flit behind is read from what is on the link later",
    "one-parent-outlived": "V = 1, GP: a worm wants its parent after its tail has left",
    "one-climbs-from-idle": "V = 1, RG: what is on an idle link, or a body, counts as a head that goes up",
    "one-comes-uncalled": "V = 1: a head on an idle link, which is noise, counts as one that came",
    "pair-comes-uncalled": "V = 2: the same",
    "one-height-of-behind": "V = 1, FF: a head that waits is taken for as high as the flit behind it",
    "one-leaver-still-old": "V = 1, FCFS: a head is as old as the one that left before it",
    "one-lead-by-the-first": "V = 1, FCFS: of two neighbours at a parent the first's rivals decide for both",
    "parents-third-crosses": "V = 1, RG: a head with two before it crosses, too",
    "parents-both-to-one": "V = 1, RG: the second head takes the parent that the first one took",
    "parents-two-unseen": "V = 1, GP: children 2 and 3 alone cross to two parents, and one output is not valid",
    "parents-cross-down": "the links to parents 0 and 1 change places on the way down",
    "seed-of-neighbour": "a switch gets the seed of its neighbour",
    "ref-hold-outlives-tail": "reference: the input channel remembers its output after the tail",
    "ref-body-ignores-room": "reference: a body flit leaves without room at the far end",
    "ref-head-takes-held": "reference: a head in channel 0 takes an output channel that another worm holds",
    "ref-chan-forgotten": "reference: the channel of a worm is forgotten after its second flit",
    "ref-turn-stays": "reference: the turn never goes back to channel 0",
    "ref-height-of-a-body": "reference, FF: a body flit's bits are taken for its worm's height",
    "ref-fresh-of-a-body": "reference, FCFS: a body flit counts as a head that came to the front",
    "ref-start-never-odd": "reference, RR: the lowest bit of the start port is lost",
    "ref-scan-wraps-wrong": "reference, RR: the start port comes after the lower ports",
    "ref-ff-order-inverted": "reference, FF: the lower height goes first",
    "ref-rot-wraps-wrong": "reference, ROT: after a grant to port 4 the pointer goes astray",
    "ref-fcfs-first-port": "reference, FCFS: port 0 is always taken for the oldest",
    "ref-fifo-room-early": "reference: a queue reports no room one flit too early",
    "ref-fifo-overtakes": "reference: a flit that comes overtakes the one that waits",
    "ref-fifo-fresh-unreset": "reference: that a flit came to the front survives a reset",
    "ref-fifo-pointer-short": "reference: the memory of a queue wraps one slot early",
    "ref-tail-keeps-channel": "reference: the tail does not free the output channel",
    "ref-highest-channel": "reference: a head takes the highest free channel, not the lowest",
    "ref-random-bit-shared": "reference, RP: children 2 and 3 draw one random bit, 0 and 1 another",
    "ref-room-not-joined": "reference: a head goes to child 0 without room there",
    "ref-draws-again": "reference, RW: a head that waits draws its parent anew",
    "ref-other-not-tried": "reference, RW: a new head looks at one parent alone",
    "c-draws-of-a-body": "RW: a body flit draws, too",
    "c-waits-for-the-other": "RW: a head waits for the parent that it did not draw",
    "c-fifo-pointer": "the write pointer of a queue wraps one slot early",
    "c-tail-keeps-hold": "the input channel remembers its output after the tail",
    "c-rot-wraps-early": "ROT: the pointer wraps after port 4",
    "c-ff-order-inverted": "FF: the lower height goes first",
    "c-route-too-high": "a worm goes up one level too far",
    "c-lfsr-tap": "a tap of the shift register is a place off",
    "c-wrong-child-port": "a switch is wired to the neighbouring child port of its parents",
    "c-busy-stays": "an output channel is never free again",
    "c-idle-looks-busy": "an idle switch is evaluated in every cycle: slower, and the same flits",
    "c-waits-for-ever": "a port that had a flit once counts as waiting: slower, and the same flits",
    "c-asks-needlessly": "a switch alone asks the arbiter where nothing is to decide, with the same grants",
    "c-asks-in-a-network": "the same in a network",
    "alone-wrong-child": "level 1 sends worms to the wrong child",
    "alone-never-releases": "the tail does not free the output channel",
    "alone-payload-bit": "bit 20 of the payload turns over in one of the two registers of a queue",
    "alone-worms-mix": "a head takes an output channel that another worm holds",
    "alone-c-doubles-flits": "a flit that leaves as the next one comes stays counted",
    "cube-dateline-lost": "e-cube on a torus: the link between k - 1 and 0 is forgotten",
    "cube-halves-swapped": "e-cube on a torus: the two halves of the channels change places",
    "cube-hop-not-counted": "negative-hop: the channel's number is not incremented",
    "cube-hop-of-odd": "negative-hop: hops from even to odd nodes count",
    "cube-tie-goes-down": "halfway round a ring a head goes down",
    "cube-y-with-x": "e-cube: a head may take y before x is done",
    "cube-odd-radix-ring": "a ring of three is taken for one of four",
    "cube-x-y-swapped": "negative-hop: the random bit means the other dimension",
    "cube-room-ignored": "body and tail flits leave without room at the far end",
    "cube-hold-stays": "the input channel remembers its output after the tail",
    "cube-turn-stays": "the turn among virtual channels never moves",
    "cube-highest-channel": "a head does not take the lowest free channel",
    "cube-processor-hops": "negative-hop: who comes from the processor counts as come by a link",
    "cube-tail-keeps": "the tail does not free the output channel",
    "cube-same-random-bit": "all ports draw one random bit",
    "cube-links-crossed": "a link enters its neighbour by the opposite port",
    "cube-line-too-short": "the link down from 0 leads to k - 2",
    "cube-ninth-class-lost": "negative-hop: class 8 has no channel, as if a mask were a bit too short",
    "c-cube-dateline-lost": "e-cube on a torus: the link between k - 1 and 0 is forgotten",
    "c-cube-hop-lost": "negative-hop: the channel's number is not incremented",
    "c-cube-tail-keeps": "the tail does not free the output channel",
    "c-cube-wired-wrong": "a link enters its neighbour by the opposite port",
    "c-cube-ninth-lost": "no head takes channel 8",
    "c-cube-room-a-byte": "the seam shows room in a byte, without channel 8",
    "alone-cube-ring": "e-cube on a torus: one half of the channels for all, so a ring closes",
    "alone-cube-gets-off": "a head leaves the network at a neighbour of its destination",
    "alone-cube-mix": "a head takes an output channel that another worm holds",
    "alone-c-cube-ring": "e-cube on a torus: one half of the channels for all, so a ring closes",
}
ENDS = ("mismatch", "scoreboard", "check", "deadlock")


def bugs() -> Iterator[tuple[str, str, str, str, str]]:
    """Name, side, file, case and end of each line."""
    for place, (name, side, file, _, _, case, ends) in lists.rows(ROOT, LIST, 7):
        if name not in WORDS:
            raise Wrong(f"{place}: no words for {name}; add them to scripts/docs/bugs_table.py")
        if ends not in ENDS:
            raise Wrong(f"{place}: {ends}; allowed: {', '.join(ENDS)}")
        yield name, side, file, case, ends


def table() -> str:
    rows = list(bugs())
    left = set(WORDS) - {row[0] for row in rows}
    if left:
        raise Wrong(f"{LIST}: no bug is called {', '.join(sorted(left))}; remove its words")
    head = ["bug", "side", "file", "what it does", "case that catches it", "as"]
    lines = [(f"`{n}`", s, f"[{f}](../{f})", WORDS[n], f"`{c}`", e) for n, s, f, c, e in rows]
    return markdown.table(head, lines) + f"\n{len(rows)} bugs."


def main(args: list[str]) -> int:
    if args not in ([], ["--check"]):
        print("usage: bugs_table.py [--check]", file=sys.stderr)
        return 2
    try:
        page = (ROOT / PAGE).read_text()
        new = markdown.replaced(page, BEGIN, END, table())
        if new is None:
            raise Wrong(f"{PAGE}: {BEGIN} and {END} must stand there once, in this order")
    except (Wrong, OSError) as e:
        print(f"bugs_table.py: {e}", file=sys.stderr)
        return 3
    if new == page:
        return 0
    if args:
        print(f"bugs_table.py: {PAGE} is not up to date; run scripts/docs/bugs_table.py", file=sys.stderr)
        return 1
    (ROOT / PAGE).write_text(new)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
