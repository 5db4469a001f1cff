"""What the office works out without any database: hashes, keys, names, matches, differences."""
