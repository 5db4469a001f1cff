"""What readers and writers of several families work with; nothing here knows a format.

- ``text`` -- the lines of a file in whatever encoding, and ``characters`` -- those that one has;
- ``dates`` -- days in any order of year, month and day;
- ``notes`` -- remarks of one kind become one finding;
- ``written`` -- what a writer gives;
- ``full`` -- what a system answers that has no room;
- ``spreadsheets`` -- texts that no spreadsheet takes for a formula;
- ``xml_tree`` -- XML with the places of its elements.
"""
