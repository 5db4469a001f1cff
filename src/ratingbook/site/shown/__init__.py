"""What pages show: frozen dataclasses, made by plain functions."""
