"""What looks like a secret, and what must never: our own ids and digests, names, paths, prose."""

from __future__ import annotations

import base64
import json
import random
import re
import string
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cc_git.codec.toml_write import dump
from cc_git.governance.screen import screen
from cc_git.governance.secret_shapes import FROM_ISSUERS, FROM_LIBRARY
from cc_git.governance.secrets import NAMED, RANDOM, SHORTEST, secrets_in
from tests import secret_rules
from tests.unit.kinds_of_secrets import LETTERS, SECRETS, drawn

PROJECT = Path(__file__).resolve().parent.parent.parent


def rules(text: str, *public: str) -> set[str]:
    return {one.rule for one in secrets_in(text.encode(), public)}


@pytest.mark.parametrize("text", SECRETS.values(), ids=SECRETS)
def test_a_secret_is_found_in_prose_in_toml_and_in_json(text: str) -> None:
    prose = f"We looked at it.\nFor now use {text} and\ngo on."
    for written in (text, prose, dump({"content": prose, "title": text}), json.dumps({"step": prose})):
        assert rules(written), written


def test_a_finding_says_where_and_never_what() -> None:
    secret = SECRETS["GitHub Token"]
    (first, *_) = secrets_in(dump({"title": "Deploy", "content": f"first line\nuse {secret}\n"}).encode())
    assert (first.rule, first.line, first.field, first.length) == ("GitHub Token", 4, "content", 40)
    assert secret[4:12] not in f"{first!r} {first.says}"


def test_what_others_wrote_before_a_colon_is_no_field() -> None:
    assert [one.field for one in secrets_in(f"{SECRETS['GitHub Token']}: the token of ana".encode())] == [None]


HARMLESS = {
    "an id of ours": "ep_01jd8xk4v3m0q9a7b5c2d1e0fg prm_01JD8XK4V3M0Q9A7B5C2D1E0FG",
    "a blob": "a3f5c9e1b2d4a3f5c9e1b2d4a3f5c9e1b2d4a3f5",
    "a digest": "fingerprint = 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    "a digest of a package": "sha512-" + base64.b64encode(bytes(range(7, 71))).decode(),
    "a UUID": "3f2504e0-4f89-11d3-9a0c-0305e82c3301",
    "a path": "src/cc_git/Store2/IndexedThing4/V2Handler/Base64CodecAndSomeMore",
    "an address": "https://docs.example.org/document/d/1A2b3C4d5E6f7G8h9I0jKlMnOpQrStUvWxYz12345678/edit",
    "a name in code": "thisIsAVeryLongIdentifier2Name3WithDigits TestHTTP2ConnectionPoolReuse4WithTLS13",
    "a public key": "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIKtHq2VJ0u5Z1xQfRz8YbWm3Nn4Pp6Ss7Tt9Uu0Vv1Ww ana@example",
    "prose about passwords": "The password is stored hashed with argon2id; password: min 12 chars, 1 digit.",
    "prose about tokens": "The token is v2.1.0-beta1, token: refreshed hourly, Token is `refreshToken2`.",
    "a place-holder": "password: <your-password> PASSWORD=${DB_PASSWORD} token = os.environ['TOKEN1']",
    "where a secret is kept": 'secret = "projects/1/secrets/db-pass2" password = vault://kv/app1/db2',
    "an address with a place-holder": "postgres://user:password@localhost/db https://x:${TOKEN}@host",
    "an issue": "The secret: ADR-0012, access_key: AccessKeyV4",
    "an id of a model's host": "toolu_01A09q90qw90Lq917835lQ9x, msg_013Zva2CMHLNnXjNJJKqJ2EF, chatcmpl-9nYL1vT3kQ8sBxW",
    "a time": 'token_expires = "2026-11-30T12:00:00Z"',
}


@pytest.mark.parametrize("text", HARMLESS.values(), ids=HARMLESS)
def test_what_is_no_secret_is_let_be(text: str) -> None:
    assert rules(f"We looked at it.\nIt is {text}\n") == set()


def test_decision_records_fixtures_and_pages_hold_no_secret(data: Path) -> None:
    folders = (data / "adr", data / "retrieval", PROJECT / "docs", PROJECT / "templates")
    files = [path for folder in folders for path in folder.rglob("*") if path.is_file()]
    files += [path for path in (PROJECT / "tests").rglob("*") if path.is_file() and path.suffix in (".toml", ".json")]
    found = {path.name: secrets_in(path.read_bytes()[:2_000_000]) for path in files}
    assert len(files) > 40 and {name: one for name, one in found.items() if one} == {}


def test_random_words_are_found_nearly_always_from_a_length_on() -> None:
    chance = random.Random(7)
    missed = [not rules("".join(chance.choices(LETTERS, k=length))) for length in range(32, 64) for _ in range(20)]
    assert sum(missed) / len(missed) < 0.03
    assert rules("".join(chance.choices(LETTERS, k=SHORTEST - 1))) == set()


@pytest.mark.parametrize("text", ["eyJ" * 300_000, "//" * 400_000 + "/:_authToken=", "password" * 100_000, "A" * 10**6])
def test_a_hostile_text_takes_no_longer_than_its_length(text: str) -> None:
    rules(text)


def test_half_of_an_address_at_the_end_of_a_piece_is_not_taken_for_a_secret() -> None:
    address = f"https://example.org/{drawn(LETTERS, 44)}/edit "
    assert rules(address * 400) == set()


def test_what_is_allowed_is_no_finding_and_what_only_begins_like_it_is() -> None:
    allowed, other = SECRETS["AWS Access Key"], SECRETS["AWS Access Key"][:-1] + "Q"
    assert rules(f"as in {allowed}", allowed) == set()
    assert rules(f"as in {other}", allowed) == {"AWS Access Key"}
    assert rules(f"as in {allowed}", allowed[:12]) == {"AWS Access Key"}
    quoted = 'password = "only for the tests1"'.replace(" for the ", "-for-the-")
    assert rules(quoted) == {NAMED}
    assert rules(dump({"title": quoted}), quoted) == set() == rules(json.dumps({"a": quoted}), quoted)


def test_utf_16_hides_nothing() -> None:
    assert secrets_in(b"\xff\xfe" + SECRETS["Stripe Access Key"].encode("utf-16-le"))


def test_the_table_is_that_of_the_library_that_is_installed() -> None:
    pytest.importorskip("detect_secrets", reason="pip install -e '.[dev]'")
    assert secret_rules.TABLE.read_text() == secret_rules.table(), "run: python -m tests.secret_rules"


@pytest.mark.parametrize("shape", (*FROM_LIBRARY, *FROM_ISSUERS), ids=lambda shape: f"{shape[0]}-{shape[1][:12]}")
def test_every_match_of_a_pattern_holds_one_of_its_literals(shape: tuple[str, str, tuple[str, ...], bool]) -> None:
    _, pattern, literals, cased = shape

    @settings(max_examples=25, database=None, deadline=None)
    @given(st.from_regex(re.compile(pattern, 0 if cased else re.IGNORECASE | re.ASCII), fullmatch=False))
    def holds(text: str) -> None:
        found = re.search(pattern, text, 0 if cased else re.IGNORECASE | re.ASCII)
        assert found is not None and any(literal in found.group().lower() for literal in literals)

    holds()


def test_nothing_of_the_library_and_no_network_is_loaded_to_scan() -> None:
    asked = (
        "import sys; from cc_git.governance.secrets import secrets_in; assert secrets_in(b'AKIAIOSFODNN7EXAMPLE');"
        "print([m for m in sys.modules if m.split('.')[0] in ('detect_secrets', 'requests', 'urllib3', 'socket')])"
    )
    done = subprocess.run([sys.executable, "-P", "-c", asked], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_nobody_is_asked_what_is_allowed_while_nothing_is_found() -> None:
    def asked() -> tuple[str, ...]:
        raise AssertionError

    assert screen({"records/belief/2026-11/blf_1.toml": b'title = "Nothing"\n'}, asked)


def test_a_word_that_only_capitals_and_digits_make_is_not_called_random() -> None:
    assert RANDOM not in rules(drawn(string.ascii_uppercase + string.digits, 40))


@pytest.mark.parametrize(
    "text",
    ['password = "hunter2"', "password: hunter2", "- db_password: hunter2", "PASSWORD=hunter2", "x.pwd := 'hunter2'"],
)
def test_a_short_password_is_found_where_nothing_but_a_value_can_stand(text: str) -> None:
    assert rules(text) == rules(f"Look:\n{text}\nso.") == {NAMED}


@pytest.mark.parametrize(
    "text", ["The password: hunter2 is old", "password: argon2id", "token = OAuth2Token", "pwd=pw12"]
)
def test_a_word_in_prose_after_such_a_name_is_none(text: str) -> None:
    assert rules(text) == set()


@given(
    st.lists(
        st.sampled_from((*SECRETS.values(), *HARMLESS.values(), "", "Deploys", "a = ", "|")), min_size=1, max_size=4
    )
)
def test_a_short_text_is_found_to_hold_what_its_lines_hold(lines: list[str]) -> None:
    text = "\n".join(lines)
    by_line = {(number, one.rule) for number, line in enumerate(lines, 1) for one in secrets_in(line.encode())}
    assert {(one.line, one.rule) for one in secrets_in(text.encode())} == by_line
    assert {(one.line, one.rule) for one in secrets_in((text + "\n\n" + "x " * 1500).encode())} == by_line
