"""Shapes that give a secret away: (name, pattern, literals of which every match holds one, whether case matters).

Made by `python -m tests.secret_rules`. `FROM_LIBRARY` and `KEYWORDS` are those of detect-secrets 1.5.0, Copyright
Yelp Inc., under the Apache License 2.0 (`secret_shapes.LICENSE`; https://github.com/Yelp/detect-secrets).
`FROM_ISSUERS` are ours, each with the page of whoever issues such keys.
"""

# fmt: off
# ruff: noqa: E501

from __future__ import annotations

Shape = tuple[str, str, tuple[str, ...], bool]

FROM_LIBRARY: tuple[Shape, ...] = (
    ("AWS Access Key", r"(?:A3T[A-Z0-9]|ABIA|ACCA|AKIA|ASIA)[0-9A-Z]{16}", ("3t", "bia", "cca", "kia", "sia",), True),
    ("AWS Access Key", r'''aws.{0,20}?(?:key|pwd|pw|password|pass|token).{0,20}?[\'\"]([0-9a-zA-Z/+]{40})[\'\"]''', ("aws",), False),
    ("Artifactory Credentials", r'(?:\s|=|:|"|^)AKC[a-zA-Z0-9]{10,}(?:\s|"|$)', ("akc",), True),
    ("Artifactory Credentials", r'(?:\s|=|:|"|^)AP[\dABCDEF][a-zA-Z0-9]{8,}(?:\s|"|$)', ("ap",), True),
    ("Azure Storage Account access key", r"AccountKey=[a-zA-Z0-9+\/=]{88}", ("accountkey=",), True),
    ("Basic Auth Credentials", r"://[^:/\?\#\[\]@!\$\&'\(\)\*\+,;=\s]+:([^:/\?\#\[\]@!\$\&'\(\)\*\+,;=\s]+)@", ("://",), True),
    ("Cloudant Credentials", r'''(?:(?<=\W)|(?<=^))(?:\[|)(?:"|\'|)(?:cloudant|cl|clou)(?:_|-|)(?:api|)(?:key|pwd|pw|password|pass|token)(?:"|\'|)(?:\]|)(?: *)(?:=|:|:=|=>| +|::)(?: *)(?:"|\'|)([0-9a-f]{64})(?:"|\'|)''', ("cl",), False),
    ("Cloudant Credentials", r'''(?:(?<=\W)|(?<=^))(?:\[|)(?:"|\'|)(?:cloudant|cl|clou)(?:_|-|)(?:api|)(?:key|pwd|pw|password|pass|token)(?:"|\'|)(?:\]|)(?: *)(?:=|:|:=|=>| +|::)(?: *)(?:"|\'|)([a-z]{24})(?:"|\'|)''', ("cl",), False),
    ("Cloudant Credentials", r"(?:https?\:\/\/)[\w\-]+\:([0-9a-f]{64})\@[\w\-]+\.cloudant\.com", (".cloudant.com",), False),
    ("Cloudant Credentials", r"(?:https?\:\/\/)[\w\-]+\:([a-z]{24})\@[\w\-]+\.cloudant\.com", (".cloudant.com",), False),
    ("Discord Bot Token", r"[MNO][a-zA-Z\d_-]{23,25}\.[a-zA-Z\d_-]{6}\.[a-zA-Z\d_-]{27}", ("m", "n", "o",), True),
    ("GitHub Token", r"(ghp|gho|ghu|ghs|ghr)_[A-Za-z0-9_]{36}", ("gho_", "ghp_", "ghr_", "ghs_", "ghu_",), True),
    ("GitLab Token", r"(glpat|gldt|glft|glsoat|glrt)-[A-Za-z0-9_\-]{20,50}(?!\w)", ("gldt-", "glft-", "glpat-", "glrt-", "glsoat-",), True),
    ("GitLab Token", r"GR1348941[A-Za-z0-9_\-]{20,50}(?!\w)", ("gr1348941",), True),
    ("GitLab Token", r"glcbt-([0-9a-fA-F]{2}_)?[A-Za-z0-9_\-]{20,50}(?!\w)", ("glcbt-",), True),
    ("GitLab Token", r"glimt-[A-Za-z0-9_\-]{25}(?!\w)", ("glimt-",), True),
    ("GitLab Token", r"glptt-[A-Za-z0-9_\-]{40}(?!\w)", ("glptt-",), True),
    ("GitLab Token", r"glagent-[A-Za-z0-9_\-]{50,1024}(?!\w)", ("glagent-",), True),
    ("GitLab Token", r"gloas-[A-Za-z0-9_\-]{64}(?!\w)", ("gloas-",), True),
    ("IBM COS HMAC Credentials", r'''(?:(?<=\W)|(?<=^))(?:\[|)(?:"|\'|)(?:(?:ibm)?[-_]?cos[-_]?(?:hmac)?|)(?:_|-|)(?:secret[-_]?(?:access)?[-_]?key)(?:"|\'|)(?:\]|)(?: *)(?:=|:|:=|=>| +|::)(?: *)(?:"|\'|)([a-f0-9]{48}(?![a-f0-9]))(?:"|\'|)''', ("secret--key", "secret-_key", "secret-access-key", "secret-access_key", "secret-accesskey", "secret-key", "secret_-key", "secret__key", "secret_access-key", "secret_access_key", "secret_accesskey", "secret_key", "secretaccess-key", "secretaccess_key", "secretaccesskey", "secretkey",), False),
    ("IBM Cloud IAM Key", r'''(?:(?<=\W)|(?<=^))(?:\[|)(?:"|\'|)(?:ibm(?:_|-|)cloud(?:_|-|)iam|cloud(?:_|-|)iam|ibm(?:_|-|)cloud|ibm(?:_|-|)iam|ibm|iam|cloud|)(?:_|-|)(?:api|)(?:_|-|)(?:key|pwd|password|pass|token)(?:"|\'|)(?:\]|)(?: *)(?:=|:|:=|=>| +|::)(?: *)(?:"|\'|)([a-zA-Z0-9_\-]{44}(?![a-zA-Z0-9_\-]))(?:"|\'|)''', ("key", "pass", "pwd", "token",), False),
    ("JSON Web Token", r"eyJ[A-Za-z0-9-_=]+\.[A-Za-z0-9-_=]+\.?[A-Za-z0-9-_.+/=]*?", ("eyj",), True),
    ("Mailchimp Access Key", r"[0-9a-z]{32}-us[0-9]{1,2}", ("-us",), True),
    ("NPM tokens", r"\/\/.+\/:_authToken=\s*((npm_.+)|([A-Fa-f0-9-]{36})).*", ("/:_authtoken=",), True),
    ("OpenAI Token", r"sk-[A-Za-z0-9-_]*[A-Za-z0-9]{20}T3BlbkFJ[A-Za-z0-9]{20}", ("t3blbkfj",), True),
    ("Private Key", r"BEGIN DSA PRIVATE KEY", ("begin dsa private key",), True),
    ("Private Key", r"BEGIN EC PRIVATE KEY", ("begin ec private key",), True),
    ("Private Key", r"BEGIN OPENSSH PRIVATE KEY", ("begin openssh private key",), True),
    ("Private Key", r"BEGIN PGP PRIVATE KEY BLOCK", ("begin pgp private key block",), True),
    ("Private Key", r"BEGIN PRIVATE KEY", ("begin private key",), True),
    ("Private Key", r"BEGIN RSA PRIVATE KEY", ("begin rsa private key",), True),
    ("Private Key", r"BEGIN SSH2 ENCRYPTED PRIVATE KEY", ("begin ssh2 encrypted private key",), True),
    ("Private Key", r"PuTTY-User-Key-File-2", ("putty-user-key-file-2",), True),
    ("PyPI Token", r"pypi-AgEIcHlwaS5vcmc[A-Za-z0-9-_]{70,}", ("pypi-ageichlwas5vcmc",), True),
    ("PyPI Token", r"pypi-AgENdGVzdC5weXBpLm9yZw[A-Za-z0-9-_]{70,}", ("pypi-agendgvzdc5wexbplm9yzw",), True),
    ("SendGrid API Key", r"SG\.[a-zA-Z0-9_-]{22}\.[a-zA-Z0-9_-]{43}", ("sg.",), True),
    ("Slack Token", r"xox(?:a|b|p|o|s|r)-(?:\d+-)+[a-z0-9]+", ("xoxa-", "xoxb-", "xoxo-", "xoxp-", "xoxr-", "xoxs-",), False),
    ("Slack Token", r"https://hooks\.slack\.com/services/T[a-zA-Z0-9_]+/B[a-zA-Z0-9_]+/[a-zA-Z0-9_]+", ("https://hooks.slack.com/services/t",), False),
    ("SoftLayer Credentials", r'''(?:(?<=\W)|(?<=^))(?:\[|)(?:"|\'|)(?:softlayer|sl)(?:_|-|)(?:api|)(?:_|-|)(?:key|pwd|password|pass|token)(?:"|\'|)(?:\]|)(?: *)(?:=|:|:=|=>| +|::)(?: *)(?:"|\'|)([a-z0-9]{64})(?:"|\'|)''', ("key", "pass", "pwd", "token",), False),
    ("SoftLayer Credentials", r"(?:http|https)://api.softlayer.com/soap/(?:v3|v3.1)/([a-z0-9]{64})", ("com/soap/v3",), False),
    ("Square OAuth Secret", r"sq0csp-[0-9A-Za-z\\\-_]{43}", ("sq0csp-",), True),
    ("Stripe Access Key", r"(?:r|s)k_live_[0-9a-zA-Z]{24}", ("rk_live_", "sk_live_",), True),
    ("Telegram Bot Token", r"\d{8,10}:[0-9A-Za-z_-]{35}", (":",), True),
    ("Twilio API Key", r"AC[a-z0-9]{32}", ("ac",), True),
    ("Twilio API Key", r"SK[a-z0-9]{32}", ("sk",), True),
)
FROM_ISSUERS: tuple[Shape, ...] = (
    # https://docs.claude.com/en/api/overview
    ("Anthropic API Key", r"sk-ant-[A-Za-z0-9_-]{20,}", ("sk-ant-",), True),
    # https://platform.openai.com/docs/api-reference
    ("OpenAI Token", r"sk-(?:proj|svcacct|admin)-[A-Za-z0-9_-]{40,}", ("sk-admin-", "sk-proj-", "sk-svcacct-",), True),
    # https://github.blog/changelog/2022-10-18-introducing-fine-grained-personal-access-tokens/
    ("GitHub Token", r"github_pat_[A-Za-z0-9_]{36,}", ("github_pat_",), True),
    # https://cloud.google.com/docs/authentication/api-keys
    ("Google API Key", r"AIza[0-9A-Za-z_-]{35}", ("aiza",), True),
    # https://developers.google.com/identity/protocols/oauth2
    ("Google OAuth Secret", r"GOCSPX-[0-9A-Za-z_-]{28}", ("gocspx-",), True),
    # https://api.slack.com/authentication/token-types
    ("Slack Token", r"xapp-\d-[A-Z0-9]+-\d+-[a-f0-9]{20,}", ("xapp-",), True),
    # https://huggingface.co/docs/hub/security-tokens
    ("Hugging Face Token", r"hf_[A-Za-z0-9]{34}", ("hf_",), True),
    # https://docs.docker.com/security/access-tokens/
    ("Docker Token", r"dckr_[op]at_[A-Za-z0-9_-]{27,}", ("dckr_oat_", "dckr_pat_",), True),
    # https://docs.digitalocean.com/reference/api/create-personal-access-token/
    ("DigitalOcean Token", r"do[opr]_v1_[a-f0-9]{64}", ("doo_v1_", "dop_v1_", "dor_v1_",), True),
    # https://developer.hashicorp.com/vault/docs/concepts/tokens
    ("Vault Token", r"hv[bs]\.[A-Za-z0-9_-]{24,}", ("hvb.", "hvs.",), True),
    # https://support.atlassian.com/atlassian-account/docs/manage-api-tokens-for-your-atlassian-account/
    ("Atlassian Token", r"ATATT3[A-Za-z0-9_=-]{50,}", ("atatt3",), True),
    # https://linear.app/developers
    ("Linear API Key", r"lin_api_[A-Za-z0-9]{40}", ("lin_api_",), True),
    # https://docs.npmjs.com/about-access-tokens
    ("NPM tokens", r"npm_[A-Za-z0-9]{36}", ("npm_",), True),
    # https://github.com/C2SP/C2SP/blob/main/age.md
    ("age Secret Key", r"AGE-SECRET-KEY-1[0-9A-Z]{58}", ("age-secret-key-1",), True),
)
KEYWORDS = (
    "api_?key",
    "auth_?key",
    "service_?key",
    "account_?key",
    "db_?key",
    "database_?key",
    "priv_?key",
    "private_?key",
    "client_?key",
    "db_?pass",
    "database_?pass",
    "key_?pass",
    "password",
    "passwd",
    "pwd",
    "secret",
    "contraseña",
    "contrasena",
)
