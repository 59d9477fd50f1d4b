/* What Python calls: contexts, states as blocks, starting and answering, states as numbers and back. */
#if defined(_WIN32)
#define API __declspec(dllexport)
#else
#define API __attribute__((visibility("default")))
#endif

enum { ASKED = 0, OVER = 1 }; /* below 0: why it failed */

API X *dr_context(void) {
  X *x = malloc(sizeof(X));
  i32 *scratch = malloc((size_t)SCRATCH * sizeof(i32));
  if (!x || !scratch) {
    free(x);
    free(scratch);
    return 0;
  }
  memset(x, 0, sizeof *x);
  x->scratch = x->room = scratch;
  x->end = scratch + SCRATCH;
  return x;
}

API void dr_free(X *x) {
  if (x) free(x->scratch);
  if (x) free(x->log);
  free(x);
}

API i64 dr_state_size(void) { return (i64)sizeof(S); }
API i64 dr_digest(void) { return DIGEST; }

static void enter(X *x, S *s) {
  x->s = s;
  x->room = x->scratch;
  x->why = 0;
  x->fuel = x->depth = 0;
  x->looks = 0;
  x->logs = 0;
  x->logged = 0;
  x->carrier = 0;
}

/* Whether the next calls keep the log: 0 they do not, 1 they do, 2 with what had one answer only. */
API void dr_record(X *x, i32 what) { x->recording = what; }

/* What the last call has kept of it, and how many words that are. */
API i64 dr_logged(const X *x, i32 *out, i64 words) {
  if (x->logged <= words && x->logged) memcpy(out, x->log, (size_t)x->logged * sizeof(i32));
  return x->logged;
}

static int status(const S *s) { return s->has_result ? OVER : ASKED; }

/* ---- playing */

static void set_out(S *s) {
  memset(s, 0, offsetof(S, heap));
  memcpy(s->cells, CELLS_START, sizeof s->cells);
  for (i32 z = 0; z < ZONES; z++) empty_zone(s, z);
  for (i32 o = 0; o < OBJECTS; o++) {
    lay(s, o, START_ZONE[o], -1);
    s->holder[o] = (i8)HOME[o];
  }
  clear_frames(s);
}

static void begin(X *x, u64 seed) {
  set_out(x->s);
  x->s->seed = seed;
  for (i32 k = 0; k < BEGINNINGS; k++) push(x, BEGINNING[k], -1, -1, -1, 0);
  run(x);
}

API int dr_start(X *x, S *s, u64 seed) {
  enter(x, s);
  if (setjmp(x->out)) return -x->why;
  x->logs = x->recording;
  begin(x, seed);
  return status(s);
}

static int legal(const S *s, const i32 *answer, i32 n) {
  if (!s->pending || n < s->asked.low || n > s->asked.high || n > OPTIONS) return 0;
  for (i32 k = 0; k < n; k++) {
    if (answer[k] < 0 || answer[k] >= s->asked.count) return 0;
    for (i32 j = 0; j < k; j++)
      if (answer[j] == answer[k]) return 0;
  }
  return 1;
}

API int dr_answer(X *x, S *s, const i32 *answer, i32 n) {
  if (!legal(s, answer, n)) return -FAIL_ANSWER;
  enter(x, s);
  if (setjmp(x->out)) return -x->why;
  if (n) memcpy(s->answer, answer, (size_t)n * sizeof(i32));
  s->answers = n;
  s->answered = 1;
  x->logs = x->recording;
  run(x);
  return status(s);
}

/* Go on with what a state has begun, if nobody is asked. */
API int dr_run(X *x, S *s) {
  if (s->pending) return -FAIL_ANSWER;
  enter(x, s);
  if (setjmp(x->out)) return -x->why;
  x->logs = x->recording;
  run(x);
  return status(s);
}

/* Where several seats are asked: what this one is asked is pending. */
API int dr_turn_to(X *x, S *s, i32 seat) {
  (void)seat;
  enter(x, s);
  if (setjmp(x->out)) return -x->why;
#if HAS_STRANDS
  if (s->strands && (!s->pending || s->asked.seat != seat))
    for (i32 k = 0; k < s->strands; k++)
      if (k != s->strand && s->strandstore[k].pending && s->strandstore[k].asked.seat == seat) {
        take_up(x, k);
        break;
      }
#endif
  return status(s);
}

static void copy_live(S *to, const S *from) {
  memcpy(to, from, offsetof(S, heap));
  memcpy(to->heap, from->heap, (size_t)from->heaped * sizeof(i32));
  memcpy(to->lasting, from->lasting, (size_t)from->lastings * sizeof(Last));
  memcpy(to->used, from->used, (size_t)from->uses * sizeof(Used));
}

API void dr_clone(S *to, const S *from) {
  copy_live(to, from);
  memcpy(to->stack, from->stack, (size_t)from->words * sizeof(i32));
  if (from->pending)
    memcpy(to->options, from->options,
           (size_t)((from->asked.count + from->asked.settled) * width_of(from->asked.form)) * sizeof(i32));
  for (i32 k = 0; k < from->strands && k < STRANDS; k++) to->strandstore[k] = from->strandstore[k];
}

/* Many times, to be measured. */
API void dr_clone_often(S *to, const S *from, i64 times) {
  for (i64 k = 0; k < times; k++) dr_clone(to, from);
}

/* ---- a state as numbers, in the order of the words below, and back */

typedef struct { i32 *at; i64 n, room; } Out;

static inline void put(Out *o, i64 word) {
  if (o->n < o->room) o->at[o->n] = (i32)word;
  o->n++;
}

static void put_wide(Out *o, u64 word) {
  put(o, (i32)(u32)word);
  put(o, (i32)(u32)(word >> 32));
}

static void put_slot(Out *o, const S *s, Slot found) {
  i32 tag = tag_of(found), n = length_of(found);
  put(o, tag);
  if (tag < GROUP) {
    put(o, found.x);
    return;
  }
  put(o, n);
  const i32 *at = s->heap + found.x;
  if (tag == GROUP)
    for (i32 k = 0; k < n; k++) put(o, at[k]);
  else
    for (const i32 *end = at + n; at < end; at += 6 + 2 * at[5]) {
      for (i32 k = 0; k < 6; k++) put(o, at[k]);
      for (i32 k = 0; k < at[5]; k++) put_slot(o, s, ((const Slot *)(const void *)(at + 6))[k]);
    }
}

static void put_frames(Out *o, const S *s, const i32 *stack, i32 words, i32 frames) {
  put(o, frames);
  for (i32 at = 0; at < words;) {
    const Frame *f = (const Frame *)(const void *)(stack + at);
    const i32 head[] = {f->program, f->you, f->owner, f->self, f->here, f->pc, f->label, f->mark, f->a, f->b, f->count};
    for (i32 k = 0; k < 11; k++) put(o, head[k]);
    for (i32 k = 0; k < f->count; k++) put_slot(o, s, f->slot[k]);
    at += frame_words(f);
  }
}

static void put_decision(Out *o, i32 pending, const Decision *d, const i32 *options) {
  put(o, pending);
  if (!pending) return;
  const i32 head[] = {d->seat, d->kind, d->low, d->high, d->prompt, d->source, d->acting, d->form, d->count, d->settled};
  for (i32 k = 0; k < 10; k++) put(o, head[k]);
  for (i32 k = 0; k < (d->count + d->settled) * width_of(d->form); k++) put(o, options[k]);
}

API i64 dr_dump(const S *s, i32 *out, i64 words) {
  Out into = {out, 0, words}, *o = &into;
  put_wide(o, s->seed);
  put_wide(o, (u64)s->chance);
  put(o, s->serial);
  put(o, s->has_result);
  put(o, s->results);
  for (i32 k = 0; k < s->results; k++) put(o, s->result[k]);
  for (i32 k = 0; k < CELLS; k++) put(o, s->cells[k]);
  for (i32 z = 0; z < ZONES; z++) {
    put(o, s->size[z]);
    for (i32 each = s->head[z]; each >= 0; each = s->next[each]) put(o, each);
  }
  for (i32 k = 0; k < OBJECTS; k++) put(o, s->holder[k]);
  for (i32 k = 0; k < OBJECTS; k++) put(o, s->known[k]);
  put(o, s->floor);
  put_frames(o, s, s->stack, s->words, s->frames);
  put(o, s->strand);
  put(o, s->strands);
  for (i32 k = 0; k < s->strands && k < STRANDS; k++) {
    put_frames(o, s, s->strandstore[k].stack, s->strandstore[k].words, s->strandstore[k].frames);
    put_decision(o, s->strandstore[k].pending, &s->strandstore[k].asked, s->strandstore[k].options);
  }
  put_decision(o, s->pending, &s->asked, s->options);
  put(o, s->lastings);
  for (i32 k = 0; k < s->lastings; k++) {
    const Last *each = &s->lasting[k];
    const i32 head[] = {each->number, each->serial, each->you, each->owner, each->self, each->here, each->count};
    for (i32 j = 0; j < 7; j++) put(o, head[j]);
    for (i32 j = 0; j < each->count; j++) put_slot(o, s, ((const Slot *)(const void *)(s->heap + each->slots))[j]);
  }
  put(o, s->uses);
  for (i32 k = 0; k < s->uses; k++) {
    put(o, s->used[k].number);
    put(o, s->used[k].seat);
    put(o, s->used[k].self);
    put(o, s->used[k].count);
  }
  return o->n;
}

typedef struct { const i32 *at; i64 n, read; } In;

static i32 get(X *x, In *in, i64 low, i64 high) {
  if (in->read >= in->n) fail(x, FAIL_LOAD);
  i32 found = in->at[in->read++];
  if (found < low || found > high) fail(x, FAIL_LOAD);
  return found;
}

static i32 get_any(X *x, In *in) { return get(x, in, INT32_MIN, INT32_MAX); }

static u64 get_wide(X *x, In *in) {
  u64 low = (u32)get_any(x, in);
  return low | (u64)(u32)get_any(x, in) << 32;
}

static i32 *heap_room(X *x, i32 n) {
  S *s = x->s;
  if (n > HEAP - s->heaped) fail(x, FAIL_ROOM);
  s->heaped += n;
  return s->heap + s->heaped - n;
}

static Slot get_slot(X *x, In *in) {
  i32 tag = get(x, in, NUMBER, ROWS);
  if (tag < GROUP) return (Slot){tag, tag == TRUTH ? get(x, in, 0, 1) : get_any(x, in)};
  i32 n = get(x, in, 0, HEAP), *at = heap_room(x, n), *end = at + n;
  Slot found = {tag | n << 8, (i32)(at - x->s->heap)};
  if (tag == GROUP)
    for (; at < end; at++) *at = get_any(x, in);
  else
    while (at < end) {
      if (end - at < 6) fail(x, FAIL_LOAD);
      at[0] = get(x, in, 0, PROGRAMS - 1);
      for (i32 k = 1; k < 5; k++) at[k] = get_any(x, in);
      at[5] = get(x, in, 0, (i64)(end - at - 6) / 2);
      for (i32 k = 0; k < at[5]; k++) ((Slot *)(void *)(at + 6))[k] = get_slot(x, in);
      at += 6 + 2 * at[5];
    }
  return found;
}

static void get_frames(X *x, In *in) {
  S *s = x->s;
  i32 frames = get(x, in, 0, DEEPEST);
  for (i32 k = 0; k < frames; k++) {
    if (s->floor && k == s->floor) s->floor_words = s->words, s->floor_top = s->top;
    i32 head[11];
    head[0] = get(x, in, 0, PROGRAMS - 1);
    for (i32 j = 1; j < 10; j++) head[j] = get_any(x, in);
    head[10] = get(x, in, 0, 4096);
    for (i32 j = 1; j < 3; j++)
      if (head[j] < -1 || head[j] >= SEATS) fail(x, FAIL_LOAD);
    if (head[10] < SLOTS[head[0]]) fail(x, FAIL_LOAD);
    Frame *f = push_frame(x, head[0], head[1], head[3], head[4], head[10]);
    f->owner = head[2], f->pc = head[5], f->label = head[6], f->mark = head[7], f->a = head[8], f->b = head[9];
    for (i32 j = 0; j < f->count; j++) f->slot[j] = get_slot(x, in);
  }
}

static i32 get_decision(X *x, In *in, Decision *d, i32 *options, i32 most_words) {
  if (!get(x, in, 0, 1)) return 0;
  d->seat = get(x, in, 0, SEATS - 1);
  d->kind = get_any(x, in);
  d->low = get(x, in, 0, OPTIONS);
  d->high = get(x, in, 0, OPTIONS);
  d->prompt = get_any(x, in);
  d->source = get_any(x, in);
  d->acting = get(x, in, 0, SEATS - 1);
  d->form = get(x, in, AS_NUMBERS, AS_ROWS);
  d->count = get(x, in, 0, OPTIONS);
  d->settled = get(x, in, 0, OPTIONS - d->count);
  i32 words = (d->count + d->settled) * width_of(d->form);
  if (words > most_words || d->low > d->high || d->high > d->count) fail(x, FAIL_LOAD);
  for (i32 k = 0; k < words; k++) options[k] = get_any(x, in);
  return 1;
}

static void load(X *x, In *in) {
  S *s = x->s;
  memset(s, 0, offsetof(S, heap));
  clear_frames(s);
  s->seed = get_wide(x, in);
  s->chance = (i64)get_wide(x, in);
  s->serial = get_any(x, in);
  s->has_result = get(x, in, 0, 1);
  s->results = get(x, in, 0, SEATS);
  for (i32 k = 0; k < s->results; k++) s->result[k] = get(x, in, 0, SEATS - 1);
  for (i32 k = 0; k < CELLS; k++) s->cells[k] = get_any(x, in);
  for (i32 k = 0; k < OBJECTS; k++) s->where[k] = -1;
  i32 laid = 0;
  for (i32 z = 0; z < ZONES; z++) {
    empty_zone(s, z);
    for (i32 n = get(x, in, 0, OBJECTS); n > 0; n--, laid++) {
      i32 o = get(x, in, 0, OBJECTS - 1);
      if (s->where[o] >= 0) fail(x, FAIL_LOAD);
      lay(s, o, z, -1);
    }
  }
  if (laid != OBJECTS) fail(x, FAIL_LOAD);
  for (i32 k = 0; k < OBJECTS; k++) s->holder[k] = (i8)get(x, in, -1, SEATS - 1);
  for (i32 k = 0; k < OBJECTS; k++) knows(s, k, (SeatMask)get(x, in, 0, EVERYBODY));
  s->floor = get(x, in, 0, DEEPEST);
  get_frames(x, in);
  if (s->floor > s->frames) fail(x, FAIL_LOAD);
  if (s->floor && s->frames == s->floor) s->floor_words = s->words, s->floor_top = s->top;
  s->strand = get(x, in, -1, STRANDS - 1);
  s->strands = get(x, in, 0, HAS_STRANDS ? STRANDS : 0);
  if (s->strands ? s->strand >= s->strands || !s->floor : s->floor) fail(x, FAIL_LOAD);
#if HAS_STRANDS
  i32 frames = s->frames, words = s->words, top = s->top;
  for (i32 k = 0; k < s->strands; k++) {
    Strand *to = &s->strandstore[k];
    i32 floor = s->floor;
    s->frames = s->floor, s->words = words, s->top = s->floor_top; /* read behind what is there, then laid as if at the floor */
    s->floor = 0;
    get_frames(x, in);
    s->floor = floor;
    to->words = s->words - words;
    to->frames = s->frames - s->floor;
    to->top = to->frames ? s->top - words : 0;
    if (to->words > (i32)(sizeof to->stack / sizeof(i32))) fail(x, FAIL_ROOM);
    memcpy(to->stack, s->stack + words, (size_t)to->words * sizeof(i32));
    for (i32 at = 0; at < to->words;) {
      Frame *f = (Frame *)(void *)(to->stack + at);
      if (at) f->below += s->floor_words - words;
      at += frame_words(f);
    }
    to->pending = get_decision(x, in, &to->asked, to->options, STRAND_OPTIONS);
    s->frames = frames, s->words = words, s->top = top;
  }
#endif
  s->pending = get_decision(x, in, &s->asked, s->options, OPTIONS * ROW);
  s->lastings = get(x, in, 0, LASTING);
  for (i32 k = 0; k < s->lastings; k++) {
    Last *each = &s->lasting[k];
    each->number = get(x, in, 0, UNTILS - 1);
    each->serial = get_any(x, in);
    each->you = get(x, in, -1, SEATS - 1);
    each->owner = get(x, in, -1, SEATS - 1);
    each->self = get_any(x, in);
    each->here = get_any(x, in);
    each->count = get(x, in, UNTIL_SLOTS[each->number], UNTIL_SLOTS[each->number]);
    i32 *at = heap_room(x, 2 * each->count);
    each->slots = (i32)(at - s->heap);
    for (i32 j = 0; j < each->count; j++) ((Slot *)(void *)at)[j] = get_slot(x, in);
  }
  s->uses = get(x, in, 0, USES);
  for (i32 k = 0; k < s->uses; k++) {
    s->used[k].number = get(x, in, 0, ABILITIES - 1);
    s->used[k].seat = get(x, in, -1, SEATS - 1);
    s->used[k].self = get_any(x, in);
    s->used[k].count = get_any(x, in);
  }
  if (in->read != in->n) fail(x, FAIL_LOAD);
}

API int dr_load(X *x, S *s, const i32 *from, i64 words) {
  In in = {from, words, 0};
  enter(x, s);
  if (setjmp(x->out)) return -x->why;
  load(x, &in);
  return status(s);
}

/* ---- what a position is worth */

/* The seats that take part, and points and tie-breakers of each; gives how many seats. */
API int dr_standings(X *x, S *s, i32 *seats, i64 *points) {
  enter(x, s);
  if (setjmp(x->out)) return -x->why;
  if (POINTS == 0) return 0;
  Group all = taking_part(x);
  if (all.n > SEATS) fail(x, FAIL_ROOM);
  for (i32 k = 0; k < all.n; k++) {
    seats[k] = all.at[k];
    seat_points(x, all.at[k], points + k * POINTS);
  }
  return all.n;
}

/* What the position of every seat is worth. */
static void find_worths(X *x, i64 *worths) {
  i32 *before = x->room;
  for (i32 seat = 0; seat < SEATS; seat++) {
    worths[seat] = worth_of(x, loose(x, seat, seat, -1, -1, 0));
    x->room = before;
  }
}

API int dr_worths(X *x, S *s, i64 *worths) {
  enter(x, s);
  if (setjmp(x->out)) return -x->why;
  find_worths(x, worths);
  return 0;
}
