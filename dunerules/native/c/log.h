/* The log: what has happened, as numbers outside of the state. It is kept only while somebody wants it (`logs`), and never of
 * what is tried. An entry is the number of its parts, and each part with what it is: as slots have it, or one of these. */

enum { LOG_LIST = 6, LOG_ORIGIN, LOG_OPTIONS }; /* parts; who acts, the program and the place in it; options of a form */

#define SELDOM __attribute__((cold, noinline))

static SELDOM void log_word(X *x, i64 word) {
  if (x->logged == x->log_room) {
    i64 wanted = x->log_room ? 2 * x->log_room : 4096;
    i32 *more = wanted <= LOG_MOST ? realloc(x->log, (size_t)wanted * sizeof(i32)) : 0;
    if (!more) fail(x, FAIL_ROOM);
    x->log = more;
    x->log_room = wanted;
  }
  x->log[x->logged++] = (i32)word;
}

static SELDOM void log_part(X *x, i32 tag, i64 word) {
  log_word(x, tag);
  log_word(x, word);
}

static SELDOM void log_entry(X *x, i32 parts) { log_word(x, parts); }
static SELDOM void log_number(X *x, i64 found) { log_part(x, NUMBER, member(x, found)); }
static SELDOM void log_text(X *x, i64 text) { log_part(x, text < 0 ? NONE : TEXT, most(text, 0)); }

static SELDOM void log_group(X *x, Group g) {
  log_part(x, GROUP, g.n);
  for (i32 k = 0; k < g.n; k++) log_word(x, g.at[k]);
}

static SELDOM void log_any(X *x, Any a) {
  if (a.tag == GROUP) log_group(x, (Group){a.at, a.n});
  else log_part(x, a.tag, a.tag == NONE ? 0 : member(x, a.x));
}

/* Who acts, and which place of a program it is, if a program does it. */
static SELDOM void log_origin(X *x, const Frame *f, i32 pc) {
  if (!f) {
    log_part(x, LOG_LIST, 0);
    return;
  }
  log_part(x, LOG_ORIGIN, f->you);
  log_word(x, f->program);
  log_word(x, pc);
}

/* What a counter was and has become, and by which verb. */
static SELDOM void log_change(X *x, i64 text, i64 number, i64 before, i64 after, i64 verb) {
  log_entry(x, 6);
  log_text(x, text);
  log_number(x, number);
  log_number(x, before);
  log_number(x, after);
  log_text(x, verb);
  log_origin(x, 0, 0);
}

/* The next objects that are carried are so by this frame, at this place. */
static inline void carried_by(X *x, const Frame *f, i32 pc) {
  x->carrier = f;
  x->carried_at = pc;
}

static void log_carry(X *x, Group g, const i32 *starts, i32 target) {
  SeatMask told = EVERYBODY;
  for (i32 k = 0; k < g.n; k++) told &= x->s->known[g.at[k]];
  log_entry(x, 6);
  log_text(x, TEXT_carry);
  log_group(x, g);
  log_group(x, (Group){starts, g.n});
  log_number(x, target);
  log_number(x, told);
  log_origin(x, x->carrier, x->carried_at);
  x->carrier = 0;
}

/* Something begins or ends to last. */
static void log_lasting(X *x, i32 text, const Last *each) {
  const Slot *slots = (const Slot *)(const void *)(x->s->heap + each->slots);
  log_entry(x, 8);
  log_text(x, text);
  log_number(x, each->number);
  log_number(x, each->serial);
  log_number(x, each->you);
  log_number(x, each->owner);
  log_number(x, each->self);
  log_number(x, each->here);
  log_part(x, LOG_LIST, each->count);
  for (i32 k = 0; k < each->count; k++) log_any(x, slot_any(x, slots[k]));
}

static void log_seen(X *x, i64 seat, Group g) {
  log_entry(x, 4);
  log_text(x, TEXT_see);
  log_number(x, seat);
  log_group(x, g);
  log_group(x, lying_once(x, g));
}

/* What had one answer only and was not asked. */
static void log_forced(X *x, i64 seat, i32 kind, i32 form, Group options) {
  i32 words = options.n * (form == AS_ROWS ? ROW : 1);
  log_entry(x, -3);
  log_number(x, seat);
  log_text(x, kind);
  log_part(x, LOG_OPTIONS, form);
  log_word(x, options.n);
  for (i32 k = 0; k < words; k++) log_word(x, options.at[k]);
}
