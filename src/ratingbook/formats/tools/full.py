"""What a system answers that has no room for what is written."""

from __future__ import annotations

import errno

NO_ROOM = frozenset((errno.ENOSPC, errno.EDQUOT, errno.EFBIG))
"""Of a disk, of what its user may take, of a file."""
