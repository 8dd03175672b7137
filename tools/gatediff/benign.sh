#!/usr/bin/env bash
# benign.sh OUT [SESSION_REPO…]: at least 100 MB of text without secrets, as an agent sees it, in OUT/KIND.{tune,report}.jsonl.
# Takes what the machine has (Go modules, documentation, programs) and fetches npm and Debian packages: translated messages,
# manuals in other languages. SESSION_REPO is a bare repository whose branches hold transcripts of agents. Nothing of it is
# committed: it is other people's text. What is in *.report.jsonl is for reporting; nobody reads it to tune the gate.
set -euo pipefail
out=$(realpath -m "$1"); shift
here=$(cd "$(dirname "$0")" && pwd)
work=${BENIGN_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/keepmum/benign}
mkdir -p "$work/npm" "$work/deb" "$out"

npm=(typescript@5.9.3 eslint@9.39.1 webpack@5.103.0 express@5.1.0 next@16.0.3 vue@3.5.24 axios@1.13.2 jsonwebtoken@9.0.2 passport@0.7.0
  pg@8.16.3 mongoose@9.0.0 firebase-admin@13.6.0 stripe@20.0.0 ethers@6.15.0 sequelize@6.37.7 zod@4.1.13 @angular/common@21.0.0 antd@6.0.0)
for p in "${npm[@]}"; do
  to=$work/npm/$(tr '/@' '__' <<<"$p")
  [ -d "$to" ] && continue
  (cd "$work" && f=$(npm pack --silent "$p" 2>/dev/null) && mkdir -p "$to" && tar -xzf "$f" -C "$to" && rm "$f") || echo "not fetched: $p" >&2
done
deb=(manpages-de manpages-fr manpages-es manpages-pl manpages-ja manpages-it manpages-pt-br debian-handbook git-doc python3-doc
  postgresql-doc-15 nginx-doc redis-tools openssh-server sudo gnupg-l10n gettext-doc)
for p in "${deb[@]}"; do
  [ -d "$work/deb/$p" ] && continue
  (cd "$work" && apt-get download -q "$p" >/dev/null 2>&1 && mkdir -p "deb/$p" && dpkg-deb -x "$p"_*.deb "deb/$p" && rm "$p"_*.deb &&
    find "deb/$p" -type f -name '*.gz' -exec gunzip -f {} +) || echo "not fetched: $p" >&2
done

sources=("code=$(go env GOMODCACHE)/github.com" "code=$(go env GOMODCACHE)/golang.org" "code=$(go env GOROOT)/src" "code=$work/npm" "docs=$work/deb"
  "docs=/usr/share/doc" "strings=/usr/bin")
for repo in "$@"; do sources+=("session=$repo"); done
(cd "$here" && go run . collect -out "$out" "${sources[@]}")
ls -l "$out"
