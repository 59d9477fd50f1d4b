/* Events: what has happened is told to whoever reacts to it, and what is about to happen to whoever replaces it.
 * Which abilities wait for what is printed; what comes of it is here. */

typedef struct {
  i32 actor, things; /* things that were moved or seen: how many, each with the zone it was in and the one it came to */
  const i32 *at;
  Any value[NAMES];
} Event;

typedef struct {
  Frame *holder;
  i32 program, label, own;
  i32 number, limited;      /* of a standing ability, and whether its uses are counted */
  i32 instead, mark, a, b;  /* what the frame of a replacement is called */
} Found;
#define FOUND 256

typedef struct { Found *at; i32 n; } Founds;

static Event *new_event(X *x, i64 actor) {
  x->room += (size_t)(x->room - x->scratch) & 1; /* pointers lie on even words */
  Event *e = (Event *)(void *)room(x, (i64)(sizeof(Event) / sizeof(i32)));
  e->actor = (i32)actor;
  e->things = 0;
  e->at = 0;
  for (i32 k = 0; k < NAMES; k++) e->value[k] = (Any){NONE, 0, -1, 0};
  return e;
}

/* Things that were moved, or seen where they lie (`stay`). */
static void event_things(X *x, Event *e, Group g, Group starts, int stay, i64 end) {
  i32 *at = room(x, 3 * (i64)g.n);
  if (starts.n != g.n) fail(x, FAIL_BOUNDS);
  for (i32 k = 0; k < g.n; k++) {
    at[3 * k] = g.at[k];
    at[3 * k + 1] = starts.at[k];
    at[3 * k + 2] = stay ? starts.at[k] : (i32)end;
  }
  e->things = g.n;
  e->at = at;
}

/* What an argument of a pattern is given: nothing is -1. */
static inline Any told(const Event *e, i32 name) { return e->value[name].tag == NONE ? any_number(-1) : e->value[name]; }

/* A name that its program knows: not groups, and nothing as what stands for it. */
static Slot told_slot(X *x, Any found, Slot nothing) {
  return found.tag == NONE || found.tag == GROUP ? nothing : any_slot(x, found);
}

static Founds new_founds(X *x) {
  x->room += (size_t)(x->room - x->scratch) & 1;
  return (Founds){(Found *)(void *)room(x, (i64)(FOUND * sizeof(Found) / sizeof(i32))), 0};
}

static void find(X *x, Founds *all, Found found) {
  if (all->n >= FOUND) fail(x, FAIL_ROOM);
  all->at[all->n++] = found;
}

/* ---- uses of limited abilities */

static Used *used_of(S *s, i32 number, i32 seat, i32 self) {
  for (i32 k = 0; k < s->uses; k++) {
    Used *u = &s->used[k];
    if (u->number == number && u->seat == seat && u->self == self) return u;
  }
  return 0;
}

static int used_up(X *x, i32 number, const Frame *holder, i32 limit) {
  Used *u = used_of(x->s, number, holder->you, holder->self);
  return u && u->count >= limit;
}

static void use(X *x, const Found *found) {
  S *s = x->s;
  if (!found->limited) return;
  Used *u = used_of(s, found->number, found->holder->you, found->holder->self);
  if (!u) {
    if (s->uses >= USES) fail(x, FAIL_ROOM);
    u = &s->used[s->uses++];
    *u = (Used){found->number, found->holder->you, found->holder->self, 0};
  }
  u->count++;
}

/* The uses of abilities that are limited in a procedure start anew. */
static void unuse(S *s, i32 span) {
  i32 n = 0;
  for (i32 k = 0; k < s->uses; k++)
    if (SPAN_OF[s->used[k].number] != span) s->used[n++] = s->used[k];
  s->uses = n;
}

/* ---- order of play */

static i32 first_seat(S *s, i64 start) {
  if (start < 0 && FIRST_CELL >= 0) start = s->cells[FIRST_CELL];
  return start >= 0 && start < SEATS ? (i32)start : 0;
}

static Group order(X *x, i64 start) {
  i32 *at = room(x, SEATS), first = first_seat(x->s, start);
  for (i32 k = 0; k < SEATS; k++) at[k] = (first + k) % SEATS;
  return (Group){at, SEATS};
}

static i32 turn_of(i32 first, i32 seat) { return seat < 0 ? -1 : (seat - first + SEATS) % SEATS; }

/* By turn, and what the game itself says first; equal ones as they were found. */
static void ordered(X *x, Founds all, i64 actor) {
  i32 first = first_seat(x->s, actor);
  for (i32 k = 1; k < all.n; k++) {
    Found each = all.at[k];
    i32 place = 2 * turn_of(first, each.holder->you) + each.own, j = k - 1;
    for (; j >= 0 && 2 * turn_of(first, all.at[j].holder->you) + all.at[j].own > place; j--) all.at[j + 1] = all.at[j];
    all.at[j + 1] = each;
  }
}

/* ---- reactions: a row is program, owner, what it stands on, place, label, how many slots, and these */

typedef struct { i32 program, owner, self, here, label, count; const Slot *slots; } Reaction;

static Reaction reaction_of(const Found *found) {
  const Frame *h = found->holder;
  return (Reaction){found->program, h->owner, h->self, h->here, found->label, h->count, h->slot};
}

static Reaction reaction_at(const i32 *row) {
  return (Reaction){row[0], row[1], row[2], row[3], row[4], row[5], (const Slot *)(const void *)(row + 6)};
}

static int same_slot(X *x, Slot a, Slot b) {
  return same(slot_any(x, a), slot_any(x, b));
}

/* Whether their order makes no difference: those of copies that lie together, with the same marks. */
static int same_reaction(X *x, i64 seat, Reaction a, Reaction b) {
  if (a.program != b.program || a.owner != b.owner || a.here != b.here || a.count != b.count) return 0;
  for (i32 k = 0; k < a.count; k++)
    if (!same_slot(x, a.slots[k], b.slots[k])) return 0;
  int plain = a.self < 0 || a.self == a.here;
  if (plain != (b.self < 0 || b.self == b.here)) return 0;
  return plain ? a.self == b.self : alike(x->s, seat, thing(x, a.self), thing(x, b.self));
}

static void push_reaction(X *x, i64 seat, Reaction r) {
  Frame *f = push(x, r.program, seat, r.self, r.here, r.count);
  for (i32 k = 0; k < r.count; k++) f->slot[k] = r.slots[k];
  f->owner = r.owner;
  f->label = r.label;
}

static void push_order(X *x, i64 seat, const Reaction *rows, i32 n) {
  Frame *f = push_frame(x, PROGRAM_ORDERING, seat, -1, -1, 1);
  i32 words = 0;
  for (i32 k = 0; k < n; k++) words += 6 + 2 * rows[k].count;
  i32 *all = room(x, words), *at = all;
  for (i32 k = 0; k < n; k++) {
    i32 head[6] = {rows[k].program, rows[k].owner, rows[k].self, rows[k].here, rows[k].label, rows[k].count};
    memcpy(at, head, sizeof head);
    if (rows[k].count) memcpy(at + 6, rows[k].slots, (size_t)rows[k].count * sizeof(Slot));
    at += 6 + 2 * rows[k].count;
  }
  f->label = TEXT_empty;
  f->slot[0] = (Slot){ROWS | words << 8, keep(x, all, words)};
}

/* Reactions of one seat run next: those of the game itself first, its own in the order it likes. */
static void react(X *x, i64 seat, const Found *found, i32 n) {
  x->room += (size_t)(x->room - x->scratch) & 1;
  Reaction *own = (Reaction *)(void *)room(x, (i64)((size_t)n * sizeof(Reaction) / sizeof(i32)));
  i32 count = 0, unlike = 0;
  for (i32 k = 0; k < n; k++)
    if (found[k].own) own[count++] = reaction_of(&found[k]);
  for (i32 k = 1; k < count; k++) unlike = unlike || !same_reaction(x, seat, own[0], own[k]);
  if (seat >= 0 && unlike) {
    push_order(x, seat, own, count);
    count = 0;
  }
  for (i32 k = count - 1; k >= 0; k--) push_reaction(x, seat, own[k]);
  for (i32 k = n - 1; k >= 0; k--)
    if (!found[k].own) push_reaction(x, seat, reaction_of(&found[k]));
}

/* All that reacts to an event runs next. */
static int settle(X *x, Founds all, i64 actor) {
  if (!all.n) return 0;
  ordered(x, all, actor);
  for (i32 k = 0; k < all.n; k++) use(x, &all.at[k]);
  for (i32 end = all.n, start; end > 0; end = start) {
    i32 seat = all.at[end - 1].holder->you;
    for (start = end - 1; start > 0 && all.at[start - 1].holder->you == seat; start--) {}
    if (all.n == 1) push_reaction(x, seat, reaction_of(&all.at[0]));
    else react(x, seat, all.at + start, end - start);
  }
  return 1;
}

/* The program that asks a seat which of its reactions comes next. */
static void end_of_program(X *x, Frame *f);

static void order_reactions(X *x, Frame *f) {
  if (f->pc == 1) {
    end_of_program(x, f);
    return;
  }
  at_place(x, x->room);
  Slot *kept = slot(x, f, 0);
  if (tag_of(*kept) != ROWS) fail(x, FAIL_KIND);
  i32 words = length_of(*kept), n = 0, number;
  const i32 *all = x->s->heap + kept->x, *starts[FOUND];
  for (const i32 *row = all; row < all + words && n < FOUND; row += 6 + 2 * row[5]) starts[n++] = row;
  Group picked;
  if (x->s->answered) picked = answered(x, AS_ROWS);
  else {
    Listing l = new_listing(x);
    for (i32 k = 0; k < n; k++) {
      i32 before = 0;
      while (before < k && !same_reaction(x, f->you, reaction_at(starts[before]), reaction_at(starts[k]))) before++;
      if (before < k) continue;
      i32 *row = new_row(x, &l, ROW_REACTION);
      row[1] = k;
      row[2] = starts[k][4];
      row[3] = starts[k][2];
    }
    if (!question(x, f, TEXT_order, 1, 1, AS_ROWS, (Group){l.at, l.n}, TEXT_order, 0, TEXT_empty, &picked)) return;
  }
  number = row_at(x, picked, 0)[1];
  if (number < 0 || number >= n) fail(x, FAIL_BOUNDS);
  i32 size = 6 + 2 * starts[number][5], before = (i32)(starts[number] - all), left = words - size;
  i32 *taken = room(x, size), *rest = room(x, left);
  memcpy(taken, starts[number], (size_t)size * sizeof(i32));
  memcpy(rest, all, (size_t)before * sizeof(i32));
  memcpy(rest + before, starts[number] + size, (size_t)(left - before) * sizeof(i32));
  *kept = left ? (Slot){ROWS | left << 8, keep(x, rest, left)} : (Slot){GROUP, 0};
  if (!left) f->pc = 1;
  push_reaction(x, f->you, reaction_at(taken));
}

/* The first replacement that applies runs; none does while it runs itself. */
static int replaced(X *x, Founds all, i64 actor) {
  S *s = x->s;
  ordered(x, all, actor);
  for (i32 k = 0; k < all.n; k++) {
    Found *found = &all.at[k];
    int running = 0;
    for (i32 at = 0; at < s->words && !running; at += frame_words(frame_at(s, at))) {
      const Frame *f = frame_at(s, at);
      running = f->mark == found->mark && f->label == found->instead && f->a == found->a && f->b == found->b;
    }
    if (running) continue;
    use(x, found);
    const Frame *h = found->holder;
    Frame *f = push(x, found->program, h->you, h->self, h->here, h->count);
    for (i32 j = 0; j < h->count; j++) f->slot[j] = h->slot[j];
    f->owner = h->owner;
    f->label = found->instead;
    f->mark = found->mark;
    f->a = found->a;
    f->b = found->b;
    return 1;
  }
  return 0;
}

/* ---- what lasts */

static void last(X *x, i64 number, Frame *f, const Slot *slots, i32 count) {
  S *s = x->s;
  if (s->lastings >= LASTING) fail(x, FAIL_LIMIT);
  s->lasting[s->lastings++] = (Last){(i32)number, s->serial++, f->you, f->owner, f->self, f->here, count,
                                     keep(x, (const i32 *)(const void *)slots, 2 * count)};
  if (x->logs) log_lasting(x, TEXT_begins, &s->lasting[s->lastings - 1]);
}

/* The frame of something that lasts, with room for what an event tells. */
static Frame *lasting_frame(X *x, const Last *each, i64 acting, i32 more) {
  Frame *f = loose(x, acting, each->owner, each->self, each->here, each->count + more);
  if (each->count) memcpy(f->slot, x->s->heap + each->slots, (size_t)each->count * sizeof(Slot));
  f->count = each->count;
  return f;
}

/* ---- rounds of the table: the seats that passed, as bits; whose turn it is; whether that seat passes */

static Group next_turn(X *x, Any round, i64 you, Group part) {
  i64 passed = 0, turn = -1, passes = 0;
  if (truth_of(x, round)) {
    Group g = group_of(x, round);
    if (g.n != 3) fail(x, FAIL_KIND);
    passed = g.at[0], turn = g.at[1], passes = g.at[2];
  }
  passed = passes ? with_bit(x, passed, turn) : 0;
  int all = 1;
  for (i32 k = 0; k < part.n; k++) all = all && bit(x, passed, part.at[k]);
  if (all) return (Group){0, 0};
  i32 first = turn < 0 ? first_seat(x->s, you) : (i32)((turn + 1) % SEATS), k = 0;
  while (k < SEATS && !contains(part, (first + k) % SEATS)) k++;
  if (k == SEATS) fail(x, FAIL_BOUNDS);
  i32 *at = room(x, 3);
  at[0] = (i32)passed, at[1] = (first + k) % SEATS, at[2] = 0;
  return (Group){at, 3};
}

static void put_round(X *x, Slot *kept, i64 passes) {
  Group g = slot_group(x, *kept);
  if (g.n != 3) fail(x, FAIL_KIND);
  i32 *at = room(x, 3);
  at[0] = g.at[0], at[1] = g.at[1], at[2] = (i32)passes;
  *kept = group_slot(x, (Group){at, 3});
}

/* Who declines in its turn passes. */
static void declines(X *x, Frame *f, i32 number) {
  Slot *kept = slot(x, f, number);
  Group g = slot_group(x, *kept);
  if (g.n != 3) fail(x, FAIL_KIND);
  put_round(x, kept, g.at[1] == f->you);
}

/* The seat whose turn it is in the innermost round passes. */
static void passes(X *x) {
  S *s = x->s;
  for (i32 at = s->frames ? s->top : -1; at >= 0; at = frame_at(s, at)->below) {
    Frame *f = frame_at(s, at);
    for (i32 k = ROUND_FIRST[f->program]; k < ROUND_FIRST[f->program + 1]; k++) {
      Slot *kept = slot(x, f, ROUND_SLOT[k]);
      if (tag_of(*kept) == GROUP && length_of(*kept) > 0) {
        put_round(x, kept, 1);
        return;
      }
    }
  }
}
