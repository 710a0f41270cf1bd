"""Text rules every room shares: normalisation, byte bounds, safe single-line rendering, spelling, and
what must not be told."""

from surefoot.text.mask import SHORT, Mask, url_password, without_userinfo
from surefoot.text.normal import (
    normalize,
    normalize_id,
    scrub_surrogates,
    truncate_utf8,
    utf8_length,
)
from surefoot.text.spelling import caret_excerpt, edit_distance, nearest
from surefoot.text.terminal import ellipsize, quoted, single_line, text_columns

__all__ = [
    "SHORT",
    "Mask",
    "caret_excerpt",
    "edit_distance",
    "ellipsize",
    "nearest",
    "normalize",
    "normalize_id",
    "quoted",
    "scrub_surrogates",
    "single_line",
    "text_columns",
    "truncate_utf8",
    "url_password",
    "utf8_length",
    "without_userinfo",
]
