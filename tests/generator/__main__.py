"""`python -m tests.generator`."""

import sys

from .run import main

sys.exit(main())
