#!/bin/sh
# Builds keepmum from this checkout and sets it up for you: program, data
# directory, daemon, agents; then proves it with a demo. Safe to run again.
# Nothing is fetched and run: Go builds what is here, with the modules of go.sum.
set -eu

usage() {
  cat <<'TXT'
usage: ./install.sh [--yes] [--no-connect] [--no-demo]
       ./install.sh --uninstall [--purge]

  --yes         connect the agents that are found without asking, as is done where
                there is no terminal to ask on
  --no-connect  do not touch any agent's settings
  --no-demo     skip the demo at the end
  --uninstall   disconnect the agents, stop the daemon, remove the program;
                what was remembered stays
  --purge       with --uninstall: remove what was remembered too, for good

PREFIX (default ~/.local) is where bin/mum goes, MUM_HOME (default ~/.mum) where the data lies.
TXT
}

say() { printf '%s\n' "$*"; }
fail() {
  printf 'install: error: %s\n' "$1" >&2
  [ -z "${2:-}" ] || printf 'install: hint: %s\n' "$2" >&2
  exit 1
}

yes='' connect=1 demo=1 uninstall='' purge=''
for arg in "$@"; do
  case $arg in
    --yes | -y) yes=1 ;;
    --no-connect) connect='' ;;
    --no-demo) demo='' ;;
    --uninstall) uninstall=1 ;;
    --purge) purge=1 ;;
    --keep-data) ;; # as it is without --purge
    --help | -h) usage; exit 0 ;;
    *) usage >&2; exit 2 ;;
  esac
done

[ -n "${HOME:-}" ] || fail 'HOME is not set' 'HOME=/your/home ./install.sh'
here=$(cd "$(dirname "$0")" && pwd)
bin=${PREFIX:-$HOME/.local}/bin
mum=$bin/mum
data=${MUM_HOME:-$HOME/.mum}

# A user's own service manager answers only in a login session; root in a
# container has none.
has_systemd() { command -v systemctl >/dev/null 2>&1 && systemctl --user show-environment >/dev/null 2>&1; }

need_go() {
  wanted=$(sed -n 's/^go \([0-9]*\.[0-9]*\).*/\1/p' "$here/go.mod")
  command -v go >/dev/null 2>&1 || fail "keepmum is built with Go $wanted or later, and there is no go here" 'https://go.dev/doc/install'
  have=$(GOTOOLCHAIN=local go env GOVERSION 2>/dev/null | sed 's/^go//')
  if ! newer "$have" "$wanted" && [ "$(go env GOTOOLCHAIN)" = local ]; then
    fail "keepmum is built with Go $wanted or later, and this is Go ${have:-of an unknown version}" 'https://go.dev/doc/install, or GOTOOLCHAIN=auto ./install.sh'
  fi
}

newer() { # newer 1.26.8 1.26: is the first at least the second?
  awk -v a="$1" -v b="$2" 'BEGIN { split(a, x, "."); split(b, y, "."); exit !(x[1] > y[1] || x[1] == y[1] && x[2] + 0 >= y[2] + 0) }'
}

build() {
  say "building with $(cd "$here" && go env GOVERSION) …"
  mkdir -p "$bin"
  (cd "$here" && CGO_ENABLED=0 go build -trimpath -ldflags '-s -w' -o "$mum.new" ./cmd/mum) || fail 'the build failed' 'read the lines above'
  (cd "$here" && CGO_ENABLED=0 go build -trimpath -ldflags '-s -w' -o "$bin/mum-hook.new" ./cmd/mum-hook) || fail 'the build failed' 'read the lines above'
  mv -f "$bin/mum-hook.new" "$bin/mum-hook"
  mv -f "$mum.new" "$mum" # a running daemon keeps its old program until it is restarted
  say "installed $mum ($("$mum" version))"
}

start() {
  mkdir -p "$data"
  chmod 700 "$data"
  if has_systemd; then
    "$mum" service install
  else
    say 'no systemd for this user: the daemon runs by itself, and a hook starts it when it is down'
    "$mum" down >/dev/null 2>&1 || true
    "$mum" up
  fi
}

connect_agents() {
  [ -n "$connect" ] || { say 'agents: left alone (mum connect auto connects them later)'; return; }
  plan=$("$mum" connect auto --dry-run) || plan='some agent could not be looked at; mum doctor says why'
  case $plan in 'no coding agent'*) say "agents: $plan"; return ;; esac
  case $plan in 'nothing would change'*) yes=1 ;; esac
  if [ -z "$yes" ] && [ -t 0 ]; then
    say "$plan"
    printf 'Connect these agents? [Y/n] '
    read -r answer
    case $answer in [nN]*) say 'not connected; mum connect auto does it later'; return ;; esac
  fi
  "$mum" connect auto --yes || say 'some agent could not be connected; mum doctor says why'
}

remove() {
  had=''
  if [ -x "$mum" ]; then
    had=1
    "$mum" disconnect auto --yes || fail 'an agent could not be disconnected, so nothing was removed' 'mum disconnect --dry-run shows why'
    ! has_systemd || "$mum" service uninstall
    "$mum" down || true
  fi
  rm -f "$mum" "$bin/mum-hook"
  if [ -n "$had" ]; then say "removed $mum"; else say "there was no program $mum"; fi
  if [ ! -d "$data" ]; then
    say "there is no data in $data"
  elif [ -z "$purge" ]; then
    say "what was remembered stays in $data; ./install.sh --uninstall --purge removes it for good"
  elif [ ! -f "$data/memory.db" ] && [ ! -f "$data/hmac.key" ]; then # not ours: whoever set MUM_HOME mistyped it
    fail "$data holds no data of keepmum, so it stays" 'MUM_HOME=/path/to/data ./install.sh --uninstall --purge'
  else
    rm -rf "$data"
    say "removed $data; memories that lie in repositories (.mum/memory) stay there"
  fi
}

if [ -n "$uninstall" ]; then
  remove
  exit 0
fi

need_go
build
start
connect_agents
case :$PATH: in
  *":$bin:"*) ;;
  *) say "note: $bin is not in your PATH; add it: export PATH=\"$bin:\$PATH\"" ;;
esac
[ -z "$demo" ] || { say ''; "$mum" demo; }
say ''
"$mum" connect list
say "keepmum is ready. Next: mum status · mum search WORDS · mum doctor"
