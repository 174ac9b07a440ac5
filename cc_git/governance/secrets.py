"""What in a text looks like a secret: the name of the rule, the line and the length, and never the text itself.

Three sorts of rules. *Shapes* come from the library detect-secrets and from issuers (`secret_shapes.py`): a key of this
service looks like that. *Named*: what follows `password`, `token` and their like, where it is no word of a language.
*Random*: a long word of capitals, small letters and digits in no order. `docs/secrets.md` says what none of them sees.
Nothing here asks a service whether a secret is real.

The whole file is looked at, as Git would keep it, and each line once more without its escapes: a quote or a line break
inside a TOML or JSON string hides nothing. Long lines are looked at in overlapping pieces, so that no pattern takes
longer than that, whoever wrote the text.
"""

from __future__ import annotations

import base64
import json
import math
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cache
from itertools import pairwise

from cc_git.governance.secret_shapes import FROM_ISSUERS, FROM_LIBRARY, KEYWORDS, Shape
from cc_git.model.ids import ID_PATTERN

NAMED = "Secret Keyword"
RANDOM = "High Entropy String"
"""Both names are the library's."""
PIECE, OVERLAP = 2048, 512
_GAP = re.compile(r"\s")
_Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Secret:
    """`line` counts from 1; `field` is the key of the TOML or JSON document that it stands in, where there is one."""

    rule: str
    line: int
    length: int
    field: str | None = None

    @property
    def says(self) -> str:
        """As the end of a sentence about the file."""
        return f"looks like it holds a secret ({self.rule}, {self.length} characters)"

    def told(self, path: str) -> str:
        """A sentence about the file at this path, which it names only where the secret is not in the name."""
        if not self.line:
            return f"a file in {path.rpartition('/')[0] or '.'} has a name that {self.says}"
        return f"{path}:{self.line} {self.says}"


def secrets_in(data: bytes, public: Collection[str] = (), before: bytes = b"") -> tuple[Secret, ...]:
    """What looks like a secret, each line and rule once. `public` are texts that a person allowed: what lies inside one
    of them is none. Lines that were there `before` are not looked at."""
    text = _text(data)
    old = frozenset(map(_bare, _text(before).split("\n"))) if before else frozenset[str]()
    rules = _rules_for(text)
    if not rules:
        return ()
    allowed = tuple(one for one in public if one)
    found: dict[tuple[int, str], int] = {}
    for number, line in enumerate(text.split("\n"), 1):
        if old and _bare(line) in old:
            continue
        for said in _readings(line):
            for rule, length in _found(said, rules, allowed):
                found.setdefault((number, rule), length)
    if not found:
        return ()
    fields = _fields(text)
    return tuple(Secret(rule, number, length, fields[number - 1]) for (number, rule), length in found.items())


def secrets_in_name(path: str, public: Collection[str] = ()) -> tuple[Secret, ...]:
    """The same in the name of a file; such a finding has the line 0."""
    return tuple(replace(one, line=0) for one in secrets_in(path.encode("utf-8", "replace"), public))


def _text(data: bytes) -> str:
    for mark, encoding in ((b"\xff\xfe", "utf-16-le"), (b"\xfe\xff", "utf-16-be")):
        if data.startswith(mark):
            return data.decode(encoding, "replace")
    return data.decode("utf-8", "replace")


# Lines as they are written, and as they are meant.


def _bare(line: str) -> str:
    """In JSON a line gets a comma when another comes after it."""
    return line.strip().removesuffix(",")


_ESCAPE = re.compile(r"""\\(?:([btnfr"'\\/])|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|x([0-9a-fA-F]{2}))""")
_MEANT = {"b": " ", "t": "\t", "n": "\n", "f": " ", "r": "\n"}


def _readings(line: str) -> Iterator[str]:
    yield line
    if "\\" in line:
        yield from _ESCAPE.sub(_meant, line).split("\n")


def _meant(escape: re.Match[str]) -> str:
    short, *codes = escape.groups()
    if short is not None:
        return _MEANT.get(short, short)
    point = int(next(code for code in codes if code), 16)
    return chr(point) if point <= 0x10FFFF else " "


def _found(line: str, rules: tuple[_Rule, ...], public: tuple[str, ...]) -> Iterator[tuple[str, int]]:
    """What has a shape that is known is not told once more as named or random."""
    allowed = [span for text in public for span in _places(text, line)]
    for start, piece in _pieces(line):
        told: list[_Span] = []
        for rule in _having(rules, piece):
            for begin, end in rule.spans(piece):
                is_told = rule.name in (NAMED, RANDOM) and any(a < end and begin < b for a, b in told)
                if is_told or any(a <= begin + start and end + start <= b for a, b in allowed):
                    continue
                told.append((begin, end))
                yield rule.name, end - begin


def _pieces(line: str) -> Iterator[tuple[int, str]]:
    """With where each begins: after a white space where there is one, for half a word may look like anything."""
    for start in range(0, max(len(line) - OVERLAP, 1), PIECE - OVERLAP):
        end = start + PIECE
        gap = _GAP.search(line, start, start + OVERLAP // 2) if start else None
        yield gap.end() if gap else start, line[gap.end() if gap else start : end]


def _places(text: str, line: str) -> Iterator[_Span]:
    # A line may hold the text as a string of TOML or JSON spells it.
    for spelled in {text, text.replace("\\", "\\\\").replace('"', '\\"')}:
        at = line.find(spelled)
        while at >= 0:
            yield at, at + len(spelled)
            at = line.find(spelled, at + 1)


# The rules.


@dataclass(frozen=True, slots=True)
class _Rule:
    """`spans` finds what it is looking for in a piece of a line. `any`: a text without one of these holds none.
    `by_line`: in several lines at once it may find less than in each of them."""

    name: str
    any: tuple[str, ...]
    spans: Callable[[str], Iterator[_Span]]
    by_line: bool = False


def _rules_for(text: str) -> tuple[_Rule, ...]:
    """The rules that may find something in one of the lines; of a short text, as most are, hardly any is left."""
    rules = tuple(_having(_rules(), text))
    if len(text) > PIECE or "\\" in text:
        return rules
    return tuple(rule for rule in rules if rule.by_line or next(rule.spans(text), None))


def _having(rules: Iterable[_Rule], text: str) -> Iterator[_Rule]:
    """The rules that may find something here. Patterns are slow, and hardly any text holds what most of them need."""
    lowered = text.lower()
    for rule in rules:
        for literal in rule.any:
            if literal in lowered:
                yield rule
                break


@cache
def _rules() -> tuple[_Rule, ...]:
    names = (*KEYWORDS, *_KEYWORDS)
    literals = tuple(sorted({literal for name in names for literal in _spellings(name)}))
    by_name = _Rule(NAMED, literals, _named("|".join(names)), by_line=True)
    return (*map(_of_shape, (*FROM_LIBRARY, *FROM_ISSUERS)), by_name, _Rule(RANDOM, ("",), _random))


def _spellings(name: str) -> tuple[str, ...]:
    """`api_?key` is `apikey` or `api_key`."""
    with_all = name.replace("?", "")
    return (with_all, re.sub(r".\?", "", name)) if "?" in name else (name,)


def _of_shape(shape: Shape) -> _Rule:
    """Its pattern is compiled when a text may match it."""
    name, pattern, literals, cased = shape

    def spans(piece: str) -> Iterator[_Span]:
        for match in re.compile(pattern, 0 if cased else re.IGNORECASE).finditer(piece):
            if name not in _DOUBTS or not _DOUBTS[name](match):
                yield match.span()

    return _Rule(name, literals, spans)


def _is_no_token(match: re.Match[str]) -> bool:
    """As the library has it: whose head and body are no JSON objects, that is no JSON Web Token."""
    try:
        parts = match.group().split(".")[:2]
        return not all(isinstance(json.loads(base64.urlsafe_b64decode(part + "=" * (-len(part) % 4))), dict)
                       for part in parts)  # fmt: skip
    except (ValueError, RecursionError):
        return True


_DOUBTS: dict[str, Callable[[re.Match[str]], bool]] = {
    "JSON Web Token": _is_no_token,
    "Basic Auth Credentials": lambda match: _is_placeholder(match.group(1)),
    "Artifactory Credentials": lambda match: not any(c.isdigit() for c in match.group()),
}
"""Of a shape that other things have as well: whether a match is such a thing."""


# What is named as a secret.

LEAST_OF_SETTING, LEAST_IN_PROSE = 6, 8
_KEYWORDS = ("token", "passphrase", "passcode", "access_?key", "credentials?", "authorization")
_ASSIGNED = r"""[\w-]{0,40}["'`*\])]{0,3}\s{0,3}(:?={1,3}>?|!==?|:|\bis\b)\s{0,3}(?:Bearer )?"""
_VALUE = r"""(?:(["'`])([^\s"'`]{6,400})\2|([^\s"'`<>|]{6,400}))"""
_SETTING = r"^\s*(?:[-*]\s+)?[\w.-]{0,40}$"
"""What stands before the name where a line holds a setting and nothing else."""
_PLACEHOLDER = re.compile(
    r"[<\[{(%$*#.].*|.*(?:\$\{|\{\{|\.\.\.|…|\*\*\*|x{3}|X{3}).*|[A-Z_]+|[a-z_-]+|p(?:ass)?w(?:or)?d?\d*|(?i:change.?me|example|"
    r"dummy|placeholder|redacted|your.*|my.?(?:password|secret|token).*)"
)
_NO_SECRET = re.compile(
    rf"{ID_PATTERN}.*|[a-z][a-z0-9+.-]*://.*|~?\.{{0,2}}/.*|v?[0-9][0-9.,:_/TZ+-]*\w?|[A-Z]{{2,}}-[0-9]+|sha[0-9]+[:-].*"
    r"|[\w.]+\(.*|[a-z_][a-z0-9_-]*(?:[./:][a-z0-9_-]+)+|(?i:argon2\w*|bcrypt|scrypt|pbkdf2\S*|sha-?[0-9]+\w*|md5|base64\w*|"
    r"oauth2\w*|utf-?8|aes-?[0-9]+\S*|[rhep]s256|ed25519|x509|ipv[46]|http2)"
)
_WORDS = re.compile(r"[A-Za-z]+[0-9]{0,3}[A-Za-z]*|[A-Za-z_][\w-]*(?:[./:][\w-]+)+|[a-z]+(?:[_-][a-z0-9]+)+")
"""What prose has after `token is` or `password:`: a word with a number in it, a name in code, a path."""


def _named(names: str) -> Callable[[str], Iterator[_Span]]:
    def spans(piece: str) -> Iterator[_Span]:
        for match in re.compile(f"(?:{names}){_ASSIGNED}{_VALUE}", re.IGNORECASE).finditer(piece):
            sign, quote, quoted, bare = match.groups()
            value = quoted or bare.rstrip(".,;:!?)]}*")
            in_prose = sign in (":", "is") and quote in (None, "`") and not _sets_password(piece, match)
            if _is_secret(value, in_prose=in_prose):
                start = match.start(3 if quoted else 4)
                yield start, start + len(value)

    return spans


def _sets_password(piece: str, match: re.Match[str]) -> bool:
    """`db_password: …` on a line of its own, as in a file of settings."""
    name = piece[match.start() : match.start(1)].lower()
    alone = not piece[match.end() :].strip() and re.match(_SETTING, piece[: match.start()]) is not None
    return alone and match.group(1) == ":" and ("pass" in name or "pwd" in name)


def _is_secret(value: str, *, in_prose: bool) -> bool:
    """No word, name, number, path or place-holder. Prose has words at such a place, so more is asked there."""
    if _is_placeholder(value) or _NO_SECRET.fullmatch(value):
        return False
    letters, digits = any(c.isalpha() for c in value), sum(c.isdigit() for c in value)
    if not letters or not digits:
        return False
    if not in_prose:
        return len(value) >= LEAST_OF_SETTING
    mixed = any(c.isupper() for c in value) and any(c.islower() for c in value)
    signs = any(c in "!@#$%^&*?~+=" for c in value)
    told = mixed or signs or (digits >= 3 and len(value) >= 16)
    return len(value) >= LEAST_IN_PROSE and told and not _WORDS.fullmatch(value)


def _is_placeholder(value: str) -> bool:
    return _PLACEHOLDER.fullmatch(value) is not None


# What is random.

SHORTEST, LONGEST = 24, 400
_WORD = re.compile(rf"(?<![\w+/=-])[A-Za-z0-9+/_-]{{{SHORTEST},{LONGEST}}}={{0,2}}(?![\w+/=-])")
_KNOWN = re.compile(
    rf"sha(?:1|256|384|512)-|AAAA[BCE][0-9A-Za-z+/]{{6}}|(?i:{ID_PATTERN})"
    r"|(?:toolu|msg|req|call|chatcmpl|resp|thread|run|asst|evt)[_-]"
)
"""Digests as package managers spell them, the beginning of a public key of ssh, ids of ours in any case, and those that
hosts of models give to messages, calls and runs: agents write them down, and they open nothing."""
_ADDRESS = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://[^\s<>\"'`]+")
LEAST_BITS, LEAST_TURNS = 3.9, 0.42


def _random(piece: str) -> Iterator[_Span]:
    addresses: list[_Span] | None = None
    for match in _WORD.finditer(piece):
        word = match.group()
        if not _is_random(word) or _KNOWN.match(word):
            continue
        if addresses is None:
            addresses = [found.span() for found in _ADDRESS.finditer(piece)]
        if not any(a <= match.start() and match.end() <= b for a, b in addresses):
            yield match.span()


def _is_random(word: str) -> bool:
    """Capitals, small letters and digits, and it goes from one to another in no order, as no name or path does."""
    sorts = [1 if c.isdigit() else 2 if c.isupper() else 3 for c in word if c.isalnum()]
    if not {1, 2, 3} <= set(sorts):
        return False
    turns = sum(a != b for a, b in pairwise(sorts))
    bits = -sum(n / len(word) * math.log2(n / len(word)) for n in Counter(word).values())
    return turns >= LEAST_TURNS * (len(sorts) - 1) and bits >= LEAST_BITS


# Which field of the document a line belongs to.

_KEY = re.compile(r"""\s*"?([a-z_]{1,24})"?\s*[=:]""")
"""As we spell our own; what others wrote there may be the secret itself."""
_QUOTES = ('"""', "'''")


def _fields(text: str) -> list[str | None]:
    """For each line the key of the value that it is a part of; None where there is none yet."""
    fields: list[str | None] = []
    current: str | None = None
    inside: str | None = None
    for line in text.split("\n"):
        if inside is None and (key := _KEY.match(line)):
            current = key.group(1)
        fields.append(current)
        if inside is not None:
            inside = None if inside in line else inside
        else:
            inside = next((quote for quote in _QUOTES if line.count(quote) == 1), None)
    return fields
