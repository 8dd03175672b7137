#!/bin/sh
# Walks as a new user does: an empty home, no Go on the path, a release of `make release`.
# Each way installs, checks, connects agents, captures, finds, upgrades, downgrades, and removes
# everything again.
#
#   packaging/walk.sh DIST [WAY…]
#
# Ways: archive folder url unpacked hand deb rpm npm chroot (a fresh Debian: root, debootstrap).
# OLD=folder: the mum and mum-hook of an older version, to upgrade from and to go back to.
# MUM_AGENTS_DIR, MUM_E2E_DIR: the real agents, and the scripts that run them against a scripted model.
set -eu

say() { printf '  ok   %s\n' "$*"; }
skip() { printf '  SKIP %s\n' "$*"; }
fail() { printf '  FAIL %s\n' "$*"; exit 1; }
has() { # has WHAT FILE: a fixed string
  grep -qF -- "$1" "$2" || { cat "$2"; fail "no $1"; }
}
quiet() { "$@" >"$HOME/said" 2>&1 || { cat "$HOME/said"; fail "$*"; }; }

# A made-up token: the gate knows its form.
token=ghp_u8Zk3mWq9TnB2xVcLr5YdJ7fHs4PaE1oGiQ0

# hook sends an event as Claude Code does: by the command in its settings.
hook() { # hook SESSION EVENT FIELDS
  printf '{"session_id":"%s","cwd":"%s/shop","hook_event_name":"%s"%s}' "$1" "$HOME" "$2" "$3" | "$mum_hook" claude
}

session() { # session NAME PROMPT
  hook "$1" SessionStart ',"source":"startup"' >"$HOME/told"
  hook "$1" UserPromptSubmit ",\"prompt\":\"$2, the token is $token\"" >/dev/null
  hook "$1" PostToolUse ',"tool_name":"Bash","tool_use_id":"t1","tool_input":{"command":"npm test"},"tool_response":{"stdout":"3 passed"}' >/dev/null
  hook "$1" Stop ",\"last_assistant_message\":\"Done: $2.\"" >/dev/null
}

# mine makes the settings that the user's agents have before keepmum comes.
mine() {
  mkdir -p .claude .codex .config/opencode .cursor shop
  printf '{\n  "model":   "opus"\n}\n' >.claude/settings.json
  printf 'model = "gpt-5.5" # my own\n' >.codex/config.toml
  printf '{"$schema": "https://opencode.ai/config.json"}\n' >.config/opencode/opencode.json
}
files() { find . -name .mum -prune -o -name walk -prune -o -name .npm -prune -o -type f -exec cksum {} + | sort -k 3; }

older() { # the version before, put in the same place
  [ -n "${OLD:-}" ] || { skip 'upgrade: OLD names no older programs'; return 0; }
  mkdir -p "$HOME/walk/old"
  cp "$OLD/mum" "$OLD/mum-hook" "$HOME/walk/old/"
  quiet "$HOME/walk/old/mum" up
  (cd shop && "$HOME/walk/old/mum" memory add 'Tills print in black' --decision --body 'Because the till of the shop has no other ink at all.') >said
  quiet "$HOME/walk/old/mum" backup
  backup=$(sed -n 's/^\([^ ]*\.db\) .*/\1/p' said | head -n 1)
  quiet "$HOME/walk/old/mum" down
}

newer_finds() {
  [ -n "${OLD:-}" ] || return 0
  (cd shop && mum search black) >said
  has 'Tills print in black' said
  say "upgrade from $("$HOME/walk/old/mum" version): $(mum version) finds what it kept"
}

back_again() {
  [ -n "${OLD:-}" ] || return 0
  quiet mum down
  cksum <.mum/memory.db >sum
  if "$HOME/walk/old/mum" up >said 2>&1; then
    quiet "$HOME/walk/old/mum" down
    say 'downgrade: the older program reads the database, whose schema is the same'
    quiet mum up
    return 0
  fi
  has 'newer version of mum' said
  has 'mum: hint:' said
  cksum <.mum/memory.db | cmp -s - sum || fail 'the older program changed the database'
  quiet "$HOME/walk/old/mum" restore "$HOME/${backup#\~/}" --yes
  quiet "$HOME/walk/old/mum" up
  (cd shop && "$HOME/walk/old/mum" search black) >said
  has 'Tills print in black' said
  quiet "$HOME/walk/old/mum" down
  quiet mum up
  (cd shop && mum search black) >said
  has 'Tills print in black' said
  say 'downgrade: refused with a clear word, nothing changed; restore BACKUP --yes works; up again with the new one'
}

use() {
  mum version >said && has mum said
  mum connect list >said
  for agent in claude opencode codex cursor; do has "$agent" said; done
  ! grep -q 'not ' said || fail "an agent is not connected: $(cat said)"
  mum doctor >said || { cat said; fail 'doctor finds something'; }
  say 'doctor finds nothing wrong; four agents are connected'
  mum_hook=$(sed -n 's/.*"command": "\([^"]*mum-hook\)".*/\1/p' .claude/settings.json | head -n 1)
  [ -x "$mum_hook" ] || fail "the hook in settings.json is [$mum_hook]"
  session one 'Prices are integer cents, because floats lost money'
  session two 'Round once, at the end'
  has 'integer cents' told
  say 'a second session is told about the first'
  cd shop
  mum search pirces >../said && has 'showing results for "prices"' ../said && has 'REDACTED:github' ../said
  mum context >../said && has 'Round once' ../said
  mum ask 'how are prices stored?' >../said && has 'best matches' ../said
  mum status >../said && has 'nothing left this machine' ../said && has redaction ../said
  mum explain >../said && has 'integer cents' ../said
  cd ..
  say 'search, context, ask, status and explain answer'
  ! grep -rqF "$token" . || fail 'the token is on the disk'
  say 'the token is in no file'
  if command -v curl >/dev/null 2>&1; then
    mum open --json >said
    curl -fsSL -c walk/jar -b walk/jar "$(sed -n 's/.*"url": "\([^"]*\)".*/\1/p' said)" >page
    has 'integer cents' page
    say 'the page shows the session'
  else
    skip 'the page: no curl'
  fi
  if command -v man >/dev/null 2>&1 && [ -f "$manual/mum-search.1" ]; then
    MANWIDTH=50 man -l "$manual/mum-search.1" >said 2>&1
    has MUM-SEARCH said
    ! grep -q warning said || { grep warning said; fail 'man warns'; }
    say 'man mum-search'
  fi
}

real_agents() {
  [ -n "${MUM_AGENTS_DIR:-}" ] && [ -n "${MUM_E2E_DIR:-}" ] || { skip 'real agents: MUM_AGENTS_DIR and MUM_E2E_DIR are not set'; return 0; }
  quiet "$MUM_E2E_DIR/make-project.sh" "$HOME/walk/till"
  for agent in claude codex opencode; do
    quiet timeout 300 "$MUM_E2E_DIR/run-$agent.sh" --agents "$MUM_AGENTS_DIR" --home "$HOME" --project "$HOME/walk/till" \
      --script "$MUM_E2E_DIR/scripts/$agent-1.json" --out "$HOME/walk/$agent" --path "$bin"
    mum search --all --agent $agent rounding >said
    has 'lost money' said
  done
  say 'Claude Code, Codex and OpenCode were run: their prompts are found'
}

leave() {
  # A running agent writes its own files: then only what names keepmum is looked for.
  if [ -z "${MUM_AGENTS_DIR:-}" ]; then
    rm -f said told page sum
    files >walk/after
    cmp -s walk/before walk/after || { diff walk/before walk/after; fail 'something stayed'; }
    say 'removed: every file of the home is as before, byte for byte'
  else
    ! grep -lF mum-hook .claude/settings.json .claude.json .codex/*.* .config/opencode/*.* || fail 'an agent still names mum-hook'
    say 'removed: no settings of an agent name mum-hook'
  fi
  for exe in /proc/[0-9]*/exe; do
    case $(readlink "$exe" 2>/dev/null) in "$bin"/mum*) fail "it still runs: $exe" ;; esac
  done
}

by_hand() { # what a package does not do
  quiet mum up
  quiet mum connect auto
}
by_hand_back() {
  quiet mum disconnect auto
  quiet mum down
}

# walk is one way, from the empty home to the empty home.
walk() {
  cd "$HOME"
  mkdir -p walk
  ! command -v go >/dev/null 2>&1 || fail 'there is a go on the path'
  bin=$HOME/.local/bin manual=$HOME/.local/share/man/man1 script=$DIST/../install.sh
  name=$(cd "$DIST" && ls keepmum_*_linux_amd64.tar.gz)
  tar -xzf "$DIST/$name" -C walk
  script=$HOME/walk/${name%.tar.gz}/install.sh
  mine
  files >walk/before
  older
  case $WALK in
    archive) from=$DIST/$name ;;
    folder) from=$DIST ;;
    url)
      command -v python3 >/dev/null 2>&1 || { skip 'no python3 to serve the archive'; return 0; }
      port=$((20000 + $$ % 20000))
      python3 -m http.server --bind 127.0.0.1 --directory "$DIST" $port >/dev/null 2>&1 &
      server=$!
      trap 'kill $server' EXIT
      sleep 2
      from=http://127.0.0.1:$port
      ;;
    unpacked) from='' ;;
    hand)
      mkdir -p .local/bin
      cp "walk/${name%.tar.gz}/mum" "walk/${name%.tar.gz}/mum-hook" .local/bin/
      ;;
    deb)
      root=$HOME/walk/root bin=$HOME/walk/root/usr/bin manual=$HOME/walk/root/usr/share/man/man1
      mkdir -p "$root/var/lib/dpkg/info" "$root/var/lib/dpkg/updates"
      : >"$root/var/lib/dpkg/status"
      deb() { quiet dpkg --root="$root" --force-not-root --force-bad-path "$@"; }
      deb -i "$DIST"/keepmum_*_amd64.deb
      ;;
    rpm)
      command -v rpm >/dev/null 2>&1 || { skip 'no rpm'; return 0; }
      root=$HOME/walk/root bin=$HOME/walk/root/usr/bin manual=$HOME/walk/root/usr/share/man/man1
      mkdir -p "$root"
      quiet rpm --root "$root" --nodeps -U "$DIST"/keepmum-*.x86_64.rpm
      ;;
    npm)
      command -v npm >/dev/null 2>&1 || { skip 'no npm'; return 0; }
      bin=$HOME/walk/npm/bin
      # Offline: else npm asks the registry for the packages of other systems.
      quiet npm install --global --prefix "$HOME/walk/npm" --offline \
        "$DIST"/npm/keepmum-[0-9]*.tgz "$DIST"/npm/keepmum-linux-x64-*.tgz
      ;;
    package) bin=/usr/bin manual=/usr/share/man/man1 ;; # installed already
  esac
  export PATH="$bin:$PATH"
  case $WALK in
    archive | folder | url | unpacked)
      sh "$script" ${from:+--from "$from"} >said 2>&1 || { cat said; fail 'install.sh'; }
      has 'keepmum is ready' said
      has 'connected: claude' said
      ;;
    *) by_hand ;;
  esac
  say "installed: $(mum version)"
  newer_finds
  use
  back_again
  real_agents
  case $WALK in
    archive | folder | url | unpacked)
      quiet sh "$script" --uninstall
      has 'your memories stay' said
      [ -f .mum/memory.db ] || fail 'the memories are gone'
      quiet sh "$script" --uninstall --purge
      [ ! -e .mum ] || fail '.mum is still there'
      ;;
    *)
      by_hand_back
      case $WALK in
        hand) rm .local/bin/mum .local/bin/mum-hook ;;
        deb) deb -r keepmum ;;
        rpm) quiet rpm --root "$root" -e keepmum ;;
        npm) quiet npm uninstall --global --prefix "$HOME/walk/npm" keepmum @keepmum/linux-x64 ;;
      esac
      [ "$WALK" = package ] || [ ! -e "$bin/mum" ] || fail 'mum is still there'
      ;;
  esac
  leave
}

# in_chroot installs the deb in a fresh Debian, and walks there as a user who is not root.
in_chroot() {
  command -v debootstrap >/dev/null 2>&1 && [ "$(id -u)" = 0 ] || { skip 'no debootstrap, or not root'; return 0; }
  root=$work/debian
  debootstrap --variant=minbase --include=curl,man-db "${SUITE:-bookworm}" "$root" >"$work/log" 2>&1 || { tail "$work/log"; fail debootstrap; }
  mkdir -p "$root/walk/dist" "$root/walk/old"
  cp "$dist"/keepmum_* "$root/walk/dist/"
  cp "$0" "$root/walk/walk.sh"
  [ -z "${OLD:-}" ] || cp "$OLD/mum" "$OLD/mum-hook" "$root/walk/old/"
  mount --bind /proc "$root/proc"
  trap 'umount "$work/debian/proc"; rm -rf "$work"' EXIT
  chroot "$root" useradd -m dev
  chroot "$root" sh -c 'dpkg -i /walk/dist/keepmum_*_amd64.deb' >"$work/log" 2>&1 || { cat "$work/log"; fail dpkg; }
  chroot "$root" su dev -c "env -i PATH=/usr/bin:/bin HOME=/home/dev DIST=/walk/dist OLD=${OLD:+/walk/old} WALK=package sh /walk/walk.sh"
  chroot "$root" dpkg -L keepmum | while read -r f; do [ ! -f "$root$f" ] || echo "$f"; done >"$work/files"
  chroot "$root" dpkg -r keepmum >"$work/log"
  while read -r f; do [ ! -e "$root$f" ] || fail "$f is still there"; done <"$work/files"
  say "dpkg -r took $(wc -l <"$work/files") files back"
  umount "$root/proc"
  trap 'rm -rf "$work"' EXIT
}

if [ -n "${WALK:-}" ]; then
  walk
  exit 0
fi

dist=$(cd "$1" && pwd)
shift
[ $# -gt 0 ] || set -- archive folder url unpacked hand deb rpm npm chroot
for way in "$@"; do
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
  began=$(date +%s)
  echo "$way"
  if [ "$way" = chroot ]; then
    in_chroot
  else
    env -i PATH=/usr/bin:/bin:/usr/sbin:/sbin HOME="$work" DIST="$dist" WALK="$way" OLD="${OLD:-}" \
      MUM_AGENTS_DIR="${MUM_AGENTS_DIR:-}" MUM_E2E_DIR="${MUM_E2E_DIR:-}" sh "$0"
  fi
  echo "  $(($(date +%s) - began)) s"
  rm -rf "$work"
done
