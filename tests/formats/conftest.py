"""The assertions of the helpers tell as much as those of the tests."""

import pytest

pytest.register_assert_rewrite("tests.formats.helpers")
