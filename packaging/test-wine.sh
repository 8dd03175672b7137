#!/bin/sh
# Runs mum.exe and mum-hook.exe under Wine as a user of Windows would: from a folder with a
# space in its name, with settings whose lines end in CR LF. Needs the folder of the programs.
set -eu

programs=$1
if ! command -v wine >/dev/null 2>&1; then
  echo 'SKIP: there is no wine here (apt-get install wine wine64 binutils-mingw-w64-x86-64)'
  exit 0
fi
export WINEPREFIX="${WINEPREFIX:-${XDG_CACHE_HOME:-$HOME/.cache}/keepmum/wine}" WINEARCH=win64 WINEDEBUG=-all
export MUM_COMPRESS__PROVIDER=off MUM_DAEMON__PORT=0 DISPLAY=
c=$WINEPREFIX/drive_c
work=$(mktemp -d)
steps=0

say() { steps=$((steps + 1)); printf 'ok   %s\n' "$*"; }
fail() { printf 'FAIL %s\n' "$*"; exit 1; }
has() { # has WHAT FILE: a fixed string
  grep -qF -- "$1" "$2" || { cat "$2"; fail "no $1"; }
}
finish() {
  timeout 60 wine "$at\\mum.exe" down >/dev/null 2>&1 || true
  rm -rf "$work"
}

# Go needs a system library that Wine has from version 9 on: this one hands the call to an older one.
provide_random() {
  [ ! -e "$c/windows/system32/bcryptprimitives.dll" ] || return 0
  command -v x86_64-w64-mingw32-ld >/dev/null 2>&1 ||
    { echo 'SKIP: this wine has no bcryptprimitives.dll, and there are no binutils to make one (apt-get install binutils-mingw-w64-x86-64)'; exit 0; }
  printf 'LIBRARY bcryptprimitives.dll\nEXPORTS\nProcessPrng=advapi32.SystemFunction036\n' >"$work/random.def"
  printf '.globl DllMain\nDllMain:\n  mov $1, %%eax\n  ret\n' >"$work/random.s"
  x86_64-w64-mingw32-as "$work/random.s" -o "$work/random.o"
  x86_64-w64-mingw32-ld -shared --entry DllMain -o "$c/windows/system32/bcryptprimitives.dll" "$work/random.o" "$work/random.def"
}

mkdir -p "$WINEPREFIX"
[ -d "$c" ] || timeout 300 wineboot -i >/dev/null 2>&1
provide_random

at='C:\Program Files\keepmum'
user=$c/users/$(id -un)
rm -rf "$c/Program Files/keepmum" "$user/.mum" "$user/.claude" "$user/.claude.json" "$user/.codex" "$user/shop"
mkdir -p "$c/Program Files/keepmum" "$user/shop" "$user/.claude" "$user/.codex"
cp "$programs/mum.exe" "$programs/mum-hook.exe" "$c/Program Files/keepmum/"
trap finish EXIT
mum() { timeout 120 wine "$at\\mum.exe" "$@" | tr -d '\r'; }

mum version >"$work/version"
has windows/amd64 "$work/version"
say "$(cat "$work/version") on $(wine --version)"

mum up >"$work/out"
has 'is running' "$work/out"
mum status >"$work/out"
grep -q mum.sock "$work/out" && over='the socket' || over='the port'
say "mum up; hooks reach the daemon over $over"

second='C:\users\second'
MUM_HOME=$second MUM_DAEMON__PORT=$(cat "$user/.mum/port") mum up >"$work/out"
has 'is running' "$work/out"
MUM_HOME=$second mum down >"$work/out"
say 'a port that is taken is replaced'

# A made-up token: the gate knows its form.
token=ghp_u8Zk3mWq9TnB2xVcLr5YdJ7fHs4PaE1oGiQ0
event() {
  printf '{"session_id":"%s","cwd":"C:\\\\users\\\\%s\\\\shop","hook_event_name":"UserPromptSubmit",\r\n"prompt":"%s with %s"}\r\n' \
    "$1" "$(id -un)" "$2" "$token"
}

printf '{\r\n  "model": "opus"\r\n}\r\n' >"$user/.claude/settings.json"
cp "$user/.claude/settings.json" "$work/settings"
mum connect claude codex --yes >"$work/out"
has 'connected: claude, codex' "$work/out"
has '"command": "C:\\Program Files\\keepmum\\mum-hook.exe", "args": ["claude"]' "$user/.claude/settings.json"
[ "$(grep -c '' "$user/.claude/settings.json")" = "$(grep -c "$(printf '\r')" "$user/.claude/settings.json")" ] ||
  fail 'a line of settings.json lost its CR'
say 'connect claude: a program and its arguments, no shell; line ends kept'

line=$(sed -n 's/.*"command": "\([^"]*\) codex".*/\1/p' "$user/.codex/hooks.json" | head -n 1 | sed 's/\\\\/\\/g')
case $line in *' '* | '') fail "codex would run [$line], which cmd reads in parts" ;; esac
say "connect codex: $line codex"

event s1 'prices are integer cents' >"$work/event"
timeout 60 wine "$at\\mum-hook.exe" claude <"$work/event" >"$work/out" || fail 'the hook did not end with 0'
event s2 'rounding happens once' >"$work/event"
timeout 60 wine cmd /C "$line codex" <"$work/event" >"$work/out" || fail 'the hook did not end with 0'
mum search --all cents >"$work/out"
has 'prices are integer cents with [REDACTED:' "$work/out"
mum search --all rounding >"$work/out"
has 'codex' "$work/out"
say 'both hooks were run, both prompts are found'

# In the folder of the prompts, which is their project.
shop() { (cd "$user/shop" && mum "$@"); }
shop context >"$work/out"
has 'rounding happens once' "$work/out"
shop ask 'how are prices stored?' >"$work/out"
has 'prices are integer cents' "$work/out"
mum status >"$work/out"
has 'nothing left this machine' "$work/out"
if command -v curl >/dev/null 2>&1; then
  mum open --json >"$work/out"
  curl -fsSL -c "$work/jar" -b "$work/jar" "$(sed -n 's/.*"url": "\([^"]*\)".*/\1/p' "$work/out")" >"$work/page"
  has 'prices are integer cents' "$work/page"
fi
say 'context, ask, status and the page show them'

mum down >/dev/null
event s3 'spooled while nothing ran' >"$work/event"
timeout 60 wine "$at\\mum-hook.exe" claude <"$work/event" || fail 'the hook did not end with 0'
for _ in 1 2 3 4 5 6 7 8 9 10; do # the hook has started the daemon, which takes it in
  mum search --all spooled >"$work/out" 2>&1 || true
  ! grep -q REDACTED "$work/out" || break
  sleep 1
done
has 'spooled while nothing ran' "$work/out"
if grep -rqF "$token" "$user/.mum"; then fail 'the token is on the disk'; fi
say 'without a daemon: the event is kept, the hook starts one; the token is in no file'

printf '[privacy]\r\nmode = "strict"\r\n' >"$user/.mum/config.toml"
mum config check >"$work/out"
mum config set capture.git off >"$work/out"
has 'mode = "strict"' "$user/.mum/config.toml"
mum memory add 'Prices are integer cents' --kind preference --global --body 'Floats lost us money on rounding, in every invoice of one month.' >"$work/out"
memory=$(find "$user/.mum" -name '*.md' | grep -v skills | head -n 1)
[ -n "$memory" ] || fail 'no memory file'
sed 's/$/\r/' "$memory" >"$work/crlf" && cp "$work/crlf" "$memory"
mum memory list --all >"$work/out"
has 'integer cents' "$work/out"
say 'settings and memories with CR LF are read'

if command -v curl >/dev/null 2>&1; then
  running() { sed -n 's/.*"started": *"\([^"]*\)".*/\1/p' "$work/out"; }
  mum status --json >"$work/out"
  began=$(running)
  [ -n "$began" ] || fail 'status does not say since when it runs'
  curl -fsS -X POST -H "Authorization: Bearer $(tr -d '\r\n' <"$user/.mum/token")" -H 'Content-Type: application/json' \
    -d '{}' "http://127.0.0.1:$(tr -d '\r\n' <"$user/.mum/port")/restart" >"$work/answer"
  for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do # status starts nothing
    mum status --json >"$work/out" 2>&1 || true
    [ -z "$(running)" ] || [ "$(running)" = "$began" ] || break
    sleep 1
  done
  [ -n "$(running)" ] && [ "$(running)" != "$began" ] || { cat "$work/out"; fail 'it did not start again'; }
  say 'POST /restart (the button of the page): a new process, with nobody calling it'
fi

mum service install >"$work/out"
mum service status >"$work/out"
has 'running' "$work/out"
wine reg query 'HKCU\Software\Microsoft\Windows\CurrentVersion\Run' /v keepmum >"$work/out"
has 'mum-hook.exe' "$work/out"
mum service uninstall >"$work/out"
mum service status >"$work/out"
has 'not installed' "$work/out"
say 'service: starts at login, and is removed again'

mum doctor >"$work/out" || { grep -A1 FAIL "$work/out"; fail 'doctor finds something'; }
say 'doctor finds nothing wrong'

mum disconnect auto --yes >"$work/out"
cmp "$work/settings" "$user/.claude/settings.json" || fail 'settings.json is not what it was'
[ ! -e "$user/.codex/hooks.json" ] || fail 'hooks.json is still there'
mum down >"$work/out"
rm "$c/Program Files/keepmum/mum.exe" || fail 'the program is still in use'
say 'uninstall: settings as before, byte for byte; nothing runs'
echo "$steps passed, 0 failed"
