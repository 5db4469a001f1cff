"""What pages show, as frozen dataclasses; each subject has a module."""
