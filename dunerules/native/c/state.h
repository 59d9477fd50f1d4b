/* The state of a game as one block without pointers, and what it takes to read it safely.
 *
 * The text that is printed for a table goes before this file: it says how many cells, zones and objects there are, and
 * the limits of a game.
 * Every index that depends on the state goes through a function here that tests it. What does not fit, or goes beyond a
 * limit, fails: the call ends, and Python plays that game, with its own errors. */
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef int8_t i8;
typedef int16_t i16;
typedef int32_t i32;
typedef int64_t i64;
typedef uint8_t u8;
typedef uint32_t u32;
typedef uint64_t u64;

enum { FAIL_BOUNDS = 1, FAIL_KIND, FAIL_ROOM, FAIL_LIMIT, FAIL_LOAD, FAIL_ANSWER };
enum { NUMBER, TRUTH, NONE, TEXT, GROUP, ROWS }; /* what a slot holds */
enum { AS_NUMBERS, AS_TEXTS, AS_ROWS };          /* what options are */
enum { ROW_MOVE, ROW_PASS, ROW_DONE, ROW_BODY, ROW_EACH, ROW_THING, ROW_REACTION, ROW_AT, ROW_CHOICE };

#define HEAP 32768
#define HEAP_FULL 16384
#define HEAP_TIDY 64 /* at a decision no more than this is copied for nothing */
#define STACK 32768
#define USES 512
#define SCRATCH (12u << 20)
#define LOG_MOST (1 << 26)

/* Numbers in order: members of the state, of a table, or of what was worked out just now. */
typedef struct { const i32 *at; i32 n; } Group;

/* Anything an expression may be, where only play can tell. */
typedef struct { i32 tag, n; i64 x; const i32 *at; } Any;

/* What a slot keeps: the tag, with the length of a group above it, and the number, or where the group lies in the heap. */
typedef struct { i32 tag, x; } Slot;

typedef struct {
  i32 program, pc, you, owner, self, here;
  i32 label, mark, a, b; /* what it is called; a replacement with which one it is */
  i32 born;              /* no part of the state: tells one frame from the next */
  i32 below, count;
  Slot slot[];
} Frame;
#define FRAME_WORDS ((i32)(offsetof(Frame, slot) / sizeof(i32)))

typedef struct { i32 number, serial, you, owner, self, here, count, slots; } Last;
typedef struct { i32 number, seat, self, count; } Used;
typedef struct { i32 seat, kind, low, high, prompt, source, acting, form, count, settled; } Decision;
typedef struct { i32 words, frames, top, pending; Decision asked; i32 stack[STACK / 4]; i32 options[STRAND_OPTIONS]; } Strand;

typedef struct {
  u64 seed;
  i64 chance;
  i32 serial, born;
  i32 has_result, results, result[SEATS];
  i32 pending, answered, answers;
  Decision asked;
  i32 frames, words, top; /* of the stack: how many, how far, where the uppermost begins */
  i32 floor, floor_words, floor_top, strand, strands;
  i32 lastings, heaped, uses, knowing;
  i32 cells[CELLS + 1];
  i16 head[ZONES + 1], tail[ZONES + 1], size[ZONES + 1];
  i16 next[OBJECTS + 1], prev[OBJECTS + 1], where[OBJECTS + 1];
  i8 holder[OBJECTS + 1];
  SeatMask known[OBJECTS + 1];
  /* of what follows only the used part is copied */
  i32 heap[HEAP];
  Last lasting[LASTING];
  Used used[USES];
  /* trials have none of the rest */
  i32 stack[STACK];
  i32 options[OPTIONS * ROW];
  i32 answer[OPTIONS];
  Strand strandstore[STRANDS];
} S;

/* What a call needs besides: where to go if it fails, room for what is worked out, and what is counted. */
typedef struct {
  jmp_buf out;
  int why;
  S *s;
  i32 fuel, depth, tries;
  i64 looks;
  i32 *room, *end;
  i32 *scratch;
  i32 logs, recording;  /* whether entries of the log are kept just now, and whether calls are to keep them; 2: forced answers too */
  i32 *log;
  i64 logged, log_room;
  const Frame *carrier;
  i32 carried_at;
} X;

static _Noreturn void fail(X *x, int why) {
  x->why = why;
  longjmp(x->out, 1);
}

static inline i32 *room(X *x, i64 words) {
  i32 *found = x->room;
  if (words < 0 || words > x->end - found) fail(x, FAIL_ROOM);
  x->room += words;
  return found;
}

static inline void look(X *x, i64 count) {
  x->looks += count;
  if (x->looks > LOOKS) fail(x, FAIL_LIMIT);
}

static inline void nest(X *x) {
  look(x, 1);
  if (x->depth >= NESTED) fail(x, FAIL_LIMIT);
  x->depth++;
}

static inline i64 bounded(X *x, i64 found) {
  if (found < -LARGEST || found > LARGEST) fail(x, FAIL_LIMIT);
  return found;
}

static inline i64 least(i64 a, i64 b) { return a < b ? a : b; }
static inline i64 most(i64 a, i64 b) { return a > b ? a : b; }
static inline i64 apart(i64 a, i64 b) { return a < b ? b - a : a - b; }

/* Division that rounds down; by 0 it is 0. */
static inline i64 divided(i64 a, i64 b) {
  if (b == 0) return 0;
  i64 found = a / b;
  return (a % b != 0 && (a < 0) != (b < 0)) ? found - 1 : found;
}

/* ---- indexes: -1 is the last one, as in Python */

static inline i32 index_of(X *x, i64 i, i64 count) {
  if (i < 0) i += count;
  if (i < 0 || i >= count) fail(x, FAIL_BOUNDS);
  return (i32)i;
}

static inline i32 *cell(X *x, i64 i) { return &x->s->cells[index_of(x, i, CELLS)]; }
static inline i32 zone(X *x, i64 i) { return index_of(x, i, ZONES); }
static inline i32 thing(X *x, i64 i) { return index_of(x, i, OBJECTS); }
static inline i64 where(X *x, i64 i) { return x->s->where[thing(x, i)]; }
static inline i64 holder(X *x, i64 i) { return x->s->holder[thing(x, i)]; }
static inline i64 column(X *x, const i32 *table, i32 count, i64 i) { return table[index_of(x, i, count)]; }

/* A table of groups: where each begins and how many it has, -1 for none; and all members. */
static inline Group row_of(X *x, const i32 *rows, const i32 *members, i32 count, i64 i) {
  i32 at = 2 * index_of(x, i, count);
  if (rows[at + 1] < 0) fail(x, FAIL_KIND);
  return (Group){members + rows[at], rows[at + 1]};
}

static inline int bit(X *x, i64 number, i64 at) {
  if (at < 0 || at > 31) fail(x, FAIL_BOUNDS);
  return (int)(number >> at & 1);
}

static inline i64 with_bit(X *x, i64 number, i64 at) {
  if (at < 0 || at > 30) fail(x, FAIL_BOUNDS);
  return number | (i64)1 << at;
}

static inline SeatMask seat_bit(X *x, i64 seat) {
  if (seat < 0 || seat >= SEATS) fail(x, FAIL_BOUNDS);
  return (SeatMask)(1u << seat);
}

/* ---- groups */

static inline i32 member(X *x, i64 found) {
  if (found < INT32_MIN || found > INT32_MAX) fail(x, FAIL_ROOM);
  return (i32)found;
}

static inline Group one(X *x, i64 found) {
  i32 *at = room(x, 1);
  at[0] = member(x, found);
  return (Group){at, 1};
}

static inline int contains(Group g, i64 found) {
  for (i32 k = 0; k < g.n; k++)
    if (g.at[k] == found) return 1;
  return 0;
}

static int same_group(Group a, Group b) {
  return a.n == b.n && (a.n == 0 || memcmp(a.at, b.at, (size_t)a.n * sizeof(i32)) == 0);
}

static inline i64 head(X *x, Group g) {
  if (g.n < 1) fail(x, FAIL_BOUNDS);
  return g.at[0];
}

static inline Group tail_of(Group g) { return g.n < 1 ? g : (Group){g.at + 1, g.n - 1}; }

static inline Group leading(X *x, Group g, i64 count) {
  if (count < 0) count = most(0, g.n + count);
  return count < g.n ? (Group){g.at, (i32)count} : g;
}

static Group reversed(X *x, Group g) {
  i32 *at = room(x, g.n);
  for (i32 k = 0; k < g.n; k++) at[k] = g.at[g.n - 1 - k];
  return (Group){at, g.n};
}

static Group joined(X *x, Group a, Group b) {
  i32 *at = room(x, (i64)a.n + b.n);
  if (a.n) memcpy(at, a.at, (size_t)a.n * sizeof(i32));
  if (b.n) memcpy(at + a.n, b.at, (size_t)b.n * sizeof(i32));
  return (Group){at, a.n + b.n};
}

static int by_number(const void *a, const void *b) {
  i32 left = *(const i32 *)a, right = *(const i32 *)b;
  return (left > right) - (left < right);
}

static Group sorted(X *x, Group g) {
  i32 *at = room(x, g.n);
  if (g.n) memcpy(at, g.at, (size_t)g.n * sizeof(i32));
  qsort(at, (size_t)g.n, sizeof(i32), by_number);
  return (Group){at, g.n};
}

static Group pile(X *x, i64 number) {
  S *s = x->s;
  i32 z = zone(x, number), n = 0, *at = room(x, s->size[z]);
  for (i32 o = s->head[z]; o >= 0; o = s->next[o]) at[n++] = o;
  return (Group){at, n};
}

/* The first objects of a pile, or the last ones beginning with the last. */
static Group end_of_pile(X *x, i64 number, i64 count, int bottom) {
  S *s = x->s;
  i32 z = zone(x, number), n = 0, *at;
  if (count < 0) count = most(0, s->size[z] + count);
  count = least(count, s->size[z]);
  at = room(x, count);
  for (i32 o = bottom ? s->tail[z] : s->head[z]; n < count; o = bottom ? s->prev[o] : s->next[o]) at[n++] = o;
  return (Group){at, n};
}

static Group lying(X *x, Group g) {
  i32 *at = room(x, g.n);
  for (i32 k = 0; k < g.n; k++) at[k] = (i32)where(x, g.at[k]);
  return (Group){at, g.n};
}

static Group lying_once(X *x, Group g) {
  Group all = sorted(x, lying(x, g));
  i32 *at = (i32 *)all.at, n = 0;
  for (i32 k = 0; k < all.n; k++)
    if (k == 0 || at[k] != at[n - 1]) at[n++] = at[k];
  return (Group){at, n};
}

/* ---- anything */

static inline Any any_number(i64 found) { return (Any){NUMBER, 0, found, 0}; }
static inline Any any_truth(int found) { return (Any){TRUTH, 0, found, 0}; }
static inline Any any_text(i64 found) { return (Any){found < 0 ? NONE : TEXT, 0, found, 0}; }
static inline Any any_group(Group g) { return (Any){GROUP, g.n, 0, g.at}; }

static inline i64 number_of(X *x, Any a) {
  if (a.tag > TRUTH) fail(x, FAIL_KIND);
  return a.x;
}

static inline i64 text_of(X *x, Any a) {
  if (a.tag != TEXT && a.tag != NONE) fail(x, FAIL_KIND);
  return a.tag == NONE ? -1 : a.x;
}

static inline int truth_of(X *x, Any a) {
  if (a.tag > GROUP || a.tag == TEXT) fail(x, FAIL_KIND);
  return a.tag == GROUP ? a.n > 0 : a.tag == NONE ? 0 : a.x != 0;
}

static inline Group group_of(X *x, Any a) {
  if (a.tag == GROUP) return (Group){a.at, a.n};
  if (a.tag == NUMBER && a.x == 0) return (Group){0, 0}; /* a slot that nothing was put into */
  fail(x, FAIL_KIND);
}

static inline Group as_group(X *x, Any a) {
  if (a.tag == GROUP) return (Group){a.at, a.n};
  if (a.tag == NONE || (a.tag <= TRUTH && a.x < 0)) return (Group){0, 0};
  return one(x, number_of(x, a));
}

static int same(Any a, Any b) {
  if (a.tag <= TRUTH && b.tag <= TRUTH) return a.x == b.x;
  if (a.tag != b.tag) return 0;
  if (a.tag == GROUP) return same_group((Group){a.at, a.n}, (Group){b.at, b.n});
  return a.tag == NONE || a.x == b.x;
}

/* ---- slots: a group lies in the heap of the state, is never changed there, and is given up when no slot has it */

static inline Slot *slot(X *x, Frame *f, i32 number) {
  if ((u32)number >= (u32)f->count) fail(x, FAIL_BOUNDS);
  return &f->slot[number];
}

static inline i32 tag_of(Slot found) { return found.tag & 255; }
static inline i32 length_of(Slot found) { return found.tag >> 8; }

static i32 keep(X *x, const i32 *at, i32 n) {
  S *s = x->s;
  if (at >= s->heap && at < s->heap + HEAP) return (i32)(at - s->heap);
  if (n > HEAP - s->heaped) fail(x, FAIL_ROOM);
  if (n) memcpy(s->heap + s->heaped, at, (size_t)n * sizeof(i32));
  s->heaped += n;
  return s->heaped - n;
}

static inline Slot number_slot(X *x, i64 found) { return (Slot){NUMBER, member(x, found)}; }
static inline Slot truth_slot(int found) { return (Slot){TRUTH, found != 0}; }
static inline Slot group_slot(X *x, Group g) { return (Slot){GROUP | g.n << 8, g.n ? keep(x, g.at, g.n) : 0}; }

static Slot any_slot(X *x, Any a) {
  if (a.tag == GROUP) return group_slot(x, (Group){a.at, a.n});
  if (a.tag > GROUP) fail(x, FAIL_KIND);
  return (Slot){a.tag, a.tag == NONE ? 0 : member(x, a.x)};
}

static Any slot_any(X *x, Slot found) {
  i32 tag = tag_of(found);
  if (tag == GROUP) return any_group((Group){x->s->heap + found.x, length_of(found)});
  if (tag > GROUP) fail(x, FAIL_KIND);
  return (Any){tag, 0, tag == NONE ? -1 : found.x, 0};
}

static inline i64 slot_number(X *x, Slot found) {
  if (found.tag > TRUTH) fail(x, FAIL_KIND);
  return found.x;
}

static inline Group slot_group(X *x, Slot found) {
  if (tag_of(found) == GROUP) return (Group){x->s->heap + found.x, length_of(found)};
  return group_of(x, slot_any(x, found));
}

/* ---- frames */

static inline Frame *frame_at(S *s, i32 at) { return (Frame *)(void *)(s->stack + at); }
static inline Frame *top_frame(S *s) { return frame_at(s, s->top); }
static inline i32 frame_words(const Frame *f) { return FRAME_WORDS + 2 * f->count; }

/* A frame that is only asked in: of what has an ability, or of a trial. */
static Frame *loose(X *x, i64 you, i64 owner, i64 self, i64 here, i32 count) {
  Frame *f = (Frame *)(void *)room(x, FRAME_WORDS + 2 * (i64)count);
  *f = (Frame){.program = -1, .you = (i32)you, .owner = (i32)owner, .self = (i32)self, .here = (i32)here, .count = count};
  for (i32 k = 0; k < count; k++) f->slot[k] = (Slot){NUMBER, 0};
  return f;
}

/* One more program is begun, or one more turn of a loop. */
static inline void spend(X *x) {
  if (++x->fuel > FUEL) fail(x, FAIL_LIMIT);
}

/* A frame on top of the others. It has as many slots as its program says, or as it is given. */
static Frame *push_frame(X *x, i64 program, i64 you, i64 self, i64 here, i32 given) {
  S *s = x->s;
  if (program < 0 || program >= PROGRAMS) fail(x, FAIL_BOUNDS);
  i32 count = SLOTS[program] > given ? SLOTS[program] : given, words = FRAME_WORDS + 2 * count;
  if (words > STACK - s->words) fail(x, FAIL_ROOM);
  Frame *f = frame_at(s, s->words);
  *f = (Frame){.program = (i32)program, .you = (i32)you, .owner = (i32)you, .self = (i32)self, .here = (i32)here,
               .label = LABELS[program], .born = s->born++, .below = s->top, .count = count};
  for (i32 k = 0; k < count; k++) f->slot[k] = (Slot){NUMBER, 0};
  s->top = s->words;
  s->words += words;
  s->frames++;
  return f;
}

/* Run a program next. */
static Frame *push(X *x, i64 program, i64 you, i64 self, i64 here, i32 given) {
  spend(x);
  if (x->s->frames >= DEEPEST) fail(x, FAIL_LIMIT);
  return push_frame(x, program, you, self, here, given);
}

static inline void pop(S *s) {
  Frame *f = top_frame(s);
  s->words = s->top;
  s->top = f->below;
  s->frames--;
}

static inline void clear_frames(S *s) {
  s->frames = s->words = 0;
  s->top = -1;
}

/* From here on the game goes one way again. */
static inline void join(S *s) { s->floor = s->strands = s->strand = 0; }

/* ---- the heap is swept between two steps, when nothing but the state refers to it */

static void sweep_slot(X *x, Slot *found, i32 *fresh, i32 *used);

static void sweep_rows(X *x, i32 *row, i32 words, i32 *fresh, i32 *used) {
  for (i32 *end = row + words; row < end; row += 6 + 2 * row[5])
    for (i32 k = 0; k < row[5]; k++) sweep_slot(x, (Slot *)(void *)(row + 6 + 2 * k), fresh, used);
}

static void sweep_slot(X *x, Slot *found, i32 *fresh, i32 *used) {
  i32 tag = tag_of(*found), n = length_of(*found);
  if (tag < GROUP || n == 0) return;
  if (n > HEAP - *used) fail(x, FAIL_ROOM);
  i32 at = *used;
  memcpy(fresh + at, x->s->heap + found->x, (size_t)n * sizeof(i32));
  *used += n;
  found->x = at;
  if (tag == ROWS) sweep_rows(x, fresh + at, n, fresh, used);
}

static void sweep_frames(X *x, i32 *stack, i32 words, i32 *fresh, i32 *used) {
  for (i32 at = 0; at < words;) {
    Frame *f = (Frame *)(void *)(stack + at);
    for (i32 k = 0; k < f->count; k++) sweep_slot(x, &f->slot[k], fresh, used);
    at += frame_words(f);
  }
}

static void sweep(X *x) {
  S *s = x->s;
  i32 *before = x->room, *fresh = room(x, HEAP), used = 0;
  sweep_frames(x, s->stack, s->words, fresh, &used);
  for (i32 k = 0; k < s->strands && k < STRANDS; k++)
    if (k != s->strand) sweep_frames(x, s->strandstore[k].stack, s->strandstore[k].words, fresh, &used);
  for (i32 k = 0; k < s->lastings; k++) {
    Last *each = &s->lasting[k];
    i32 words = 2 * each->count, at = used;
    if (words > HEAP - used) fail(x, FAIL_ROOM);
    if (words) memcpy(fresh + at, s->heap + each->slots, (size_t)words * sizeof(i32));
    used += words;
    each->slots = at;
    for (i32 j = 0; j < each->count; j++) sweep_slot(x, (Slot *)(void *)(fresh + at + 2 * j), fresh, &used);
  }
  if (used) memcpy(s->heap, fresh, (size_t)used * sizeof(i32));
  s->heaped = used;
  x->room = before;
}

/* A program stands at a place: what was worked out before is forgotten. */
static inline void at_place(X *x, i32 *before) {
  x->room = before;
  if (__builtin_expect(x->s->heaped > HEAP_FULL, 0)) sweep(x);
}
