"""``python -m toolglot.cli``."""

import sys

from . import main

sys.exit(main())
