/* Other worlds: a state that one seat cannot tell from the real one, as `runtime/redeal.py` deals it. What mixes with what is
 * printed: the groups of zones by seat, the backs of objects, the hidden counters. */

/* A state of its own, as long as the call lasts. */
static S *spare(X *x) {
  x->room += (size_t)(x->room - x->scratch) & 1;
  return (S *)(void *)room(x, (i64)(sizeof(S) / sizeof(i32)));
}

/* ---- objects that what is going on mentions stay where they are */

static inline void mention(i8 *fixed, i64 number) {
  if (number >= 0 && number < OBJECTS) fixed[number] = 1;
}

static void mention_slot(const S *s, Slot found, i8 *fixed) {
  i32 tag = tag_of(found), n = length_of(found);
  if (tag <= TRUTH) mention(fixed, found.x);
  if (tag < GROUP) return;
  const i32 *at = s->heap + found.x, *end = at + n;
  if (tag == GROUP)
    for (; at < end; at++) mention(fixed, *at);
  else
    for (; at < end; at += 6 + 2 * at[5]) {
      for (i32 k = 0; k < 4; k++) mention(fixed, at[k]);
      for (i32 k = 0; k < at[5]; k++) mention_slot(s, ((const Slot *)(const void *)(at + 6))[k], fixed);
    }
}

static void mention_frames(const S *s, const i32 *stack, i32 words, i8 *fixed) {
  for (i32 at = 0; at < words;) {
    const Frame *f = (const Frame *)(const void *)(stack + at);
    mention(fixed, f->self);
    for (i32 k = 0; k < f->count; k++) mention_slot(s, f->slot[k], fixed);
    at += frame_words(f);
  }
}

static void mention_row(X *x, const i32 *row, i8 *fixed) {
  i32 first = 1, end = 1;
  switch (row[0]) {
    case ROW_MOVE: first = 2, end = 2 + (i32)column(x, MOVE_PICKS, MOVES, row[1] < 0 ? MOVES : row[1]); break;
    case ROW_AT: end = 3; break;
    case ROW_REACTION: mention(fixed, row[3]); /* fall through */
    case ROW_BODY: case ROW_EACH: case ROW_THING: case ROW_CHOICE: end = 2; break;
    default: break;
  }
  for (i32 k = first; k < end; k++) mention(fixed, row[k]);
}

static void mention_asked(X *x, const Decision *d, const i32 *options, i32 seat, i8 *fixed) {
  mention(fixed, d->source);
  if (d->seat != seat || d->kind == TEXT_blind) return; /* positions are no objects */
  for (i32 k = 0; k < d->count; k++)
    if (d->form == AS_NUMBERS) mention(fixed, options[k]);
    else if (d->form == AS_ROWS) mention_row(x, options + k * ROW, fixed);
}

/* Every open decision, in order of play. */
typedef struct { i32 n; const Decision *asked[STRANDS]; const i32 *options[STRANDS]; } Open;

static Open open_decisions(const S *s) {
  Open all = {.n = 0};
  for (i32 k = 0; k < STRANDS && (k < s->strands || k == 0); k++) {
    int here = !s->strands || k == s->strand;
    if (!(here ? s->pending : s->strandstore[k].pending)) continue;
    all.asked[all.n] = here ? &s->asked : &s->strandstore[k].asked;
    all.options[all.n++] = here ? s->options : s->strandstore[k].options;
  }
  return all;
}

static i8 *mentioned(X *x, const S *s, i32 seat) {
  i8 *fixed = (i8 *)room(x, OBJECTS / 4 + 1);
  memset(fixed, 0, OBJECTS + 1);
  mention_frames(s, s->stack, s->words, fixed);
  for (i32 k = 0; k < s->strands && k < STRANDS; k++)
    mention_frames(s, s->strandstore[k].stack, s->strandstore[k].words, fixed);
  for (i32 k = 0; k < s->lastings; k++) {
    const Last *each = &s->lasting[k];
    const i32 head[] = {each->number, each->serial, each->you, each->owner, each->self, each->here};
    for (i32 j = 0; j < 6; j++) mention(fixed, head[j]);
    for (i32 j = 0; j < each->count; j++) mention_slot(s, ((const Slot *)(const void *)(s->heap + each->slots))[j], fixed);
  }
  Open all = open_decisions(s);
  for (i32 k = 0; k < all.n; k++) mention_asked(x, all.asked[k], all.options[k], seat, fixed);
  return fixed;
}

/* ---- what may change places: objects by key, which is their group of zones and their back, in the order in which keys are met */

typedef struct { i32 keys, *starts, *lying, *sorted; } Hidden;

static Hidden hidden_from(X *x, S *s, i32 seat) {
  x->s = s;
  i32 *key = room(x, OBJECTS + 1), *group = room(x, OBJECTS + 1), *back = room(x, OBJECTS + 1), *fill = room(x, OBJECTS + 1);
  Hidden all = {0, room(x, OBJECTS + 2), room(x, OBJECTS + 1), room(x, OBJECTS + 1)};
  i32 *order = room(x, OBJECTS + 1), n = 0;
  const i8 *fixed = mentioned(x, s, seat);
  memset(all.starts, 0, (OBJECTS + 2) * sizeof(i32));
  for (i32 o = 0; o < OBJECTS; o++) key[o] = -1;
  for (i32 z = 0; z < ZONES; z++) {
    if (SEEN[z] >> seat & 1) continue;
    i32 *before = x->room, of = MIXES[seat * ZONES + z];
    Group objects = pile(x, z);
    for (i32 j = 0; j < objects.n; j++) {
      i32 o = objects.at[j], k = 0;
      if (fixed[o] || s->known[o] >> seat & 1) continue;
      while (k < all.keys && (group[k] != of || back[k] != BACK[o])) k++;
      if (k == all.keys) group[k] = of, back[k] = BACK[o], all.keys++;
      key[o] = k;
      all.starts[k + 1]++;
      order[n++] = o;
    }
    x->room = before;
  }
  for (i32 k = 0; k < all.keys; k++) all.starts[k + 1] += all.starts[k];
  memcpy(fill, all.starts, (size_t)all.keys * sizeof(i32));
  for (i32 j = 0; j < n; j++) all.lying[fill[key[order[j]]]++] = order[j];
  memcpy(fill, all.starts, (size_t)all.keys * sizeof(i32));
  for (i32 o = 0; o < OBJECTS; o++)
    if (key[o] >= 0) all.sorted[fill[key[o]]++] = o;
  return all;
}

/* Marks stay where they lie. */
static void marks_dealt(X *x, S *to, const Hidden *all, const i32 *dealt) {
#if MARKS
  i32 n = all->starts[all->keys], *before = room(x, CELLS + 1);
  memcpy(before, to->cells, CELLS * sizeof(i32));
  for (i32 j = 0; j < n; j++) {
    i32 own = MARK_FIRST[dealt[j]], held = MARK_FIRST[all->lying[j]], count = MARK_FIRST[dealt[j] + 1] - own;
    if (MARK_FIRST[all->lying[j] + 1] - held != count) fail(x, FAIL_BOUNDS);
    for (i32 k = 0; k < count; k++) to->cells[MARK_CELL[own + k]] = before[MARK_CELL[held + k]];
  }
#else
  (void)x, (void)to, (void)all, (void)dealt;
#endif
}

/* A world in which hidden objects have changed places. If wanted, hidden counters start anew. */
static void deal(X *x, S *to, S *from, i32 seat, const Hidden *all, u64 seed, int forget) {
  i32 *before = x->room, n = all->starts[all->keys], *dealt = room(x, n), *instead = room(x, OBJECTS + 1);
  i64 counter = 0;
  dr_clone(to, from);
  to->seed = seed;
  for (i32 k = 0; forget && k < HIDDEN_CELLS; k++)
    if (HIDDEN_OWNER[k] != seat) to->cells[HIDDEN_CELL[k]] = HIDDEN_START[k];
  if (n) memcpy(dealt, all->sorted, (size_t)n * sizeof(i32));
  for (i32 k = 0; k < all->keys; k++) {
    i32 *at = dealt + all->starts[k];
    for (i32 last = all->starts[k + 1] - all->starts[k] - 1; last > 0; last--) {
      i32 other = (i32)below(seed, counter++, (u32)last + 1), held = at[last];
      at[last] = at[other];
      at[other] = held;
    }
  }
  for (i32 o = 0; o < OBJECTS; o++) instead[o] = o;
  for (i32 j = 0; j < n; j++) instead[all->lying[j]] = dealt[j];
  x->s = from;
  for (i32 z = 0; z < ZONES; z++) {
    if (SEEN[z] >> seat & 1) continue;
    i32 *kept = x->room;
    Group objects = pile(x, z);
    empty_zone(to, z);
    for (i32 j = 0; j < objects.n; j++) lay(to, instead[objects.at[j]], z, -1);
    x->room = kept;
  }
  for (i32 j = 0; j < n; j++) {
    to->holder[dealt[j]] = from->holder[all->lying[j]];
    knows(to, dealt[j], from->known[all->lying[j]]);
  }
  marks_dealt(x, to, all, dealt);
  x->room = before;
}

/* ---- the open questions are asked anew */

static int same_options(i32 form, const i32 *a, const i32 *b, i32 from, i32 count) {
  i32 width = width_of(form);
  return !count || memcmp(a + from * width, b + from * width, (size_t)(count * width) * sizeof(i32)) == 0;
}

/* Whether a seat is asked the same; of others it notices that they are asked. */
static int noticed_alike(const S *one, const S *other, i32 seat) {
  Open a = open_decisions(one), b = open_decisions(other);
  if (a.n != b.n) return 0;
  for (i32 k = 0; k < a.n; k++) {
    const Decision *d = a.asked[k], *e = b.asked[k];
    if (d->seat != e->seat) return 0;
    if (d->seat != seat) continue;
    i32 settled = d->acting != seat ? d->settled : 0;
    if (d->kind != e->kind || d->low != e->low || d->high != e->high || d->prompt != e->prompt || d->source != e->source ||
        d->acting != e->acting || d->count != e->count || (d->acting != seat && settled != e->settled) ||
        (d->count + settled && d->form != e->form) || !same_options(d->form, a.options[k], b.options[k], 0, d->count) ||
        !same_options(d->form, a.options[k], b.options[k], d->count, settled))
      return 0;
  }
  return 1;
}

/* Whether a state waits where another one does, and nothing has happened on the way there. `before` is the same world without
 * frames: those are as in the real one. */
static int at_same_place(X *x, S *now, S *before, const S *real) {
  if (now->has_result || now->strands != real->strands || now->frames != real->frames) return 0;
  for (i32 a = 0, b = 0; a < now->words && b < real->words;) {
    const Frame *f = frame_at(now, a), *g = (const Frame *)(const void *)(real->stack + b);
    if (f->program != g->program || f->pc != g->pc || f->you != g->you) return 0;
    a += frame_words(f), b += frame_words(g);
  }
  if (memcmp(now->cells, before->cells, CELLS * sizeof(i32)) != 0) return 0;
  for (i32 z = 0; z < ZONES; z++) {
    i32 *kept = x->room;
    x->s = now;
    Group a = pile(x, z);
    x->s = before;
    int same = same_group(a, pile(x, z));
    x->room = kept;
    if (!same) return 0;
  }
  return 1;
}

static int ask_anew(X *x, S *to, const S *real, i32 seat) {
  if (!real->pending) return 1;
  i32 *kept = x->room;
  x->s = to;
  S *before = copied(x);
  to->pending = 0;
  for (i32 k = 0; k < to->strands && k < STRANDS; k++) to->strandstore[k].pending = 0;
  run(x);
  int same = at_same_place(x, to, before, real) && noticed_alike(to, real, seat);
  for (i32 o = 0; o < OBJECTS && same; o++) same = !((to->known[o] ^ before->known[o]) >> seat & 1);
  x->room = kept;
  return same;
}

/* A world that a seat cannot tell from another one; gives which try it was: the last ones are another chance, and none. */
static i32 redeal(X *x, S *to, S *from, i32 seat, u64 seed) {
  S *entered = x->s;
  i32 *before = x->room, number = 0;
  Hidden all = hidden_from(x, from, seat);
  for (;; number++) {
    if (number < REDEALS) deal(x, to, from, seat, &all, seed + ((u64)number << 32), number < REDEALS / 2);
    else dr_clone(to, from);
    if (number == REDEALS) to->seed = seed;
    if (number > REDEALS || ask_anew(x, to, from, seat)) break;
  }
  x->s = entered;
  x->room = before;
  return number;
}

API int dr_redeal(X *x, S *to, S *from, i32 seat, u64 seed) {
  enter(x, to);
  if (setjmp(x->out)) return -x->why;
  if (seat < 0 || seat >= SEATS) fail(x, FAIL_BOUNDS);
  return redeal(x, to, from, seat, seed);
}
