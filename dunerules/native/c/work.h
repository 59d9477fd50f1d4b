/* What printed expressions are helped by: members that are still to be found, what is asked once, modifiers, the board. */

#define SOME_MEMBERS (OBJECTS + THINGS + ZONES + SEATS + 64)

typedef struct { i32 *at, n, room; } Into;

static inline Into make_room(X *x, i64 most) { return (Into){room(x, most), 0, (i32)most}; }

static inline void add(X *x, Into *into, i64 found) {
  if (into->n >= into->room) fail(x, FAIL_ROOM);
  into->at[into->n++] = member(x, found);
}

static inline void add_once(X *x, Into *into, i64 found) {
  if (!contains((Group){into->at, into->n}, found)) add(x, into, found);
}

/* By number: what was asked about it, or -1. */
static i8 *new_store(X *x) {
  i8 *found = (i8 *)room(x, SOME_MEMBERS / 4 + 1);
  memset(found, -1, SOME_MEMBERS);
  return found;
}

static inline i8 *once(X *x, i8 *store, i64 key) { return &store[index_of(x, key < 0 ? SOME_MEMBERS : key, SOME_MEMBERS)]; }

/* ---- changes of a value by modifiers: `=`, then `*`, then `+` and `-` */

typedef struct { i32 n; struct { i32 order, sign; i64 amount; } each[64]; } Changes;

static void add_change(X *x, Changes *all, i32 order, i32 sign, i64 amount) {
  if (all->n >= 64) fail(x, FAIL_ROOM);
  all->each[all->n].order = order;
  all->each[all->n].sign = sign;
  all->each[all->n++].amount = amount;
}

static i64 changed_value(X *x, const Changes *all, i64 value) {
  for (i32 order = 0; order < 3; order++)
    for (i32 k = 0; k < all->n; k++) {
      if (all->each[k].order != order) continue;
      i64 amount = all->each[k].amount;
      if (apart(value, 0) > LARGEST || apart(amount, 0) > LARGEST) fail(x, FAIL_ROOM);
      switch (all->each[k].sign) {
        case 0: value = amount; break;
        case 1: value *= amount; break;
        case 2: value += amount; break;
        default: value -= amount; break;
      }
    }
  return most(value, 0);
}

/* ---- the board */

static i64 ahead(X *x, const i32 *starts, const i32 *members, const i32 *which, const i32 *at, i32 size, i64 place, i64 steps) {
  if (place < 0 || place >= size || which[place] < 0) return -1;
  i32 ring = which[place], length = starts[ring + 1] - starts[ring];
  (void)x;
  if (length < 1) return -1;
  i64 found = (at[place] + steps) % length;
  return members[starts[ring] + (found < 0 ? found + length : found)];
}

/* So many steps in a direction of a grid, or back: lines of places both ways, by place of a grid and direction. */
static i64 stepped(const i32 *starts, const i32 *members, const i32 *back, const i32 *behind, const i32 *leads, const i32 *at,
                   i32 size, i32 directions, i64 place, i64 direction, i64 steps) {
  if (place < 0 || place >= size || at[place] < 0 || direction < 0 || direction >= directions) return -1;
  i64 row = (i64)at[place] * directions + direction, n = steps < 0 ? -steps : steps;
  if (steps == 0) return leads[row] ? place : -1;
  if (steps < 0) starts = back, members = behind;
  return n <= starts[row + 1] - starts[row] ? members[starts[row] + n - 1] : -1;
}

static Group line(X *x, const i32 *starts, const i32 *members, i32 size, i32 directions, i64 place, i64 direction) {
  (void)x;
  if (place < 0 || place >= size || direction < 0 || direction >= directions) return (Group){0, 0};
  i64 row = place * directions + direction;
  return (Group){members + starts[row], starts[row + 1] - starts[row]};
}
