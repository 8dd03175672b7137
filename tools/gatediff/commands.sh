#!/usr/bin/env bash
# commands.sh OUT: what some hundred usual commands print on this machine, in OUT/COMMAND/N.txt. What is not installed is
# skipped. Only commands whose output holds no secret: no environment, no settings of the user.
set -uo pipefail
[ $# -eq 1 ] || { sed -n '2,3s/^# //p' "$0"; exit 2; }
out=$(realpath -m "$1"); repo=$(git -C "$(dirname "$0")" rev-parse --show-toplevel)
export GOCACHE=$(go env GOCACHE) GOMODCACHE=$(go env GOMODCACHE) GOTOOLCHAIN=local
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT
export TERM=xterm COLUMNS=120 PAGER=cat GIT_PAGER=cat MANWIDTH=100 NO_COLOR=1 HOME=$work LC_ALL=C.UTF-8 PGUSER=postgres

# say NAME COMMAND…: its output, at most 400 KB and for at most two minutes, as the next file of NAME
say() {
  local name=$1 n; shift
  command -v "$1" >/dev/null || return 0
  mkdir -p "$out/$name"; n=$(ls "$out/$name" | wc -l)
  timeout 120 "$@" </dev/null 2>&1 | head -c 400000 >"$out/$name/$n.txt"
  [ -s "$out/$name/$n.txt" ] || rm "$out/$name/$n.txt"
}

std=$(go env GOROOT)/src
for p in encoding/json net/http net/url strings strconv crypto/tls crypto/x509 text/template go/types regexp time os/exec mime/multipart; do
  say go-test go -C "$std" test -short -v "$p"
done
say go-testjson go -C "$std" test -json -short encoding/hex crypto/hmac bytes
say go-cover go -C "$std" test -short -cover encoding/... hash/...
say go-bench go -C "$std" test -run '^$' -bench . -benchtime 20x -benchmem encoding/json crypto/sha256 strconv
say go-list go -C "$repo" list -deps ./...
say go-list go -C "$repo" list -json ./api ./store
say go-mod go -C "$repo" mod graph
say go-mod go -C "$repo" list -m -u=false all
for p in crypto/tls net/http database/sql crypto/x509 net/smtp; do say go-doc go doc -all "$p"; done
say go-build go -C "$repo" build -x -o /dev/null ./api
say go-build go -C "$repo" build -gcflags=-m ./config

git=(git -C "$repo")
say git-log "${git[@]}" log -300
say git-oneline "${git[@]}" log --oneline --graph -1000
say git-stat "${git[@]}" log --stat -80
say git-raw "${git[@]}" log --raw -60
say git-format "${git[@]}" log --format='%H %an <%ae> %ad %s' -300
say git-diffstat "${git[@]}" diff --stat HEAD~30 HEAD
say git-ls "${git[@]}" ls-files -s
say git-ls "${git[@]}" ls-tree -r -l HEAD
say git-refs "${git[@]}" for-each-ref
say git-refs "${git[@]}" show-ref
say git-branch "${git[@]}" branch -a -vv
say git-shortlog "${git[@]}" shortlog -sn HEAD
say git-objects "${git[@]}" rev-list --objects HEAD --max-count=60
say git-blame "${git[@]}" blame HEAD -- Makefile

cd "$work" || exit 1
cat >auth.test.mjs <<'X'
import test from 'node:test'; import assert from 'node:assert'
for (const n of ['login2fa', 'password v2', 'token_b64', 'pin 6 digits'])
  test(n, async t => { await t.test('works', () => {}); await t.test('fails', () => assert.equal(n, 'x')) })
X
for r in spec tap dot junit; do say node-test node --test --test-reporter="$r" auth.test.mjs; done
for m in token password crypto.createHash; do say node-trace node -e "function $(tr . _ <<<"$m")() { throw new TypeError('$m of 2 is not a function') }; $(tr . _ <<<"$m")()"; done
say npm-help npm help; say npm-help npm help install; say npm-ls npm ls -g --all
for p in express jsonwebtoken bcrypt typescript; do say npm-view npm view "$p"; done
for m in test.test_hmac test.test_secrets test.test_base64 test.test_json test.test_logging; do say unittest python3 -m unittest -v "$m"; done
for p in getpass hmac secrets netrc smtplib ssl; do say pydoc python3 -m pydoc "$p"; done
say pip python3 -m pip list
cat >auth.c <<'X'
#include <stdio.h>
struct login { char *password; unsigned pin : 4; };
int check(struct login *l, int token) { int unused; if (token = 4) printf("%s", l->pin); return l->missing; }
X
say gcc gcc -Wall -Wextra -c auth.c; say gcc gcc -fanalyzer -O2 -c auth.c
say readelf readelf -Ws /bin/login; say objdump objdump -T /usr/bin/passwd; say nm nm -D /usr/bin/ssh

for d in /etc /usr/bin /usr/lib /var/log /usr/share/doc; do say ls ls -la "$d"; say ls ls -lR --time-style=full-iso "$d/.."; done
say find find /usr/share/doc -maxdepth 2 -ls
say stat stat /etc/passwd /etc/login.defs /usr/bin/passwd /dev/null
say sums sha256sum /usr/bin/a* ; say sums md5sum /usr/bin/p*
say hexdump xxd -l 6000 /usr/bin/passwd; say hexdump od -A x -t x1z -N 6000 /usr/bin/ssh; say hexdump hexdump -C -n 6000 /usr/bin/sudo
say du du -h --max-depth=2 /usr/share; say df df -h; say df df -i; say mount mount; say lsblk lsblk -f
say ps ps aux; say ps ps -ef --forest; say ps top -b -n 1
say ss ss -tanp; say ss netstat -tulpn; say ip ip addr; say ip ip route
say lsof lsof -n -p $$; say free free -h; say free vmstat 1 2
say dpkg dpkg -l; say dpkg dpkg -L login passwd openssl; say apt apt-cache show openssh-server login sudo openssl
say apt apt list --installed; say apt apt-cache policy openssl
say systemctl systemctl list-unit-files; say dmesg dmesg; say journal journalctl -n 400 --no-pager
say strace strace -f ls /etc; say ltrace ltrace -c true; say gdb gdb -batch -ex 'info functions' /bin/true
say openssl openssl ciphers -v; say openssl openssl list -commands; say openssl openssl version -a; say openssl openssl speed -seconds 1 sha256
say curl curl -sv http://127.0.0.1:1/; say curl curl --manual; say curl curl --help all
say gpg gpg --version; say ssh ssh -V; say ssh ssh -Q key; say locale locale -a; say lscpu lscpu
say sqlite sqlite3 -header -column :memory: "create table login(id integer primary key, name text, failed int, pin_set int); insert into login(name, failed, pin_set) values ('tove', 0, 1), ('kastor', 3, 0); select * from login; pragma table_info(login); explain select * from login"
for q in '\d pg_authid' '\d+ pg_stat_activity' 'select relname, relpages, relfilenode from pg_class limit 60' 'select name, setting, unit from pg_settings' 'explain analyze select * from pg_class'; do
  say psql psql -X -c "$q"
done
for p in passwd login ssh ssh-keygen sudo openssl curl git-log git-credential gpg crontab systemd.unit sshd_config shadow rsync tar wget; do say man man "$p"; done
for f in $(ls /usr/bin | grep -E '^[a-z][a-z0-9-]+$' | awk 'NR % 4 == 1' | head -200); do say "help-${f:0:1}" "$f" --help; done
say make make -C "$repo" -n lint; say make make -C "$repo" help
say diff diff -u /etc/passwd /etc/group; say grep grep -rniE 'token|pass|key' /usr/share/perl5 --include='*.pm'
say wc wc -l /etc/*; say tree tree -p -L 3 /usr/share/doc; say awk awk -F: '{print $1, $3, $6}' /etc/passwd
