"""The one sanitiser: stored text on its way to a terminal, a packet or a page. Pure; the file keeps its bytes.

`visible` is the base of all the others. It *replaces* what can act on a reader without being seen, and never deletes:
a character becomes `\\u{202e}`, so that two texts that differ still look different. What it replaces:

- every character of the categories Cc, Cf, Cs, Zl and Zp, and every one that Unicode calls default-ignorable
  (escapes, bidi controls, zero width, tags, variation selectors, fillers), and noncharacters. The table is spelled
  out here, not taken from `unicodedata`, because the same text must give the same bytes on every Python;
- except line feed and tab where several lines are allowed, and joiners and presentation selectors inside an emoji;
- the opening of an HTML comment, and what makes Markdown or HTML fetch a remote image.

It is idempotent, so a packet that was made of sanitised parts may pass through a terminal's sanitiser again.
"""

from __future__ import annotations

import re

# Unicode 16, DerivedCoreProperties.txt (Default_Ignorable_Code_Point), UnicodeData.txt (Cc, Cf, Cs, Zl, Zp) and the
# noncharacters of section 23.7. `test_sanitise.py` holds the table against the running Python's `unicodedata`.
_FORBIDDEN = (
    "\x00-\x1f\x7f-\x9f\xad\u034f\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2\u115f\u1160\u17b4\u17b5"
    "\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ud800-\udfff\ufdd0-\ufdef\ufe00-\ufe0f\ufeff\uffa0"
    "\ufff0-\ufffb\ufffe\uffff\U000110bd\U000110cd\U00013430-\U0001343f\U0001bca0-\U0001bca3"
    "\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
    + "".join(f"{chr(plane << 16 | 0xFFFE)}{chr(plane << 16 | 0xFFFF)}" for plane in range(1, 17))
)
_LINES = _FORBIDDEN.replace("\x00-\x1f", "\x00-\x08\x0b-\x1f")

# What may carry a presentation selector or be joined: a little wider than Extended_Pictographic (UTS 51), because
# only whole blocks stay true when Unicode adds emoji.
_PICTURE = (
    "[\xa9\xae\u203c\u2049\u2122\u2139\u2190-\u21ff\u2300-\u23ff\u24c2\u25a0-\u27bf\u2900-\u297f\u2b00-\u2bff"
    "\u3030\u303d\u3297\u3299\U0001f000-\U0001faff]"
)
_ELEMENT = f"{_PICTURE}[\ufe0e\ufe0f]?[\U0001f3fb-\U0001f3ff]?"
_EMOJI = f"(?:{_ELEMENT}(?:\u200d{_ELEMENT})*|[0-9#*]\ufe0f\u20e3)"

_ONE_LINE = re.compile(f"(?P<emoji>{_EMOJI})|<!--|[{_FORBIDDEN}]")
_MANY_LINES = re.compile(f"(?P<emoji>{_EMOJI})|<!--|\r\n|[{_LINES}]")
# One class alone is five times as fast as the alternatives, and most text has nothing to replace.
_IN_ONE_LINE, _IN_MANY_LINES = re.compile(f"[{_FORBIDDEN}]"), re.compile(f"[{_LINES}]")

# A target that leaves the page, `](https:…`, `](//…` or the definition `[x]: https:…`, also when its letters are
# hidden in character references or backslashes. `\s*` is not followed by what it can match: linear on any input.
_REMOTE_TARGET = re.compile(r"\](?:\(|:)\s*(?:<\s*)?(?:[/\\]|[a-z0-9+.-]*[:&\\])", re.IGNORECASE)
_SPACES = re.compile("[ \t\r\n\xa0\u1680\u2000-\u200a\u202f\u205f\u3000]+")
_FETCHING_TAG = re.compile(r"<(?=(?:img|image|picture|source|video|audio|iframe|object|embed)\b)", re.IGNORECASE)


def _escape(char: str) -> str:
    return f"\\u{{{ord(char):x}}}"


def _shown(match: re.Match[str]) -> str:
    if match["emoji"]:
        return match[0]
    if match[0] == "\r\n":
        return "\n"
    return _escape(match[0][0]) + match[0][1:]


def _is_printable_ascii(text: str, multiline: bool) -> bool:
    """Most text is, and asking so is ten times as fast as a search for what is not."""
    return text.isascii() and (text.replace("\n", "").replace("\t", "") if multiline else text).isprintable()


def visible(text: str, *, multiline: bool) -> str:
    """Text that shows all it holds and does nothing. Line feeds and tabs stay only when `multiline`."""
    shown = text
    if "<!--" in text or not _is_printable_ascii(text, multiline):
        quick, whole = (_IN_MANY_LINES, _MANY_LINES) if multiline else (_IN_ONE_LINE, _ONE_LINE)
        if quick.search(text) or "<!--" in text:
            shown = whole.sub(_shown, text)
    if "<" in shown:
        shown = _FETCHING_TAG.sub(r"\\u{3c}", shown)
    # last, because the escapes above may complete what looks like a remote target (see `test_sanitising_twice…`)
    if "![" in shown and _REMOTE_TARGET.search(shown):
        shown = shown.replace("![", "!\\[")
    return shown


def in_one_line(text: str, limit: int | None = None) -> str:
    """The whole text on one line, white space folded, cut to `limit` characters with an ellipsis."""
    folded = visible(" ".join(word for word in _SPACES.split(text) if word), multiline=False)
    if limit is None or len(folded) <= limit:
        return folded
    # a cut inside an emoji must not leave a joiner or a selector behind
    return folded[: max(limit - 1, 0)].rstrip(" \u200d\ufe0e\ufe0f") + "…"


# What stands between values of ours, and what looks like it: quotation marks, middle dots, arrows.
_MARKS = '"\u201c-\u201f\u2033\u2036\u275d\u275e\u3003\u301d-\u301f\uff02\xb7\u0387\u2022\u2027\u2219\u22c5\u30fb\uff65'
_ARROWS = "\u2190-\u21ff\u2794-\u27bf\u27f0-\u27ff\u2900-\u297f\u2b00-\u2bff\uffe9-\uffec"
_IN_QUOTES, _IN_A_VALUE = re.compile(f"[{_MARKS}]"), re.compile(f"[{_MARKS}{_ARROWS}]")
_BARE = re.compile(r"[A-Za-z0-9_*?.@/+#\[\]-]+(?::[A-Za-z0-9_*?.@/+#\[\]-]+)*")


def quoted(text: str, limit: int | None = None) -> str:
    """Stored text among words of ours: one line in double quotes, which nothing inside can close or look like."""
    return f'"{_IN_QUOTES.sub(_mark, in_one_line(text, limit))}"'


def as_value(text: str, limit: int | None = None) -> str:
    """A stored value (an action, a target, an actor, a path) in a line of ours: as it is where it is one plain word,
    else as `quoted`, with arrows escaped too: `push → *` is an action and a target, `"push \\u{2192} *"` one value."""
    if (limit is None or len(text) <= limit) and _BARE.fullmatch(text):
        return text
    return f'"{_IN_A_VALUE.sub(_mark, in_one_line(text, limit))}"'


def _mark(match: re.Match[str]) -> str:
    return _escape(match[0])


def fence_for(text: str) -> str:
    """Backticks, longer than any run of backticks or tildes in the text: nothing inside can close it."""
    longest = max((len(run) for run in re.findall(r"`+|~+", text)), default=0)
    return "`" * max(3, longest + 1)


def fenced(text: str, label: str = "") -> str:
    """A fenced Markdown block that ends in a line feed. `label` is ours (the info string), never stored text."""
    shown = visible(text, multiline=True)
    fence = fence_for(shown)
    return f"{fence}{label}\n{shown}{'' if shown.endswith(chr(10)) or not shown else chr(10)}{fence}\n"


_INLINE = re.compile(
    r"[\\`*\[\]<>|~$]"  # emphasis, code, links, tags, tables, strike-through, GitHub's mathematics
    r"|(?<![^\W_])_|_(?![^\W_])"  # an underscore inside a word is inert and stays readable
    r"|&(?=#?\w+;)"  # character references
    r"|^[#+=-]|^\d+(?=[.)])"  # what would open a heading, a list or a rule
)


def _backslash(match: re.Match[str]) -> str:
    if match[0].isdigit():
        return f"{match[0]}\\"
    return f"\\{match[0]}"


def escape_inline_markdown(text: str) -> str:
    """One line of Markdown that renders as the text itself, wherever in a paragraph, list or table it stands."""
    return _INLINE.sub(_backslash, visible(text.strip(), multiline=False))


_XML = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;"})


def escape_xml(text: str, *, multiline: bool) -> str:
    """Character data, or with `multiline=False` an attribute's value, of a well-formed XML 1.0 document."""
    return visible(text, multiline=multiline).translate(_XML)


def _json_escape(match: re.Match[str]) -> str:
    if match["emoji"]:
        return match[0]
    char, rest = match[0][0], match[0][1:]
    units = char.encode("utf-16-be", "surrogatepass").hex()
    return "".join(f"\\u{units[at : at + 4]}" for at in range(0, len(units), 4)) + rest


def harmless_json(document: str) -> str:
    """The same JSON document with all that `visible` would replace written as JSON escapes: nothing is lost on reading,
    and a terminal's sanitiser leaves it as it is.

    A line feed lays the document out; every other such character can only stand inside its strings.
    """
    return "\n".join(map(_harmless_line, document.split("\n")))


def _harmless_line(line: str) -> str:
    if _is_printable_ascii(line, multiline=False) and "<" not in line and "![" not in line:
        return line
    if _IN_ONE_LINE.search(line) or "<!--" in line:
        line = _ONE_LINE.sub(_json_escape, line)
    line = line.replace("![", "\\u0021[")
    return line if visible(line, multiline=False) == line else line.replace("<", "\\u003c")
