/* Trials: steps tried on a copy of the game, to know whether all of them are possible. */

#define TRIAL_ROOM 64
enum { TRY_NO, TRY_YES, TRY_ON };

typedef struct { Frame *f; i32 program, pc, end, option, depth; } At;
typedef struct { At at[TRIAL_ROOM]; i32 n; } Trial;

static int try_step(X *x, Trial *t); /* printed: what the code does where a trial stands */

static void copy_live(S *to, const S *from);

/* A copy of the game without frames: nothing of it waits or is asked. */
static S *copied(X *x) {
  x->room += (size_t)(x->room - x->scratch) & 1;
  S *copy = (S *)(void *)room(x, (i64)(offsetof(S, stack) / sizeof(i32)));
  copy_live(copy, x->s);
  clear_frames(copy);
  join(copy);
  copy->pending = copy->answered = 0;
  return copy;
}

static Frame *copied_frame(X *x, const Frame *f) {
  Frame *copy = (Frame *)(void *)room(x, frame_words(f));
  memcpy(copy, f, (size_t)frame_words(f) * sizeof(i32));
  return copy;
}

static Trial *new_trial(X *x) {
  x->room += (size_t)(x->room - x->scratch) & 1;
  Trial *t = (Trial *)(void *)room(x, (i64)(sizeof(Trial) / sizeof(i32)));
  t->n = 0;
  return t;
}

static Trial *copied_trial(X *x, const Trial *t) {
  Trial *copy = new_trial(x);
  copy->n = t->n;
  for (i32 k = 0; k < t->n; k++) {
    copy->at[k] = t->at[k];
    copy->at[k].f = copied_frame(x, t->at[k].f);
  }
  return copy;
}

static At *top_at(Trial *t) { return &t->at[t->n - 1]; }

static void stand(X *x, Trial *t, Frame *f, i32 program, i32 pc, i32 end, i32 option, i32 depth) {
  if (t->n >= TRIAL_ROOM) fail(x, FAIL_ROOM);
  t->at[t->n++] = (At){f, program, pc, end, option, depth};
}

static int go(X *x, Trial *t) {
  while (t->n) {
    At *at = top_at(t);
    if (at->pc >= at->end) {
      t->n--;
      continue;
    }
    int found = try_step(x, t);
    if (found != TRY_ON) return found == TRY_YES;
  }
  return 1;
}

/* Goes on in a copy of the game, and in copies of the frames; `take` is done there first. */
static int branch(X *x, const Trial *t, void (*take)(X *, Frame *, Group), Group picked) {
  S *before = x->s;
  i32 *kept = x->room, logs = x->logs;
  x->logs = 0;
  Trial *copy = copied_trial(x, t);
  x->s = copied(x);
  if (take) take(x, top_at(copy)->f, picked);
  int found = go(x, copy);
  x->logs = logs;
  x->s = before;
  x->room = kept;
  return found;
}

/* One of several options must be possible. */
static int try_option(X *x, const Trial *t, i32 pc, i32 end) {
  const At *at = &t->at[t->n - 1];
  Trial *one = new_trial(x);
  stand(x, one, at->f, at->program, pc, end, 1, at->depth);
  return branch(x, one, 0, (Group){0, 0});
}

/* Every way to pick some that differs from the others in more than which of equal copies it takes: of those that are alike
 * always the first. */
static int try_unlike(X *x, Trial *t, Group left, i32 *picked, i32 n, i32 wanted, void (*take)(X *, Frame *, Group)) {
  if (n == wanted) {
    if (x->tries-- <= 0) return TRY_YES;
    return branch(x, t, take, (Group){picked, n}) ? TRY_YES : TRY_NO;
  }
  i64 you = top_at(t)->f->you;
  i32 *before = x->room, *passed = room(x, left.n), *rest = room(x, left.n), count = 0;
  for (i32 k = 0; k < left.n && left.n - k >= wanted - n; k++) {
    i32 following = 0, known = 0;
    for (i32 j = 0; j < count && !known; j++) known = alike(x->s, you, thing(x, passed[j]), thing(x, left.at[k]));
    if (known) continue;
    for (i32 m = k + 1; m < left.n; m++) {
      int gone = 0;
      for (i32 j = 0; j < count && !gone; j++) gone = alike(x->s, you, thing(x, passed[j]), thing(x, left.at[m]));
      if (!gone) rest[following++] = left.at[m];
    }
    picked[n] = left.at[k];
    if (try_unlike(x, t, (Group){rest, following}, picked, n + 1, wanted, take) == TRY_YES) return TRY_YES;
    passed[count++] = left.at[k];
  }
  x->room = before;
  return TRY_NO;
}

/* Some pick must make the rest possible; the trial stands behind it. */
static int try_picks(X *x, Trial *t, Group things, i64 count, void (*take)(X *, Frame *, Group)) {
  count = least(count, things.n);
  if (count <= 0) return TRY_ON;
  i64 you = top_at(t)->f->you;
  Group ways = distinct(x, you, things);
  if (count == 1) {
    for (i32 k = 0; k < ways.n; k++) {
      if (x->tries-- <= 0) return TRY_YES;
      if (branch(x, t, take, (Group){ways.at + k, 1})) return TRY_YES;
    }
    return TRY_NO;
  }
  i32 n = (i32)count, *which = room(x, n), *picked = room(x, n);
  if (ways.n < things.n) return try_unlike(x, t, at_most(x, you, things, count), picked, 0, n, take);
  for (i32 k = 0; k < n; k++) which[k] = k;
  for (;;) {
    if (x->tries-- <= 0) return TRY_YES;
    for (i32 k = 0; k < n; k++) picked[k] = things.at[which[k]];
    if (branch(x, t, take, (Group){picked, n})) return TRY_YES;
    i32 last = n - 1;
    while (last >= 0 && which[last] == things.n - n + last) last--;
    if (last < 0) return TRY_NO;
    which[last]++;
    for (i32 k = last + 1; k < n; k++) which[k] = which[k - 1] + 1;
  }
}

/* Some number that a die can show must make the rest possible. */
static int try_roll(X *x, Trial *t, i64 sides, i32 number) {
  Frame *f = top_at(t)->f;
  if (sides <= 0) {
    *slot(x, f, number) = (Slot){NUMBER, 0};
    return TRY_ON;
  }
  for (i64 shown = 1; shown <= sides; shown++) {
    if (x->tries-- <= 0) return TRY_YES;
    *slot(x, f, number) = number_slot(x, shown);
    if (branch(x, t, 0, (Group){0, 0})) return TRY_YES;
  }
  return TRY_NO;
}

/* Whether all between two places of a program can be done, in a frame. */
static int possible(X *x, Frame *f, i32 program, i32 start, i32 end, int option) {
  i32 tries = x->tries, *before = x->room;
  x->tries = TRIES;
  Trial *t = new_trial(x);
  stand(x, t, f, program, start, end, option, 0);
  int found = branch(x, t, 0, (Group){0, 0});
  x->tries = tries;
  x->room = before;
  return found;
}

/* Those things that can be picked for a step of a cost so that the rest can still be paid; all, if none can. */
static Group leaving(X *x, Frame *f, i32 program, i32 pc, i32 end, Group things, void (*take)(X *, Frame *, Group)) {
  i32 *found = room(x, things.n), n = 0;
  for (i32 k = 0; k < things.n; k++) {
    i32 tries = x->tries, *before = x->room;
    x->tries = TRIES;
    Trial *t = new_trial(x);
    stand(x, t, f, program, pc + 1, end, 0, 0);
    if (branch(x, t, take, (Group){things.at + k, 1})) found[n++] = things.at[k];
    x->tries = tries;
    x->room = before;
  }
  return n ? (Group){found, n} : things;
}
