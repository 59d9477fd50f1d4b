/* The machine: one loop that runs frames until somebody must decide; strands; the end. */

static void ended(X *x, i32 label, i64 you, const Slot *slots, i32 count); /* printed: what comes of an end */
static int end_test(X *x, Frame *f);                                        /* printed: whether the game is over */
static void announce_change(X *x, Frame *f);                                /* printed: a change that had to wait */

static void end_of_program(X *x, Frame *f) {
  i32 label = f->mark ? -1 : f->label;
  pop(x->s);
  ended(x, label, f->you, f->slot, f->count);
}

static int leave(X *x, i32 label) {
  S *s = x->s;
  i32 at = s->frames ? s->top : -1, left = 0;
  for (; at >= 0; at = frame_at(s, at)->below, left++)
    if (frame_at(s, at)->label == label && !frame_at(s, at)->mark) break;
  if (at < 0) return 0;
  Frame *f = frame_at(s, at);
  if (s->frames - 1 - left < s->floor) join(s);
  s->frames -= left + 1;
  s->words = at;
  s->top = f->below;
  ended(x, label, f->you, f->slot, f->count);
  return 1;
}

static void win(X *x, Group seats) {
  S *s = x->s;
  Group all = sorted(x, seats);
  if (all.n > SEATS) fail(x, FAIL_ROOM);
  memcpy(s->result, all.at, (size_t)all.n * sizeof(i32));
  s->results = all.n;
  s->has_result = 1;
  clear_frames(s);
  join(s);
}

static void filling(X *x, Frame *f) {
  if (f->pc == 0) fill_rows(x);
  f->pc = 1;
  end_of_program(x, f);
}

static void checking(X *x, Frame *f) {
  S *s = x->s;
  int ending = 0;
  pop(s);
  for (i32 at = 0; at < s->words; at += frame_words(frame_at(s, at)))
    ending = ending || frame_at(s, at)->program == PROGRAM_LAST;
  if (!ending && end_test(x, f)) {
    clear_frames(s);
    join(s);
  }
}

static void finishing(X *x, Frame *f) {
  (void)f;
  pop(x->s);
  finish(x);
}

static void run_out(X *x) {
  if (x->s->has_result) return;
  if (PROGRAM_LAST < 0) {
    finish(x);
    return;
  }
  push_frame(x, PROGRAM_FINISHING, -1, -1, -1, 0);
  push(x, PROGRAM_LAST, -1, -1, -1, 0);
}

/* ---- strands: the part of one seat in what several seats do at once lies in the stack, the others wait */

#if HAS_STRANDS
static void copy_decision(Decision *to, i32 *to_options, const Decision *from, const i32 *options) {
  *to = *from;
  memcpy(to_options, options, (size_t)((from->count + from->settled) * width_of(from->form)) * sizeof(i32));
}

static void put_away(X *x) {
  S *s = x->s;
  Strand *to = &s->strandstore[s->strand];
  to->words = s->words - s->floor_words;
  if (to->words > (i32)(sizeof to->stack / sizeof(i32))) fail(x, FAIL_ROOM);
  memcpy(to->stack, s->stack + s->floor_words, (size_t)to->words * sizeof(i32));
  to->frames = s->frames - s->floor;
  to->top = s->top - s->floor_words;
  to->pending = s->pending;
  if (s->pending) {
    if ((s->asked.count + s->asked.settled) * width_of(s->asked.form) > STRAND_OPTIONS) fail(x, FAIL_ROOM);
    copy_decision(&to->asked, to->options, &s->asked, s->options);
  }
}

/* Run another strand; the one that was run waits. What is relative to the floor stays so. */
static void take_up(X *x, i32 number) {
  S *s = x->s;
  if (number == s->strand) return;
  if (s->strand >= 0) put_away(x);
  if (number < 0 || number >= s->strands) fail(x, FAIL_BOUNDS);
  Strand *from = &s->strandstore[number];
  memcpy(s->stack + s->floor_words, from->stack, (size_t)from->words * sizeof(i32));
  s->words = s->floor_words + from->words;
  s->frames = s->floor + from->frames;
  s->top = from->frames ? s->floor_words + from->top : s->floor_top;
  s->pending = from->pending;
  if (from->pending) copy_decision(&s->asked, s->options, &from->asked, from->options);
  from->words = from->frames = from->pending = 0;
  s->strand = number;
}

static i32 unasked(S *s, i32 but) {
  for (i32 k = 0; k < s->strands; k++)
    if (k != but && !s->strandstore[k].pending) return k;
  return 0;
}

/* A seat of several is asked: first the others come to their questions, then the first in order answers. */
static void ask_together(X *x) { take_up(x, unasked(x->s, x->s->strand)); }

/* A seat of several has done its part. */
static void next_strand(X *x) {
  S *s = x->s;
  if (s->strand >= 0) {
    for (i32 k = s->strand; k + 1 < s->strands; k++) s->strandstore[k] = s->strandstore[k + 1];
    s->strands--;
    s->strand = -1;
  }
  if (!s->strands) join(s);
  else take_up(x, unasked(s, -1));
}

/* Each seat answers in a strand of its own; inside a strand they take turns. */
static void secretly(X *x, Frame *f, i32 program, i32 item, i32 pc, Group part) {
  S *s = x->s;
  i32 first = first_seat(s, f->you), floor = s->frames, words = s->words, top = s->top, n = 0;
  if (part.n > 0 && item >= f->count) fail(x, FAIL_BOUNDS);
  for (i32 k = 0; k < SEATS; k++) {
    i32 seat = (first + (s->floor ? SEATS - 1 - k : k)) % SEATS;
    if (!contains(part, seat)) continue;
    Frame *g = push_frame(x, program, seat, f->self, f->here, f->count);
    memcpy(g->slot, f->slot, (size_t)f->count * sizeof(Slot));
    g->slot[item] = (Slot){NUMBER, seat};
    g->owner = f->owner;
    g->label = TEXT_empty;
    g->pc = pc;
    if (s->floor) continue;
    Strand *to = &s->strandstore[n++];
    to->words = frame_words(g);
    if (to->words > (i32)(sizeof to->stack / sizeof(i32))) fail(x, FAIL_ROOM);
    memcpy(to->stack, g, (size_t)to->words * sizeof(i32));
    to->frames = 1, to->top = 0, to->pending = 0;
    s->frames = floor, s->words = words, s->top = top;
  }
  if (s->floor) return;
  s->floor = floor, s->floor_words = words, s->floor_top = top;
  s->strands = n, s->strand = -1;
}
#else
static inline void ask_together(X *x) { (void)x; }
static inline void next_strand(X *x) { fail(x, FAIL_BOUNDS); }
#endif

/* Run until a decision is pending or the game is over. */
static void run(X *x) {
  S *s = x->s;
  i32 *before = x->room;
  x->fuel = x->depth = 0;
  x->looks = 0;
  if (!s->frames && !s->has_result) finish(x);
  while (!s->has_result) {
    while (s->frames) {
      if (s->floor && s->frames == s->floor) next_strand(x);
      else {
        Frame *f = top_frame(s);
        if ((u32)f->program >= PROGRAMS) fail(x, FAIL_BOUNDS);
        at_place(x, before);
        PROGRAM[f->program](x, f);
        if (s->pending && s->floor) ask_together(x);
      }
      if (s->pending) {
        x->room = before;
        if (s->floor) sights(x); /* it may have been asked before others did their part */
        if (s->heaped > HEAP_TIDY) sweep(x);
        return;
      }
    }
    run_out(x);
  }
  sights(x);
}
