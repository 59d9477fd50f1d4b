"""Native speed: the same core printed as C, compiled by the compiler at hand, and called.

What is printed is one unit of C11 for one table (packs, seats, options): its programs, expressions, abilities and plans
from the records of the core, and behind them a fixed runtime (`c/`) for what functions of the machine do. A state is
one block without pointers; it is converted to a `State` and back at any decision.

Both back ends play the same game. What the printer does not know is refused with a reason (`UnsupportedError`), and a
game that goes beyond a limit, or has no room in the block, ends with a status: in both cases Python plays it, with its
own words for what is wrong.

Covered is all of the language: automated seats, strands, marks, lasting effects, limits, trials, sights, the log. Not
covered are bots that search, redeals, and tables beyond 16 seats, 32,000 objects or 8 MB of C.
"""
