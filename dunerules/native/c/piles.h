/* Chance, and piles: objects carried from zone to zone, drawn from an end, drawn by chance, rows that are kept full. */

static inline u64 mixed(u64 seed, u64 counter) {
  u64 z = seed * 0x9E3779B97F4A7C15u + (counter + 1) * 0xD1B54A32D192ED03u;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}

/* The upper half of the product of 64 bits and 32. */
static inline i64 below(u64 seed, i64 counter, u32 limit) {
  u64 drawn = mixed(seed, (u64)counter);
  return (i64)(((drawn >> 32) * limit + (((drawn & 0xFFFFFFFFu) * limit) >> 32)) >> 32);
}

static inline i64 draw(X *x, i64 limit) {
  if (limit < 1 || limit > INT32_MAX) fail(x, FAIL_ROOM);
  return below(x->s->seed, x->s->chance++, (u32)limit);
}

static void mix(X *x, i32 *at, i32 n) {
  for (i32 last = n - 1; last > 0; last--) {
    i32 other = (i32)draw(x, last + 1), held = at[last];
    at[last] = at[other];
    at[other] = held;
  }
}

/* Some rows by chance: a row is one number, or an option of several. */
static Group at_random(X *x, Group g, i64 count, i32 width) {
  i32 n = g.n, *left = room(x, (i64)n * width), *found = room(x, (i64)n * width), picked = 0;
  if (n) memcpy(left, g.at, (size_t)n * (size_t)width * sizeof(i32));
  for (; picked < count && n > 0; picked++, n--) {
    i32 at = (i32)draw(x, n);
    memcpy(found + picked * width, left + at * width, (size_t)width * sizeof(i32));
    memmove(left + at * width, left + (at + 1) * width, (size_t)(n - at - 1) * (size_t)width * sizeof(i32));
  }
  return (Group){found, picked};
}

/* ---- what is known */

static inline void knows(S *s, i32 o, SeatMask mask) {
  s->knowing += (mask != 0) - (s->known[o] != 0);
  s->known[o] = mask;
}

static void follow(X *x, Group moved, Group laid, i32 source, i32 target, int named, i64 by) {
  S *s = x->s;
  SeatMask saw = SEEN[source] & (SeatMask)~SEEN[target];
  SeatMask blind = EVERYBODY & (SeatMask)~(SEEN[source] | SEEN[target]), sure = blind;
  if (named && blind) {
    SeatMask sharp = PICKED_BY[index_of(x, by, SEATS + 1)] & blind;
    int left = 0;
    for (i32 o = s->head[source]; o >= 0; o = s->next[o]) {
      if (source == target && contains(laid, o)) continue;
      left = 1;
      if (s->known[o] & blind & (SeatMask)~sharp) knows(s, o, s->known[o] & (SeatMask)~(blind & (SeatMask)~sharp));
    }
    if (left) sure = sharp;
  }
  for (i32 k = 0; k < moved.n; k++) knows(s, moved.at[k], (s->known[moved.at[k]] & sure) | saw);
}

/* ---- marks: counters on single objects */

#if MARKS
static void unmark(X *x, Group g) {
  for (i32 k = 0; k < g.n; k++)
    for (i32 m = MARK_FIRST[g.at[k]]; m < MARK_FIRST[g.at[k] + 1]; m++) x->s->cells[MARK_CELL[m]] = MARK_START[m];
}

static void marks_leave(X *x, Group g, i32 target) {
  for (i32 k = 0; k < g.n; k++)
    for (i32 m = MARK_FIRST[g.at[k]]; m < MARK_FIRST[g.at[k] + 1]; m++)
      if (MARK_ZONES[m] >= 0 && !MARK_KEPT[MARK_ZONES[m] * ZONES + target]) x->s->cells[MARK_CELL[m]] = MARK_START[m];
}

/* Whether a seat sees the same marks on two objects. */
static int marked_alike(S *s, i64 seat, i32 one, i32 other) {
  i32 a = MARK_FIRST[one], a_end = MARK_FIRST[one + 1], b = MARK_FIRST[other], b_end = MARK_FIRST[other + 1];
  for (;;) {
    while (a < a_end && MARK_OWNER[a] != -2 && MARK_OWNER[a] != seat) a++;
    while (b < b_end && MARK_OWNER[b] != -2 && MARK_OWNER[b] != seat) b++;
    if (a == a_end || b == b_end) return a == a_end && b == b_end;
    if (s->cells[MARK_CELL[a++]] != s->cells[MARK_CELL[b++]]) return 0;
  }
}
#else
static inline void unmark(X *x, Group g) { (void)x, (void)g; }
static inline void marks_leave(X *x, Group g, i32 target) { (void)x, (void)g, (void)target; }
static inline int marked_alike(S *s, i64 seat, i32 one, i32 other) { return (void)s, (void)seat, (void)one, (void)other, 1; }
#endif

/* ---- zones are linked lists of objects */

static inline void take_out(S *s, i32 o) {
  i32 z = s->where[o], n = s->next[o], p = s->prev[o];
  if (p >= 0) s->next[p] = (i16)n; else s->head[z] = (i16)n;
  if (n >= 0) s->prev[n] = (i16)p; else s->tail[z] = (i16)p;
  s->size[z]--;
}

/* Lay an object before another one, or at the end. */
static inline void lay(S *s, i32 o, i32 z, i32 before) {
  i32 p = before >= 0 ? s->prev[before] : s->tail[z];
  s->next[o] = (i16)before;
  s->prev[o] = (i16)p;
  if (p >= 0) s->next[p] = (i16)o; else s->head[z] = (i16)o;
  if (before >= 0) s->prev[before] = (i16)o; else s->tail[z] = (i16)o;
  s->where[o] = (i16)z;
  s->size[z]++;
}

static void empty_zone(S *s, i32 z) {
  s->head[z] = s->tail[z] = -1;
  s->size[z] = 0;
}

static Group from_pile(X *x, i64 number, i64 count, int bottom);

static void carry(X *x, Group g, i64 number, i64 position, int named, i64 by) {
  S *s = x->s;
  if (g.n < 1) fail(x, FAIL_BOUNDS);
  i32 target = zone(x, number), *sources = room(x, g.n), *starts = room(x, g.n), count = 0;
  for (i32 k = 0; k < g.n; k++) {
    i32 from = s->where[thing(x, g.at[k])], seen = 0;
    starts[k] = from;
    while (seen < count && sources[seen] != from) seen++;
    if (seen == count) sources[count++] = from;
  }
  for (i32 k = 0; k < g.n; k++) {
    if (s->where[g.at[k]] < 0) fail(x, FAIL_BOUNDS); /* it is named twice */
    take_out(s, g.at[k]);
    s->where[g.at[k]] = -1;
  }
  i32 behind = s->head[target];
  for (i64 k = 1; k < position && behind >= 0; k++) behind = s->next[behind];
  for (i32 k = 0; k < g.n; k++) {
    lay(s, g.at[k], target, behind);
    if (HELD[target] != -2) s->holder[g.at[k]] = (i8)HELD[target];
  }
  for (i32 j = 0; j < count; j++) {
    if (!s->knowing && !(SEEN[sources[j]] & (SeatMask)~SEEN[target])) continue;
    Group moved = g;
    if (count > 1) {
      i32 *some = room(x, g.n), n = 0;
      for (i32 k = 0; k < g.n; k++)
        if (starts[k] == sources[j]) some[n++] = g.at[k];
      moved = (Group){some, n};
    }
    follow(x, moved, g, sources[j], target, named, by);
  }
  if (x->logs) log_carry(x, g, starts, target);
  marks_leave(x, g, target);
  for (i32 j = 0; j < count; j++)
    if (ROW_OF[sources[j]] > 0) {
      i64 missing = ROW_OF[sources[j]] - s->size[sources[j]];
      Group drawn = missing > 0 ? from_pile(x, FILLED_FROM[sources[j]], missing, 0) : (Group){0, 0};
      if (drawn.n) carry(x, drawn, sources[j], 1, 0, 0);
    }
}

static void fill_rows(X *x) {
  for (i32 k = 0; k < ROWS_KEPT; k++) {
    i32 row = ROW_ZONES[k];
    i64 missing = ROW_OF[row] - x->s->size[row];
    Group drawn = missing > 0 ? from_pile(x, FILLED_FROM[row], missing, 0) : (Group){0, 0};
    if (drawn.n) carry(x, drawn, row, 1, 0, 0);
  }
}

static void mixed_onto(X *x, Group fresh, i32 target) {
  mix(x, (i32 *)fresh.at, fresh.n);
  for (i32 k = 0; k < fresh.n; k++) {
    lay(x->s, fresh.at[k], target, -1);
    knows(x->s, fresh.at[k], 0);
  }
}

static int renew(X *x, Group zones) {
  int found = 0;
  for (i32 k = 0; k < zones.n; k++) {
    i32 z = zone(x, zones.at[k]), source = RENEWED_FROM[z];
    if (source < 0) continue;
    Group fresh = pile(x, source);
    empty_zone(x->s, source);
    mixed_onto(x, fresh, z);
    unmark(x, fresh);
    found = found || fresh.n > 0;
  }
  return found;
}

static Group from_pile(X *x, i64 number, i64 count, int bottom) {
  i32 z = zone(x, number);
  if (count < 0) fail(x, FAIL_BOUNDS);
  if (x->s->size[z] < count) renew(x, one(x, z));
  return end_of_pile(x, z, count, bottom);
}

static void shuffle(X *x, Group zones, int marked) {
  for (i32 k = 0; k < zones.n; k++) {
    i32 z = zone(x, zones.at[k]);
    Group all = pile(x, z);
    empty_zone(x->s, z);
    mixed_onto(x, all, z);
    if (marked) unmark(x, all);
  }
}

/* The zones that piles are made anew from, other than the piles themselves. */
static Group refills(X *x, Group zones) {
  i32 *at = room(x, zones.n), n = 0;
  for (i32 k = 0; k < zones.n; k++) {
    i32 source = RENEWED_FROM[zone(x, zones.at[k])];
    if (source >= 0 && !contains(zones, source) && !contains((Group){at, n}, source)) at[n++] = source;
  }
  return (Group){at, n};
}
