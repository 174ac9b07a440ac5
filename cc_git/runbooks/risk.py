"""When there is risk: what is to be done is hard to take back, or something has already failed.

Words in the languages in which people write tasks. A word too many only lets a guardrail go before a procedure; what
no word here names is named by the guardrail's own triggers.
"""

from __future__ import annotations

from collections.abc import Iterable

from cc_git.runbooks.words import has_words

_RISKY = """
    deploy deploys deployment release releases publish publishing rollout rollback migrate migration migrations
    delete deletes deletion drop truncate purge wipe destroy erase overwrite force reset rebase revert rewrite
    push production prod credential credentials secret secrets password passwords rotate payment payments
    desplegar despliegue publicar borrar eliminar migrar migración producción revertir credenciales contraseña
    implantar implantação apagar excluir migração produção reverter senha
    déployer déploiement publier supprimer effacer migrer mot-de-passe
    ausrollen veröffentlichen freigeben löschen überschreiben migrieren produktion zurücksetzen passwort
    部署 发布 删除 迁移 回滚 生产 密码 強制 强制 推送
    デプロイ リリース 削除 移行 本番 パスワード プッシュ
"""
RISKY = tuple(dict.fromkeys(_RISKY.split()))


def risks_in(texts: Iterable[str]) -> tuple[str, ...]:
    """The risky words that the texts have, in the order of the table."""
    texts = tuple(texts)
    return tuple(dict.fromkeys(word for word in RISKY if any(has_words(text, word) for text in texts)))
