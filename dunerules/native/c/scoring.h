/* The winners by score, ties by the tie-breakers in turn; and automated seats that rank what they are asked. */

static Group taking_part(X *x);
static void score_of(X *x, Frame *f, i64 *points);

static void seat_points(X *x, i64 seat, i64 *points) {
  score_of(x, loose(x, seat, seat, -1, -1, 0), points);
}

static void finish(X *x) {
  S *s = x->s;
  i64 best[POINTS + 1], found[POINTS + 1];
  i32 n = 0;
  x->looks = 0;
  s->has_result = 1;
  s->results = 0;
  if (POINTS == 0) return;
  Group seats = taking_part(x);
  for (i32 k = 0; k < seats.n; k++) {
    seat_points(x, seats.at[k], found);
    i32 at = 0;
    while (n > 0 && at < POINTS && found[at] == best[at]) at++;
    if (n > 0 && at < POINTS && found[at] < best[at]) continue;
    if (n == 0 || at < POINTS) {
      memcpy(best, found, sizeof best);
      n = 0;
    }
    if (n >= SEATS) fail(x, FAIL_ROOM);
    s->result[n++] = seats.at[k];
  }
  s->results = n;
}

static i64 *rank_room(X *x, i32 n) {
  x->room += (size_t)(x->room - x->scratch) & 1;
  return (i64 *)(void *)room(x, 2 * (i64)n);
}

static Group rows_joined(X *x, i32 form, Group a, Group b) {
  i32 width = width_of(form), *at = room(x, (i64)(a.n + b.n) * width);
  if (a.n) memcpy(at, a.at, (size_t)(a.n * width) * sizeof(i32));
  if (b.n) memcpy(at + a.n * width, b.at, (size_t)(b.n * width) * sizeof(i32));
  return (Group){at, a.n + b.n};
}

/* The options that are taken by rank alone are settled; left are the equal ones of which only some can be. */
static void best(X *x, const i64 *ranks, i64 wanted, Group *options, Group *settled) {
  i32 n = options->n, *at = room(x, n), *order = room(x, n), taken = 0;
  for (i32 k = 0; k < n; k++) {
    i32 j = k;
    for (; j > 0 && ranks[order[j - 1]] > ranks[k]; j--) order[j] = order[j - 1];
    order[j] = k;
  }
  for (i32 k = 0; k < n; k++) at[k] = options->at[order[k]];
  while (taken < n) {
    i32 end = taken;
    while (end < n && ranks[order[end]] == ranks[order[taken]]) end++;
    if (end > wanted) {
      *settled = (Group){at, taken};
      *options = (Group){at + taken, end - taken};
      return;
    }
    taken = end;
  }
  *settled = (Group){at, n};
  *options = (Group){0, 0};
}

static Group decider_seats(X *x, Any found) {
  return found.tag == GROUP ? (Group){found.at, found.n} : one(x, number_of(x, found));
}

