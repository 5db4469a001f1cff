"""Which system is right, and how right: predictions, their scores, and what a difference means."""
