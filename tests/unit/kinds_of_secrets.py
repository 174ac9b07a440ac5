"""Texts that look like secrets and are none: drawn anew from a fixed seed, so that no scanner stops at this file."""

from __future__ import annotations

import base64
import random
import string

_CHANCE = random.Random(20261130)
LETTERS = string.ascii_letters + string.digits
_HEX = "0123456789abcdef"


def drawn(letters: str, length: int) -> str:
    """A word of these letters; where they allow it, with a capital, a small letter and a digit."""
    while True:
        word = "".join(_CHANCE.choices(letters, k=length))
        sorts = [any(c in sort for c in word) or not set(sort) & set(letters)
                 for sort in (string.ascii_uppercase, string.ascii_lowercase, string.digits)]  # fmt: skip
        if all(sorts):
            return word


def _token() -> str:
    parts = (base64.urlsafe_b64encode(part).decode().rstrip("=") for part in (b'{"alg":"HS256"}', b'{"sub":"ana"}'))
    return ".".join((*parts, drawn(LETTERS, 43)))


SECRETS = {
    "AWS Access Key": "AKIA" + drawn(string.ascii_uppercase + string.digits, 16),
    "AWS secret": "aws_secret_access_key = " + drawn(LETTERS + "/+", 40),
    "Anthropic API Key": "sk-ant-api03-" + drawn(LETTERS, 60),
    "Basic Auth Credentials": "postgres://app:" + drawn(LETTERS, 9) + "@db.example.org/x",
    "GitHub Token": "ghp_" + drawn(LETTERS, 36),
    "GitHub fine-grained": "github_pat_" + drawn(LETTERS, 60),
    "GitLab Token": "glpat-" + drawn(LETTERS, 20),
    "Google API Key": "AIza" + drawn(LETTERS, 35),
    "JSON Web Token": _token(),
    "NPM tokens": "npm_" + drawn(LETTERS, 36),
    "OpenAI Token": "sk-proj-" + drawn(LETTERS, 48),
    "Private Key": "-----BEGIN OPENSSH " + "PRIVATE KEY-----",
    "PyPI Token": "pypi-AgEIcHlwaS5vcmc" + drawn(LETTERS, 80),
    "SendGrid API Key": f"SG.{drawn(LETTERS, 22)}.{drawn(LETTERS, 43)}",
    "Slack Token": "xoxb-123456789012-" + drawn(LETTERS, 24).lower(),
    "Slack webhook": "https://hooks.slack.com/services/T00000000/B00000000/" + drawn(LETTERS, 24),
    "Stripe Access Key": "sk_live_" + drawn(LETTERS, 24),
    "Telegram Bot Token": "110201543:" + drawn(LETTERS, 35),
    "a password with quotes": f'password = "{drawn(LETTERS, 9)}"',
    "a password in prose": f"the password is {drawn(LETTERS, 9)}!{drawn(LETTERS, 3)}",
    "a variable": "export API_KEY=" + drawn(_HEX, 32),
    "a header": "Authorization: Bearer " + drawn(_HEX, 40),
    "a word of a session": drawn(LETTERS, 40),
}
