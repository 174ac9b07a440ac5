"""Makes the table of shapes in `cc_git/governance/secret_shapes.py` from the detectors of the library detect-secrets.

    python -m tests.secret_rules

The library is asked here, and not when a text is scanned: loading it takes as long as half of remembering something,
and brings a client for the network along, for a verification that must never run. A test compares the table with the
library that is installed.

With each pattern come literals, in lower case, of which every match holds at least one; they follow from the pattern
itself. A text without any of them need not be searched, so most patterns are never compiled.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from re import _constants as codes  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]
from typing import Any

TABLE = Path(__file__).resolve().parent.parent / "cc_git" / "governance" / "secret_shapes.py"
LEFT_OUT = {"Public IP (ipv4)": "an address is no credential"}
_MOST, _CLASS = 64, 8
_HEAD = '''\
"""Shapes that give a secret away: (name, pattern, literals of which every match holds one, whether case matters).

Made by `python -m tests.secret_rules`. `FROM_LIBRARY` and `KEYWORDS` are those of {library}, Copyright
Yelp Inc., under the Apache License 2.0 (`secret_shapes.LICENSE`; https://github.com/Yelp/detect-secrets).
`FROM_ISSUERS` are ours, each with the page of whoever issues such keys.
"""

# fmt: off
# ruff: noqa: E501

from __future__ import annotations

Shape = tuple[str, str, tuple[str, ...], bool]
'''
OWN = (
    ("Anthropic API Key", r"sk-ant-[A-Za-z0-9_-]{20,}", "https://docs.claude.com/en/api/overview"),
    ("OpenAI Token", r"sk-(?:proj|svcacct|admin)-[A-Za-z0-9_-]{40,}", "https://platform.openai.com/docs/api-reference"),
    ("GitHub Token", r"github_pat_[A-Za-z0-9_]{36,}", "https://github.blog/changelog/2022-10-18-introducing-fine-grained-personal-access-tokens/"),
    ("Google API Key", r"AIza[0-9A-Za-z_-]{35}", "https://cloud.google.com/docs/authentication/api-keys"),
    ("Google OAuth Secret", r"GOCSPX-[0-9A-Za-z_-]{28}", "https://developers.google.com/identity/protocols/oauth2"),
    ("Slack Token", r"xapp-\d-[A-Z0-9]+-\d+-[a-f0-9]{20,}", "https://api.slack.com/authentication/token-types"),
    ("Hugging Face Token", r"hf_[A-Za-z0-9]{34}", "https://huggingface.co/docs/hub/security-tokens"),
    ("Docker Token", r"dckr_[op]at_[A-Za-z0-9_-]{27,}", "https://docs.docker.com/security/access-tokens/"),
    ("DigitalOcean Token", r"do[opr]_v1_[a-f0-9]{64}", "https://docs.digitalocean.com/reference/api/create-personal-access-token/"),
    ("Vault Token", r"hv[bs]\.[A-Za-z0-9_-]{24,}", "https://developer.hashicorp.com/vault/docs/concepts/tokens"),
    ("Atlassian Token", r"ATATT3[A-Za-z0-9_=-]{50,}", "https://support.atlassian.com/atlassian-account/docs/manage-api-tokens-for-your-atlassian-account/"),
    ("Linear API Key", r"lin_api_[A-Za-z0-9]{40}", "https://linear.app/developers"),
    ("NPM tokens", r"npm_[A-Za-z0-9]{36}", "https://docs.npmjs.com/about-access-tokens"),
    ("age Secret Key", r"AGE-SECRET-KEY-1[0-9A-Z]{58}", "https://github.com/C2SP/C2SP/blob/main/age.md"),
)  # fmt: skip
"""(name, pattern, where the issuer says so) of what the library does not know, or knows in an older form."""


def library_rules() -> list[tuple[str, re.Pattern[str]]]:
    """(name, pattern) of every detector of the library that goes by a shape, without ever asking one to verify."""
    from detect_secrets.core.plugins.util import get_mapping_from_secret_type_to_class
    from detect_secrets.plugins.base import RegexBasedDetector

    detectors = get_mapping_from_secret_type_to_class()
    return [
        (name, pattern)
        for name, detector in sorted(detectors.items())
        if issubclass(detector, RegexBasedDetector) and name not in LEFT_OUT
        for pattern in detector.denylist  # type: ignore[attr-defined]
    ]


def keywords() -> tuple[str, ...]:
    """The names behind which the library expects a secret."""
    from detect_secrets.plugins.keyword import DENYLIST

    return tuple(DENYLIST)


def table() -> str:
    from detect_secrets.__version__ import VERSION

    lines = [_HEAD.format(library=f"detect-secrets {VERSION}"), "FROM_LIBRARY: tuple[Shape, ...] = ("]
    for name, pattern in library_rules():
        assert pattern.flags & ~re.UNICODE & ~re.VERBOSE in (0, re.IGNORECASE), name
        assert not pattern.flags & re.VERBOSE or not re.search(r"[\s#]", pattern.pattern), name
        lines.append(_shape(name, pattern.pattern, cased=not pattern.flags & re.IGNORECASE))
    lines += [")", "FROM_ISSUERS: tuple[Shape, ...] = ("]
    for name, shape, source in OWN:
        lines += [f"    # {source}", _shape(name, shape, cased=True)]
    lines += [")", "KEYWORDS = ("]
    lines += [f"    {_spelled(word)}," for word in keywords()]
    return "\n".join([*lines, ")"]) + "\n"


def _shape(name: str, pattern: str, *, cased: bool) -> str:
    literals = ", ".join(_spelled(one) for one in sorted(needed(pattern)))
    return f"    ({_spelled(name)}, {_spelled(pattern, raw='r')}, ({literals},), {cased}),"


def _spelled(text: str, raw: str = "") -> str:
    assert text.isprintable() and not text.endswith("\\") and "'" * 3 not in text, text
    quote = next(quote for quote in ('"', "'", "'" * 3) if quote not in text)
    return f"{raw}{quote}{text}{quote}"


def needed(pattern: str) -> frozenset[str]:
    """Literals in lower case of which every match holds at least one. Raises ValueError where nothing is certain."""
    found = max(_candidates(parser.parse(pattern)), key=_weight, default=frozenset[str]())
    if not found or not min(map(len, found)):
        raise ValueError(f"no literal is in every match of {pattern}")
    return frozenset(one for one in found if not any(other in one for other in found - {one}))


def _weight(one: frozenset[str]) -> int:
    return min(map(len, one), default=0)


def _candidates(items: Iterable[tuple[Any, Any]]) -> Iterator[frozenset[str]]:
    run = frozenset({""})
    for item in items:
        finite = _finite(item)
        if finite is not None and len(finite) * len(run) <= _MOST:
            run = frozenset(a + b for a in run for b in finite)
            continue
        yield run
        yield from _inside(item)
        run = finite if finite is not None and len(finite) <= _MOST else frozenset({""})
    yield run


def _inside(item: tuple[Any, Any]) -> Iterator[frozenset[str]]:
    """What a part that may say many things says at least."""
    code, value = item
    if code is codes.SUBPATTERN:
        yield from _candidates(value[3])
    elif code in (codes.MAX_REPEAT, codes.MIN_REPEAT) and value[0]:
        yield from _candidates(value[2])
    elif code is codes.BRANCH:
        best = [max(_candidates(branch), key=_weight) for branch in value[1]]
        yield frozenset().union(*best)


def _finite(item: tuple[Any, Any]) -> frozenset[str] | None:
    """All that a part of a pattern can say, in lower case; None where that is too much."""
    code, value = item
    if code is codes.LITERAL:
        return frozenset({chr(value).lower()})
    if code in (codes.AT, codes.ASSERT, codes.ASSERT_NOT):
        return frozenset({""})
    if code is codes.IN:
        chars = frozenset(chr(v).lower() for c, v in value if c is codes.LITERAL)
        return chars if len(value) <= _CLASS and all(c is codes.LITERAL for c, _ in value) else None
    if code is codes.SUBPATTERN:
        return _sequence(value[3])
    if code is codes.BRANCH:
        branches = [_sequence(branch) for branch in value[1]]
        return None if None in branches else frozenset[str]().union(*(b for b in branches if b is not None))
    if code in (codes.MAX_REPEAT, codes.MIN_REPEAT) and value[1] == 1:
        once = _sequence(value[2])
        return None if once is None else once if value[0] else once | {""}
    return None


def _sequence(items: Sequence[tuple[Any, Any]]) -> frozenset[str] | None:
    said = frozenset({""})
    for item in items:
        finite = _finite(item)
        if finite is None or len(finite) * len(said) > _MOST:
            return None
        said = frozenset(a + b for a in said for b in finite)
    return said


if __name__ == "__main__":
    TABLE.write_text(table(), encoding="utf-8")
