"""Where DuckDB's own tokenizer sees the semicolons that end statements."""

from __future__ import annotations

import duckdb


def statements_by_tokenizer(text: str) -> list[str]:
    """The statements that end with a semicolon, blank ones left out."""
    encoded = text.encode()
    found = []
    start, has_words = 0, False
    for offset, kind in duckdb.tokenize(text):
        if encoded[offset : offset + 1] == b";" and kind == duckdb.token_type.operator:
            if has_words:
                found.append(encoded[start : offset + 1].decode().strip())
            start, has_words = offset + 1, False
        elif kind != duckdb.token_type.comment:
            has_words = True
    return found
