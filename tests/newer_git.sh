#!/usr/bin/env bash
# Prints the path of a Git that keeps refs in tables (2.45 or newer). Where the one on the PATH cannot, it is built in
# FOLDER from Debian's source package, without what needs further libraries; that takes a few minutes once.
#
#   export CC_GIT_NEWER_GIT="$(tests/newer_git.sh FOLDER)"
set -euo pipefail
folder=$(mkdir -p "$1" && cd "$1" && pwd)
release=trixie

knows() { (cd "$folder" && rm -rf tried && "$1" init -q --ref-format=reftable tried 2>/dev/null); }

if knows git; then
    command -v git
    exit
fi
if ! [ -x "$folder/bin/git" ]; then
    mkdir -p "$folder/apt/lists/partial" "$folder/apt/cache/archives/partial" "$folder/source"
    keys=/usr/share/keyrings/debian-archive-keyring.gpg
    echo "deb-src [signed-by=$keys] http://deb.debian.org/debian $release main" >"$folder/apt/sources.list"
    options=(-qq -o "Dir::Etc::sourcelist=$folder/apt/sources.list" -o Dir::Etc::sourceparts=/dev/null
        -o "Dir::State::lists=$folder/apt/lists" -o "Dir::Cache=$folder/apt/cache")
    apt-get "${options[@]}" update >&2
    (cd "$folder/source" && apt-get "${options[@]}" source --download-only git && tar xf git_*.orig.tar.xz) >&2
    make -s -C "$folder"/source/git-*/ -j2 "prefix=$folder" NO_CURL=1 NO_EXPAT=1 NO_GETTEXT=1 NO_PERL=1 NO_PYTHON=1 \
        NO_TCLTK=1 NO_OPENSSL=1 INSTALL_SYMLINKS=1 CFLAGS=-O1 install >&2
    rm -rf "$folder/apt" "$folder/source"
fi
knows "$folder/bin/git"
echo "$folder/bin/git"
