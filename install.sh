#!/bin/sh
# Installs keepmum for you: program, data directory, daemon, agents; then proves it with
# a demo. Safe to run again. In a checkout it builds with Go what is here; in an unpacked
# archive, or with --from, it needs no Go, and it installs nothing whose checksum is wrong.
set -eu

usage() {
  cat <<'TXT'
usage: ./install.sh [--from FILE|DIR|URL] [--sha256 SUM] [--yes] [--no-connect] [--no-demo]
       ./install.sh --uninstall [--purge]

  --from SOURCE an archive of a release, or a folder with archives, on this machine or at
                a URL; SHA256SUMS must be next to the archive. Without --from: the programs
                next to this script, else a build with Go
  --sha256 SUM  the checksum that the archive must have, instead of SHA256SUMS
  --yes         connect the agents that are found, without asking (the default
                without a terminal)
  --no-connect  do not touch any agent's settings
  --no-demo     skip the demo at the end
  --uninstall   disconnect the agents, stop the daemon, remove the program;
                your memories stay
  --purge       with --uninstall: also delete your memories

PREFIX (default ~/.local): programs go to PREFIX/bin. MUM_HOME (default ~/.mum): the data.
TXT
}

say() { printf '%s\n' "$*"; }
fail() {
  printf 'install: error: %s\n' "$1" >&2
  [ -z "${2:-}" ] || printf 'install: hint: %s\n' "$2" >&2
  exit 1
}

yes='' connect=1 demo=1 uninstall='' purge='' from='' sha256=''
while [ $# -gt 0 ]; do
  case $1 in
    --from | --sha256)
      [ $# -gt 1 ] || { usage >&2; exit 2; }
      if [ "$1" = --from ]; then from=$2; else sha256=$2; fi
      shift
      ;;
    --from=*) from=${1#*=} ;;
    --sha256=*) sha256=${1#*=} ;;
    --yes | -y) yes=1 ;;
    --no-connect) connect='' ;;
    --no-demo) demo='' ;;
    --uninstall) uninstall=1 ;;
    --purge) purge=1 ;;
    --keep-data) ;; # the default without --purge
    --help | -h) usage; exit 0 ;;
    *) usage >&2; exit 2 ;;
  esac
  shift
done
if [ -n "$purge" ] && [ -z "$uninstall" ]; then
  printf 'install: error: --purge goes with --uninstall\n' >&2
  exit 2
fi

[ -n "${HOME:-}" ] || fail 'HOME is not set' 'HOME=/your/home ./install.sh'
here=$(cd "$(dirname "$0")" && pwd)
prefix=${PREFIX:-$HOME/.local}
bin=$prefix/bin
mum=$bin/mum
data=${MUM_HOME:-$HOME/.mum}

# The user's service manager answers only in a login session; root in a
# container has none.
has_systemd() { command -v systemctl >/dev/null 2>&1 && systemctl --user show-environment >/dev/null 2>&1; }

ways() { # what to do without Go and without an archive
  printf 'install: error: %s\n' "$1" >&2
  cat >&2 <<TXT
install: hint: one of these
  ./install.sh --from keepmum_VERSION_$(system).tar.gz   an archive of a release, its folder, or its URL
  dpkg -i keepmum_*.deb · rpm -U keepmum-*.rpm · brew install --formula ./keepmum.rb · npm install --global --offline ./keepmum-*.tgz
  Go $wanted or later (https://go.dev/doc/install), then ./install.sh in a checkout
TXT
  exit 1
}

need_go() {
  wanted=$(sed -n 's/^go \([0-9]*\.[0-9]*\).*/\1/p' "$here/go.mod" 2>/dev/null) || wanted=1.26
  [ -f "$here/go.mod" ] || ways 'there are no programs next to this script, and --from is not given'
  command -v go >/dev/null 2>&1 || ways "Go was not found, and --from is not given"
  have=$(GOTOOLCHAIN=local go env GOVERSION 2>/dev/null | sed 's/^go//')
  if ! newer "$have" "$wanted" && [ "$(go env GOTOOLCHAIN)" = local ]; then
    fail "keepmum is built with Go $wanted or later, and this is Go ${have:-of an unknown version}" 'https://go.dev/doc/install, or GOTOOLCHAIN=auto ./install.sh'
  fi
}

system() { # linux_amd64, as archives are named
  arch=$(uname -m)
  case $arch in x86_64 | amd64) arch=amd64 ;; aarch64 | arm64) arch=arm64 ;; esac
  printf '%s_%s' "$(uname -s | tr '[:upper:]' '[:lower:]')" "$arch"
}

fetch() { # fetch URL FILE
  if command -v curl >/dev/null 2>&1; then curl -fsSL -o "$2" "$1"; else wget -q -O "$2" "$1"; fi || fail "$1 cannot be downloaded" 'download it yourself, then: ./install.sh --from FILE'
}

digest() {
  if command -v sha256sum >/dev/null 2>&1; then sha256sum "$1"; else shasum -a 256 "$1"; fi | cut -d ' ' -f 1
}

# listed finds the archive of this system in a SHA256SUMS.
listed() {
  sed -n "s/^[0-9a-f]\{64\} [ *]\(keepmum_[0-9A-Za-z.+~-]*_$(system)\.tar\.gz\)\$/\1/p" "$1" | head -n 1
}

# get copies the archive of --from and its checksums into $work.
get() {
  case $from in
    *://*) get_url ;;
    *)
      [ -e "$from" ] || fail "$from does not exist"
      if [ -d "$from" ]; then dir=$from name=''; else dir=$(dirname "$from") name=$(basename "$from"); fi
      [ ! -f "$dir/SHA256SUMS" ] || cp "$dir/SHA256SUMS" "$work/SHA256SUMS"
      if [ -z "$name" ]; then
        [ -f "$work/SHA256SUMS" ] || fail "$dir contains neither mum nor SHA256SUMS" 'make release makes such a folder'
        name=$(listed "$work/SHA256SUMS")
      fi
      [ -n "$name" ] && [ -f "$dir/$name" ] || fail "$dir contains no archive for $(system)"
      cp "$dir/$name" "$work/archive.tar.gz"
      ;;
  esac
}

get_url() {
  case $from in
    https://* | file://* | http://127.0.0.1[:/]* | http://localhost[:/]*) ;;
    *) [ -n "$sha256" ] || fail "$from is not https: the download could be changed on the way" 'use https, or add --sha256 SUM' ;;
  esac
  case $from in
    *.tar.gz) name=${from##*/} base=${from%/*} ;;
    *) name='' base=${from%/} ;;
  esac
  [ -n "$sha256" ] && [ -n "$name" ] || fetch "$base/SHA256SUMS" "$work/SHA256SUMS"
  [ -n "$name" ] || name=$(listed "$work/SHA256SUMS")
  [ -n "$name" ] || fail "$base has no archive for $(system)"
  fetch "$base/$name" "$work/archive.tar.gz"
}

check() {
  sum=$sha256
  if [ -z "$sum" ]; then
    [ -f "$work/SHA256SUMS" ] || fail "there is no SHA256SUMS next to $name" 'put it there, or add --sha256 SUM'
    sum=$(awk -v n="$name" '$2 == n || $2 == "*" n { print $1; exit }' "$work/SHA256SUMS")
    [ -n "$sum" ] || fail "SHA256SUMS has no line for $name" 'do both come from the same release?'
  fi
  [ "$(digest "$work/archive.tar.gz")" = "$sum" ] || fail "$name does not have the checksum $sum; nothing was installed" 'download it again'
}

# unpack sets $unpacked to a folder with the programs.
unpack() {
  if [ -d "$from" ] && [ -f "$from/mum" ]; then unpacked=$from; return; fi
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
  get
  check
  mkdir "$work/files"
  tar -xzf "$work/archive.tar.gz" -C "$work/files" || fail "$name cannot be unpacked"
  for unpacked in "$work"/files/*/; do break; done
  [ -f "$unpacked/mum" ] || fail "$name contains no mum"
}

# copy installs the programs, and the manual if the archive has one.
copy() {
  mkdir -p "$bin"
  for program in mum-hook mum; do
    cp "$unpacked/$program" "$bin/$program.new"
    chmod 755 "$bin/$program.new"
  done
  "$bin/mum.new" version >/dev/null || fail "the program in $from does not run on this machine ($(system))"
  mv -f "$bin/mum-hook.new" "$bin/mum-hook"
  mv -f "$mum.new" "$mum"
  if [ -d "$unpacked/man" ]; then
    mkdir -p "$prefix/share/man/man1" "$prefix/share/bash-completion/completions"
    cp "$unpacked"/man/man1/*.1 "$prefix/share/man/man1/"
    cp "$unpacked/completions/mum.bash" "$prefix/share/bash-completion/completions/mum"
  fi
  say "installed $mum ($("$mum" version))"
}

newer() { # newer 1.26.8 1.26: is the first at least the second?
  awk -v a="$1" -v b="$2" 'BEGIN { split(a, x, "."); split(b, y, "."); exit !(x[1] > y[1] || x[1] == y[1] && x[2] + 0 >= y[2] + 0) }'
}

build() {
  say "building with $(cd "$here" && go env GOVERSION) …"
  mkdir -p "$bin"
  CGO_ENABLED=0 sh "$here/tools/build.sh" "$mum.new" ./cmd/mum || fail 'the build failed' 'see the lines above'
  CGO_ENABLED=0 sh "$here/tools/build.sh" "$bin/mum-hook.new" ./cmd/mum-hook || fail 'the build failed' 'see the lines above'
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
    say 'no systemd for this user: a hook starts the daemon if it is not running'
    "$mum" down >/dev/null 2>&1 || true
    "$mum" up
  fi
}

connect_agents() {
  [ -n "$connect" ] || { say 'agents: skipped (to connect them later: mum connect auto)'; return; }
  plan=$("$mum" connect auto --dry-run) || plan='an agent could not be checked; mum doctor says why'
  case $plan in 'no coding agent'*) say "agents: $plan"; return ;; esac
  case $plan in 'nothing would change'*) yes=1 ;; esac
  if [ -z "$yes" ] && [ -t 0 ]; then
    say 'Connecting your agents changes these files:'
    printf '%s\n' "$plan" | sed -n 's/^+++ /  /p'
    while :; do
      printf 'Connect them? [Y/n, d shows the changes] '
      read -r answer || answer=n
      case $answer in
        [dD]*) say "$plan" ;;
        [nN]*) say 'not connected; to connect later: mum connect auto'; return ;;
        *) break ;;
      esac
    done
  fi
  "$mum" connect auto --yes || say 'an agent could not be connected; mum doctor says why'
}

remove() {
  had=''
  if [ -x "$mum" ]; then
    had=1
    "$mum" disconnect auto --yes || fail 'an agent could not be disconnected, so nothing was removed' 'mum disconnect --dry-run shows why'
    ! has_systemd || "$mum" service uninstall
    "$mum" down || true
  fi
  rm -f "$mum" "$bin/mum-hook" "$prefix"/share/man/man1/mum.1 "$prefix"/share/man/man1/mum-*.1 \
    "$prefix/share/bash-completion/completions/mum"
  if [ -n "$had" ]; then say "removed $mum"; else say "there was no program $mum"; fi
  if [ ! -d "$data" ]; then
    say "there is no data in $data"
  elif [ -z "$purge" ]; then
    say "your memories stay in $data; ./install.sh --uninstall --purge deletes them"
  elif [ ! -f "$data/memory.db" ] && [ ! -f "$data/hmac.key" ]; then # not ours: MUM_HOME may be mistyped
    fail "$data contains no data of keepmum, so it stays" 'MUM_HOME=/path/to/data ./install.sh --uninstall --purge'
  else
    rm -rf "$data"
    say "removed $data; memories in repositories (.mum/memory) stay there"
  fi
}

if [ -n "$uninstall" ]; then
  remove
  exit 0
fi

[ -n "$from" ] || [ -f "$here/go.mod" ] || [ ! -f "$here/mum" ] || from=$here
if [ -n "$from" ]; then
  unpack
  copy
else
  need_go
  build
fi
start
connect_agents
[ -z "$demo" ] || { say ''; "$mum" demo; }
say ''
"$mum" connect list
say "keepmum is ready. Start a new session of your agent, so that it loads its hooks. Next: mum status · mum search WORDS · mum doctor"
case :$PATH: in
  *":$bin:"*) ;;
  *) say "$bin is not in your PATH yet. Add this line to ~/.profile, and run it here: export PATH=\"$bin:\$PATH\"" ;;
esac
