/* Bots, whole games and playouts, as `bots.py` has them. A failure anywhere ends the game: Python plays it. */

/* How a seat plays: so many answers it tries at most, or 0 to take any; then it looks so many of its own decisions ahead. */
typedef struct { i32 tried, ahead; } Policy;
typedef struct { u64 seed; i64 counter; Policy policy; } Bot;

static inline i64 bot_below(Bot *bot, i64 limit) {
  bot->counter++;
  return limit == 1 ? 0 : below(bot->seed, bot->counter, (u32)limit);
}

/* Any legal answer: each number of options as likely, and each option; of objects that are alike the first. */
static i32 drawn(X *x, Bot *bot, i32 *into) {
  const Decision *asked = &x->s->asked;
  i32 n = asked->count, count = asked->low + (i32)bot_below(bot, asked->high - asked->low + 1), *before = x->room;
  if (count == 1) into[0] = (i32)bot_below(bot, n);
  else {
    i32 *left = room(x, n);
    for (i32 k = 0; k < n; k++) left[k] = k;
    for (i32 k = 0; k < count; k++, n--) {
      i32 at = (i32)bot_below(bot, n);
      into[k] = left[at];
      memmove(left + at, left + at + 1, (size_t)(n - at - 1) * sizeof(i32));
    }
  }
  if (asked->high > 1 && asked->kind == TEXT_thing && asked->form == AS_NUMBERS)
    first_alike(x, asked->acting, x->s->options, asked->count, into, count);
  x->room = before;
  return count;
}

static void give(S *s, Group answer) {
  if (answer.n) memcpy(s->answer, answer.at, (size_t)answer.n * sizeof(i32));
  s->answers = answer.n;
  s->answered = 1;
}

/* ---- the answer after which the own position is worth most, as far as one step shows */

typedef struct { Group *at; i32 n; } Answers;

static Answers new_answers(X *x, i32 count) {
  x->room += (size_t)(x->room - x->scratch) & 1; /* pointers lie on even words */
  return (Answers){(Group *)(void *)room(x, (i64)((size_t)count * sizeof(Group) / sizeof(i32))), 0};
}

static int by_members(Group a, Group b) {
  for (i32 k = 0; k < a.n && k < b.n; k++)
    if (a.at[k] != b.at[k]) return a.at[k] < b.at[k] ? -1 : 1;
  return (a.n > b.n) - (a.n < b.n);
}

/* Every option by itself, too many of them thinned out by chance. */
static Answers single_answers(X *x, Bot *bot) {
  i32 size = x->s->asked.count, n = 0, *numbers = room(x, size + 1);
  if (!x->s->asked.low) numbers[n++] = -1;
  for (i32 k = 0; k < size; k++) numbers[n++] = k;
  for (; n > bot->policy.tried; n--) {
    i32 at = (i32)bot_below(bot, n);
    memmove(numbers + at, numbers + at + 1, (size_t)(n - at - 1) * sizeof(i32));
  }
  Answers all = new_answers(x, n);
  for (; all.n < n; all.n++) all.at[all.n] = (Group){numbers + all.n, numbers[all.n] >= 0};
  return all;
}

/* Of several options at once some answers by chance, in order, equal ones once. */
static Answers some_answers(X *x, Bot *bot) {
  const Decision *asked = &x->s->asked;
  i32 draws = (i32)least(bot->policy.tried, 4 * (i64)asked->count);
  Answers all = new_answers(x, draws);
  for (i32 k = 0; k < draws; k++) {
    i32 *numbers = room(x, asked->high), at = 0;
    Group found = {numbers, drawn(x, bot, numbers)};
    while (at < all.n && by_members(all.at[at], found) < 0) at++;
    if (at < all.n && by_members(all.at[at], found) == 0) continue;
    memmove(all.at + at + 1, all.at + at, (size_t)(all.n++ - at) * sizeof(Group));
    all.at[at] = found;
  }
  return all;
}

/* What an answer leads to is worth: twice the own worth less that of the best other seat. */
static i64 looked_ahead(X *x, S *state, const S *world, i32 seat, Group answer, i32 ahead) {
  i32 *before = x->room;
  i64 worths[SEATS], others = 0;
  dr_clone(state, world);
  if (!legal(state, answer.at, answer.n)) fail(x, FAIL_ANSWER);
  x->s = state;
  give(state, answer);
  run(x);
  for (; ahead > 0 && state->pending && state->asked.seat == seat; ahead--) {
    x->room = before;
    give(state, up_to(x, most(state->asked.low, least(1, state->asked.high)) - 1));
    run(x);
  }
  x->room = before;
  if (state->has_result) return contains((Group){state->result, state->results}, seat) ? (i64)1 << 40 : -((i64)1 << 40);
  find_worths(x, worths);
  for (i32 k = 0, first = 1; k < SEATS; k++)
    if (k != seat) others = first ? worths[k] : most(others, worths[k]), first = 0;
  return 2 * worths[seat] - others;
}

static Group best_answer(X *x, Bot *bot) {
  S *s = x->s;
  i32 seat = s->asked.seat, found = 0;
  Answers all = s->asked.high == 1 ? single_answers(x, bot) : some_answers(x, bot);
  if (!all.n) fail(x, FAIL_BOUNDS);
  if (all.n == 1) return all.at[0];
  S *world = spare(x), *state = spare(x);
  redeal(x, world, s, seat, mixed(bot->seed, (u64)++bot->counter) >> 2);
  i64 best = 0, drew = 0;
  for (i32 k = 0; k < all.n; k++) {
    i64 value = looked_ahead(x, state, world, seat, all.at[k], bot->policy.ahead), chance = -bot_below(bot, 1 << 30);
    if (k && (value != best ? value < best : chance != drew ? chance < drew : by_members(all.at[k], all.at[found]) < 0)) continue;
    best = value, drew = chance, found = k;
  }
  x->s = s;
  return all.at[found];
}

static void choose(X *x, Bot *bot) {
  S *s = x->s;
  if (bot->policy.tried > 0) give(s, best_answer(x, bot));
  else {
    s->answers = drawn(x, bot, s->answer);
    s->answered = 1;
  }
}

/* ---- whole games and playouts */

/* The procedure that the flow itself has started. */
static i32 round_frame(S *s) {
  if (s->frames < 2) return -1;
  const Frame *f = frame_at(s, frame_words(frame_at(s, 0)));
  return !f->mark && IS_PROCEDURE(f->label) ? f->born : -1;
}

/* Decisions, those of them with more than one answer, rounds, and a bit for every seat that has won. */
typedef struct { i64 decisions, open, rounds, winners; } Played;

/* A game to its end, or until so many decisions were made, or so many rounds have ended; one bot a seat. */
static void play_on(X *x, const u64 *bot_seeds, const Policy *policies, i64 longest, i64 rounds, Played *played) {
  S *s = x->s;
  Bot bots[SEATS];
  i32 *before = x->room, round = -1;
  for (i32 k = 0; k < SEATS; k++) bots[k] = (Bot){bot_seeds[k], 0, policies[k]};
  for (; s->pending && played->decisions < longest; played->decisions++) {
    i32 now = round_frame(s);
    if (now >= 0 && now != round) {
      if (played->rounds >= rounds) return;
      round = now;
      played->rounds++;
    }
    played->open += s->asked.high > 0 && s->asked.low < s->asked.count;
    choose(x, &bots[s->asked.seat]);
    x->room = before;
    run(x);
    x->room = before;
  }
  for (i32 k = 0; s->has_result && k < s->results; k++) played->winners |= (i64)1 << s->result[k];
}

API int dr_play(X *x, S *s, u64 seed, const u64 *bot_seeds, const Policy *policies, i64 longest, Played *played) {
  memset(played, 0, sizeof *played);
  enter(x, s);
  if (setjmp(x->out)) return -x->why;
  begin(x, seed);
  x->room = x->scratch;
  play_on(x, bot_seeds, policies, longest, INT64_MAX, played);
  return status(s);
}

/* Many games: what was played of each. Gives how many were played to their end; the others are left to Python. */
API i64 dr_play_many(X *x, S *s, const u64 *seeds, const u64 *bot_seeds, const Policy *policies, i64 games, i64 longest,
                     i32 *statuses, Played *played) {
  i64 over = 0;
  for (i64 k = 0; k < games; k++) {
    statuses[k] = dr_play(x, s, seeds[k], bot_seeds + k * SEATS, policies, longest, &played[k]);
    over += statuses[k] == OVER;
  }
  return over;
}

/* A playout from where a state stands, in a world that a seat cannot tell from it, or there itself (then both may be one);
 * and what the position of every seat is worth then. */
API int dr_play_on(X *x, S *s, S *from, i32 seat, u64 seed, const u64 *bot_seeds, const Policy *policies, i64 longest, i64 rounds,
                   Played *played, i64 *worths) {
  memset(played, 0, sizeof *played);
  enter(x, s);
  if (setjmp(x->out)) return -x->why;
  if (seat >= SEATS) fail(x, FAIL_BOUNDS);
  if (seat >= 0) redeal(x, s, from, seat, seed);
  else if (s != from) dr_clone(s, from);
  play_on(x, bot_seeds, policies, longest, rounds, played);
  x->looks = 0;
  find_worths(x, worths);
  return status(s);
}

API void dr_playouts(X *x, S *s, S *from, i32 seat, const u64 *seeds, const u64 *bot_seeds, const Policy *policies, i64 count,
                     i64 longest, i64 rounds, i32 *statuses, Played *played, i64 *worths) {
  for (i64 k = 0; k < count; k++)
    statuses[k] = dr_play_on(x, s, from, seat, seeds[k], bot_seeds + k * SEATS, policies, longest, rounds, &played[k],
                             worths + k * SEATS);
}
