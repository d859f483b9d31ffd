/* SPDX-License-Identifier: Apache-2.0
 * perfetto.c - encodes packets of a Perfetto trace in the wire format of protobuf.
 *
 * A field is its number and kind, then a varint, or a length and so many bytes.  A message inside
 * another one is such bytes, so the inner one is encoded first.
 */
#include "perfetto.h"

#include <stdbool.h>
#include <string.h>

/* Numbers of fields: tb/perfetto/perfetto.proto. */
enum { TRACE_PACKET = 1 };
enum { PACKET_TIMESTAMP = 8, PACKET_SEQUENCE = 10, PACKET_EVENT = 11, PACKET_FLAGS = 13, PACKET_TRACK = 60 };
enum { TRACK_ID = 1, TRACK_NAME = 2, TRACK_PARENT = 5, TRACK_ORDER = 11, TRACK_RANK = 12 };
enum { EVENT_NOTE = 4, EVENT_TYPE = 9, EVENT_TRACK = 11, EVENT_NAME = 23 };
enum { NOTE_VALUE = 3, NOTE_TEXT = 6, NOTE_NAME = 10 };
enum { TYPE_BEGIN = 1, TYPE_END = 2 };
enum { SEQUENCE = 1, STATE_CLEARED = 1 };

enum { WIRE_VARINT = 0, WIRE_BYTES = 2 };
enum { MAX_VARINT = 10, MAX_NOTES = 8, MAX_NOTE = 2 * PERFETTO_MAX_NAME + 3 * MAX_VARINT };
enum { MAX_MESSAGE = MAX_NOTES * (MAX_NOTE + MAX_VARINT) + PERFETTO_MAX_NAME + 8 * MAX_VARINT };

/* A message as far as it is encoded; the sizes above leave room for the largest. */
struct message {
    size_t size;
    uint8_t at[MAX_MESSAGE];
};

static void put_varint(struct message *m, uint64_t value)
{
    do {
        m->at[m->size++] = (uint8_t)(value & 127) | (value > 127 ? 128 : 0);
        value >>= 7;
    } while (value);
}

static void put_number(struct message *m, unsigned field, uint64_t value)
{
    put_varint(m, field << 3 | WIRE_VARINT);
    put_varint(m, value);
}

static void put_bytes(struct message *m, unsigned field, const void *from, size_t size)
{
    put_varint(m, field << 3 | WIRE_BYTES);
    put_varint(m, size);
    memcpy(m->at + m->size, from, size);
    m->size += size;
}

static void put_text(struct message *m, unsigned field, const char *text)
{
    size_t size = strlen(text);
    put_bytes(m, field, text, size < PERFETTO_MAX_NAME ? size : PERFETTO_MAX_NAME);
}

static void put_message(struct message *m, unsigned field, const struct message *inner)
{
    put_bytes(m, field, inner->at, inner->size);
}

static void put_notes(struct message *event, const struct perfetto_note *notes, unsigned count)
{
    for (unsigned k = 0; k < count && k < MAX_NOTES; k++) {
        struct message note;
        note.size = 0;
        put_text(&note, NOTE_NAME, notes[k].name);
        if (notes[k].text)
            put_text(&note, NOTE_TEXT, notes[k].text);
        else
            put_number(&note, NOTE_VALUE, notes[k].value);
        put_message(event, EVENT_NOTE, &note);
    }
}

/* A packet of a track or an event; packets of one sequence are read in their order. */
static void write_packet(struct perfetto *p, bool timed, uint64_t time, unsigned field,
                         const struct message *inner)
{
    static const uint8_t head = TRACE_PACKET << 3 | WIRE_BYTES;
    struct message packet, length;

    packet.size = length.size = 0;
    if (timed)
        put_number(&packet, PACKET_TIMESTAMP, time);
    put_number(&packet, PACKET_SEQUENCE, SEQUENCE);
    if (p->packets == 0)
        put_number(&packet, PACKET_FLAGS, STATE_CLEARED);
    put_varint(&length, field << 3 | WIRE_BYTES);
    put_varint(&length, inner->size);
    size_t own = packet.size + length.size;
    struct message whole;
    whole.size = 0;
    put_varint(&whole, own + inner->size);
    putc(head, p->out);
    fwrite(whole.at, 1, whole.size, p->out);
    fwrite(packet.at, 1, packet.size, p->out);
    fwrite(length.at, 1, length.size, p->out);
    fwrite(inner->at, 1, inner->size, p->out);
    p->packets++;
}

void perfetto_track(struct perfetto *p, const struct perfetto_track *track)
{
    struct message m;

    m.size = 0;
    put_number(&m, TRACK_ID, track->id);
    if (track->parent)
        put_number(&m, TRACK_PARENT, track->parent);
    put_text(&m, TRACK_NAME, track->name);
    if (track->order)
        put_number(&m, TRACK_ORDER, track->order);
    put_number(&m, TRACK_RANK, track->rank);
    write_packet(p, false, 0, PACKET_TRACK, &m);
}

void perfetto_begin(struct perfetto *p, uint64_t time, uint64_t track, const char *name,
                    const struct perfetto_note *notes, unsigned count)
{
    struct message m;

    m.size = 0;
    put_notes(&m, notes, count);
    put_number(&m, EVENT_TYPE, TYPE_BEGIN);
    put_number(&m, EVENT_TRACK, track);
    put_text(&m, EVENT_NAME, name);
    write_packet(p, true, time, PACKET_EVENT, &m);
}

void perfetto_end(struct perfetto *p, uint64_t time, uint64_t track, const struct perfetto_note *notes,
                  unsigned count)
{
    struct message m;

    m.size = 0;
    put_notes(&m, notes, count);
    put_number(&m, EVENT_TYPE, TYPE_END);
    put_number(&m, EVENT_TRACK, track);
    write_packet(p, true, time, PACKET_EVENT, &m);
}
