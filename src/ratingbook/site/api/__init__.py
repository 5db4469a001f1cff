"""The API: what the pages show, as data; ``/api/v1/openapi.json`` describes it."""
