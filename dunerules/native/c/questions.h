/* Questions: what a seat is asked, and what is not asked because there is only one answer. */

static int sights(X *x); /* printed: every seat sees what its abilities show it; whether any of it is new */
static int automaton(X *x, Frame *f, i32 kind, i32 prompt, i32 about, i64 *low, i64 *high, i32 form, Group *options,
                     Group *settled, i32 *decider);

#define FEW 12 /* so many are compared with each other sooner than sorted */

static inline i32 width_of(i32 form) { return form == AS_ROWS ? ROW : 1; }

static Group some_rows(Group g, i64 count) { return count < g.n ? (Group){g.at, (i32)count} : g; }

static void pend(X *x, Frame *f, i64 seat, i32 kind, i64 low, i64 high, i32 form, Group options, Group settled, i32 prompt) {
  S *s = x->s;
  i32 width = width_of(form);
  if (options.n + settled.n > OPTIONS || options.n > OPTIONS) fail(x, FAIL_LIMIT);
  s->asked = (Decision){.seat = (i32)seat, .kind = kind, .low = (i32)low, .high = (i32)high, .prompt = prompt,
                        .source = f->self != f->here ? f->self : f->here >= 0 ? -2 - f->here : -1,
                        .acting = f->you, .form = form, .count = options.n, .settled = settled.n};
  if (options.n) memcpy(s->options, options.at, (size_t)(options.n * width) * sizeof(i32));
  if (settled.n) memcpy(s->options + options.n * width, settled.at, (size_t)(settled.n * width) * sizeof(i32));
  s->pending = 1;
  if (sights(x)) s->pending = 0;
}

/* The chosen options; false while the seat has not answered. */
static int question(X *x, Frame *f, i32 kind, i64 low, i64 high, i32 form, Group options, i32 prompt, int bluff, i32 about,
                    Group *picked) {
  if (high < 0) fail(x, FAIL_BOUNDS);
  i64 you = f->you;
  if (high == 0 || (low >= options.n && (!bluff || !options.n || you >= PLAYERS))) {
    *picked = some_rows(options, high);
    if (x->logs > 1 && high && you >= 0) log_forced(x, you, kind, form, *picked);
    return 1;
  }
  if (you < 0) {
    *picked = some_rows(options, kind == TEXT_number || kind == TEXT_order ? 1 : 0);
    return 1;
  }
  if (options.n > OPTIONS) fail(x, FAIL_LIMIT);
  if (you < PLAYERS) {
    pend(x, f, you, kind, low, high, form, options, (Group){0, 0}, prompt);
    return 0;
  }
  Group settled = {0, 0};
  i32 decider = -1;
  if (automaton(x, f, kind, prompt, about, &low, &high, form, &options, &settled, &decider)) {
    *picked = settled;
    return 1;
  }
  pend(x, f, decider, kind, low, high, form, options, settled, prompt);
  return 0;
}

/* The options that were chosen; the question is settled. */
static Group answered(X *x, i32 form) {
  S *s = x->s;
  i32 width = width_of(form), n = s->asked.settled, *at;
  if (!s->pending || s->asked.form != form) fail(x, FAIL_KIND);
  at = room(x, (i64)(n + s->answers) * width);
  memcpy(at, s->options + s->asked.count * width, (size_t)(n * width) * sizeof(i32));
  for (i32 k = 0; k < s->answers; k++, n++)
    memcpy(at + n * width, s->options + s->answer[k] * width, (size_t)width * sizeof(i32));
  s->pending = s->answered = 0;
  return (Group){at, n};
}

static Group up_to(X *x, i64 count) {
  if (count >= OPTIONS) fail(x, FAIL_LIMIT);
  i32 n = count < 0 ? 0 : (i32)count + 1, *at = room(x, n);
  for (i32 k = 0; k < n; k++) at[k] = k;
  return (Group){at, n};
}

/* ---- objects */

/* As they lie, or as they are declared, if one of them is hidden from who is asked. */
static Group in_order(X *x, i64 you, Group g) {
  i32 seat = index_of(x, you, SEATS + 1);
  SeatMask mask = SEES_MASK[seat];
  for (i32 k = 0; k < g.n; k++) {
    i32 o = thing(x, g.at[k]);
    if (!SEES[seat * ZONES + x->s->where[o]] && (x->s->known[o] & mask) != mask) return sorted(x, g);
  }
  return g;
}

static inline int alike(S *s, i64 you, i32 one, i32 other) {
  return COPY_OF[one] == COPY_OF[other] && s->where[one] == s->where[other] && marked_alike(s, you, one, other);
}

/* The first of all that are alike, in the order of the last ones. */
static Group distinct(X *x, i64 you, Group g) {
  if (g.n < 2) return g;
  S *s = x->s;
  i32 *found = room(x, g.n), n = 0;
  if (g.n <= FEW)
    for (i32 k = g.n - 1; k >= 0; k--) {
      i32 o = thing(x, g.at[k]), at = 0;
      while (at < n && !alike(s, you, found[at], o)) at++;
      if (at == n) n++;
      found[at] = o;
    }
  else { /* one chain for the copies of an object */
    i32 *chain = room(x, g.n), *last = room(x, THINGS + 1);
    memset(last, -1, (THINGS + 1) * sizeof(i32));
    for (i32 k = g.n - 1; k >= 0; k--) {
      i32 o = thing(x, g.at[k]), *copies = &last[COPY_OF[o]], at = *copies;
      while (at >= 0 && !alike(s, you, found[at], o)) at = chain[at];
      if (at < 0) {
        at = n++;
        chain[at] = *copies;
        *copies = at;
      }
      found[at] = o;
    }
  }
  for (i32 k = 0; k < n / 2; k++) {
    i32 held = found[k];
    found[k] = found[n - 1 - k];
    found[n - 1 - k] = held;
  }
  return (Group){found, n};
}

/* Whether, for all that somebody else sees, more might fit than are wanted. */
static int hidden_choice(X *x, i64 you, Group fitting, i64 wanted, Group zones) {
  S *s = x->s;
  i32 *before = x->room, *is = room(x, OBJECTS + 1), *all = room(x, OBJECTS + 1), n = 0, both = 0;
  memset(is, 0, (OBJECTS + 1) * sizeof(i32)); /* 1 for what fits, 2 for what lies there */
  if (!zones.n) zones = lying_once(x, fitting);
  for (i32 k = 0; k < fitting.n; k++) {
    i32 o = thing(x, fitting.at[k]);
    if (!is[o]) both++;
    is[o] = 1;
  }
  i32 fit = both;
  for (i32 k = 0; k < zones.n; k++)
    for (i32 o = s->head[zone(x, zones.at[k])]; o >= 0; o = s->next[o])
      if (!(is[o] & 2)) {
        if (!is[o]) both++;
        is[o] |= 2;
        all[n++] = o;
      }
  int found = 0;
  for (i32 seat = 0; seat < SEATS && both > wanted && !found; seat++) {
    i32 unseen = 0, more = 0;
    for (i32 k = 0; k < n; k++) {
      SeatMask open = SEEN[s->where[all[k]]];
      if (open != EVERYBODY && !((open | s->known[all[k]]) >> seat & 1)) {
        unseen++;
        more += !(is[all[k]] & 1);
      }
    }
    found = seat != you && unseen && fit + more > wanted;
  }
  x->room = before;
  return found;
}

/* Of those that are alike no more than so many, the first ones. */
static Group at_most(X *x, i64 you, Group g, i64 count) {
  if (count < 2) return distinct(x, you, g);
  i32 *found = room(x, g.n), n = 0;
  for (i32 k = 0; k < g.n; k++) {
    i64 before = 0;
    for (i32 j = 0; j < k; j++) before += alike(x->s, you, thing(x, g.at[j]), thing(x, g.at[k]));
    if (before < count) found[n++] = g.at[k];
  }
  return (Group){found, n};
}

/* The same choice of objects, by their numbers in a list, with the first of those that are alike. */
static void first_alike(X *x, i64 you, const i32 *things, i32 count, i32 *numbers, i32 n) {
  i32 *before = x->room;
  i8 *taken = (i8 *)room(x, count / 4 + 1);
  memset(taken, 0, (size_t)count);
  for (i32 k = 0; k < n; k++) {
    i32 at = 0, meant = thing(x, things[numbers[k]]);
    while (at < count && (taken[at] || !alike(x->s, you, thing(x, things[at]), meant))) at++;
    if (at == count) fail(x, FAIL_BOUNDS);
    taken[at] = 1;
    numbers[k] = at;
  }
  x->room = before;
}

static int pick_objects(X *x, Frame *f, Group things, i64 low, i64 high, i32 verb, i64 wanted, Group zones, Group *picked) {
  look(x, things.n);
  Group fitting = things;
  i64 you = f->you;
  if (low < things.n) {
    things = in_order(x, you, things);
    if (high < things.n) things = at_most(x, you, things, high);
  }
  int bluff = low >= things.n && things.n > 0 && hidden_choice(x, you, fitting, wanted, zones);
  if (bluff) things = in_order(x, you, things);
  if (!question(x, f, TEXT_thing, low, high, AS_NUMBERS, things, verb, bluff, TEXT_empty, picked)) return 0;
  if (high > 1 && picked->n && you >= PLAYERS) { /* an automated seat may have left it to chance */
    i32 *numbers = room(x, picked->n);
    for (i32 k = 0; k < picked->n; k++) {
      numbers[k] = 0;
      while (numbers[k] < things.n && things.at[numbers[k]] != picked->at[k]) numbers[k]++;
      if (numbers[k] == things.n) fail(x, FAIL_BOUNDS);
    }
    first_alike(x, you, things.at, things.n, numbers, picked->n);
    for (i32 k = 0; k < picked->n; k++) numbers[k] = things.at[numbers[k]];
    *picked = (Group){numbers, picked->n};
  }
  return 1;
}

/* Whether the acting seat holds something in these zones that somebody else cannot see. */
static int holds_unseen(X *x, i64 you, Group zones) {
  SeatMask others = you >= 0 ? EVERYBODY ^ seat_bit(x, you) : 0;
  for (i32 k = 0; k < zones.n; k++)
    for (i32 o = x->s->head[zone(x, zones.at[k])]; o >= 0; o = x->s->next[o])
      if (x->s->holder[o] == you && (x->s->known[o] & others) != others) return 1;
  return 0;
}

/* ---- options of several numbers */

static i32 *rows_room(X *x, i32 count) { return room(x, (i64)count * ROW); }

static Group row_options(X *x, i32 form, Group g, const i32 *labels, i32 count) {
  i32 *at = rows_room(x, g.n);
  for (i32 k = 0; k < g.n; k++) {
    i32 *row = at + k * ROW;
    memset(row, 0, ROW * sizeof(i32));
    row[0] = form;
    row[1] = g.at[k];
    if (labels) row[2] = labels[index_of(x, g.at[k], count)];
  }
  return (Group){at, g.n};
}

static inline const i32 *row_at(X *x, Group g, i32 number) {
  if (number >= g.n) fail(x, FAIL_BOUNDS);
  return g.at + number * ROW;
}

/* The word that says what the one option is that was picked. */
static inline i64 row_word(X *x, Group g) {
  i32 form = row_at(x, g, 0)[0];
  if (form < 0 || form > ROW_CHOICE) fail(x, FAIL_BOUNDS);
  return ROW_WORDS[form];
}

static Group row_numbers(X *x, Group g) {
  i32 *at = room(x, g.n);
  for (i32 k = 0; k < g.n; k++) at[k] = row_at(x, g, k)[1];
  return (Group){at, g.n};
}

/* Options that are still to be found. */
typedef struct { i32 *at, n; } Listing;

static Listing new_listing(X *x) { return (Listing){rows_room(x, OPTIONS + 1), 0}; }

static inline i32 *new_row(X *x, Listing *l, i32 form) {
  if (l->n >= OPTIONS) fail(x, FAIL_LIMIT);
  i32 *row = l->at + l->n++ * ROW;
  memset(row, 0, ROW * sizeof(i32));
  row[0] = form;
  return row;
}

/* ---- picks by position */

/* The objects at some positions, where there are any: who acts at the same time may have taken one. */
static Group lying_at(X *x, Group positions) {
  i32 *at = room(x, positions.n), n = 0;
  for (i32 k = 0; k < positions.n; k++) {
    const i32 *row = row_at(x, positions, k);
    i32 z = zone(x, row[1]), o = x->s->head[z];
    if (row[2] < 1 || row[2] > x->s->size[z]) continue;
    for (i32 place = 1; place < row[2]; place++) o = x->s->next[o];
    at[n++] = o;
  }
  return (Group){at, n};
}

/* Objects the acting seat picks by position, counted from the top; automated seats leave it to chance. */
static int pick_positions(X *x, Frame *f, Group things, i64 count, i32 verb, Group *picked) {
  look(x, things.n);
  if (f->you >= PLAYERS && count < things.n) {
    *picked = at_random(x, things, count, 1);
    return 1;
  }
  Group positions = row_options(x, ROW_AT, things, 0, 0);
  for (i32 k = 0; k < things.n; k++) {
    i32 *row = (i32 *)positions.at + k * ROW, place = 1;
    row[1] = x->s->where[thing(x, things.at[k])];
    for (i32 o = x->s->head[row[1]]; o >= 0 && o != things.at[k]; o = x->s->next[o]) place++;
    row[2] = place;
  }
  if (!question(x, f, TEXT_blind, count, count, AS_ROWS, positions, verb, 0, TEXT_empty, picked)) return 0;
  *picked = lying_at(x, *picked);
  return 1;
}
