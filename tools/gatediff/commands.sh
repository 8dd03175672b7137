#!/usr/bin/env bash
# commands.sh OUT: what some hundred usual commands print on this machine, in OUT/COMMAND/N.txt, and the help and manual
# pages of all others. What is not installed is skipped. Only commands whose output holds no secret: no environment, no
# settings of the user.
set -uo pipefail
[ $# -eq 1 ] || { sed -n '2,4s/^# //p' "$0"; exit 2; }
out=$(realpath -m "$1"); repo=$(git -C "$(dirname "$0")" rev-parse --show-toplevel)
export GOCACHE=$(go env GOCACHE) GOMODCACHE=$(go env GOMODCACHE) GOTOOLCHAIN=local
user=$HOME; work=$(mktemp -d); trap 'rm -rf "$work"' EXIT
export TERM=xterm COLUMNS=120 PAGER=cat GIT_PAGER=cat MANWIDTH=100 NO_COLOR=1 HOME=$work LC_ALL=C.UTF-8 PGUSER=postgres

# say NAME COMMAND…: its output, at most 400 KB and for at most two minutes, as the next file of NAME
say() {
  local name=$1 n; shift
  command -v "$1" >/dev/null || return 0
  mkdir -p "$out/$name"; n=$(ls "$out/$name" | wc -l)
  timeout -k 5 120 setsid -w "$@" </dev/null 2>&1 | head -c 400000 >"$out/$name/$n.txt"
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
# A kind for each first letter: the halves for tuning and reporting share no command.
for f in $(ls /usr/bin /usr/sbin | grep -E '^[a-z][a-z0-9-]+$' | sort -u | grep -vE 'reboot|shutdown|halt|poweroff|init$|vimtutor'); do
  say "help-${f:0:1}" "$f" --help
done
for s in 1 3 5 7 8; do
  for f in $(ls "/usr/share/man/man$s" | grep -E "^[a-z][a-z0-9_.-]+\.$s(\.gz)?$" | sed -E "s/\.$s(\.gz)?$//" | shuf -n $((s == 1 ? 900 : 250)) --random-source=<(yes)); do
    say "man$s-${f:0:1}" man "$s" "$f"
  done
done
say make make -C "$repo" -n lint; say make make -C "$repo" help
say diff diff -u /etc/passwd /etc/group; say grep grep -rniE 'token|pass|key' /usr/share/perl5 --include='*.pm'
say wc wc -l /etc/*; say tree tree -p -L 3 /usr/share/doc; say awk awk -F: '{print $1, $3, $6}' /etc/passwd


# What other languages, package managers and small servers print.
for d in json http email unittest; do say dis python3 -m dis "/usr/lib/python3.11/$d/__init__.py"; done
say python-v python3 -v -c 'import ssl, json, http.client'; say python-import python3 -X importtime -c 'import ssl, asyncio, email'
say cprofile python3 -m cProfile -s cumtime -c 'import json; json.dumps(list(range(9999)))'; say sysconfig python3 -m sysconfig
for m in test.test_ssl test.test_urllib test.test_cgi test.test_imaplib test.test_smtplib test.test_crypt; do say pytest python3 -m pytest -v --pyargs "$m"; done
cat >test_login.py <<'X'
import pytest
@pytest.mark.parametrize("name,pin", [("tove", 4), ("kastor-b", 6), ("", 0)])
def test_login(name, pin): assert len(name) == pin
def test_token(tmp_path): assert (tmp_path / "token.txt").read_text() == "x"
class TestPassword:
    def test_too_short(self): raise ValueError("password must have 8 characters")
    def test_hash(self, request): assert {"user": "tove", "tries": [1, 2]} == {"user": "ilja", "tries": [2, 1]}
X
for o in -v -q --tb=short --tb=line -rA --durations=5 --fixtures; do say pytest-own python3 -m pytest "$o" test_login.py; done
say ast python3 -m ast test_login.py; say tokenize python3 -m tokenize test_login.py; say pip-show python3 -m pip show -f pip requests boto3 cryptography
say pip-inspect python3 -m pip inspect; say pip-debug python3 -m pip debug --verbose; say pip-check python3 -m pip check
cat >t.pl <<'X'
use Test::More; ok(1, "login 1"); is("tok-2", "tok-3", "token"); is_deeply({pin => [1,2]}, {pin => [1,3]}, "pins"); done_testing;
X
say prove prove -v t.pl; say perl-v perl -V; say perl-config perl -V:.*; say perldoc perldoc -T perlvar
export CARGO_HOME=$work/cargo RUSTUP_HOME=${RUSTUP_HOME:-$user/.rustup}
say cargo cargo new --name ledger ledger
mkdir -p ledger/src; cat >ledger/src/lib.rs <<'X'
pub struct Login { pub password_hash: [u8; 32], token: Option<String> }
pub fn check(l: &Login, unused: u32) -> bool { let mut x = 3; l.token.is_some() }
#[cfg(test)] mod tests { use super::*;
  #[test] fn token_is_checked() { assert!(check(&Login { password_hash: [7; 32], token: Some("t".into()) }, 1)); }
  #[test] fn a_pin_has_6_digits() { assert_eq!("pin".len(), 6, "pin {}", 1); } }
X
say cargo-build cargo build --manifest-path ledger/Cargo.toml -vv; say cargo-test cargo test --manifest-path ledger/Cargo.toml
say cargo-clippy cargo clippy --manifest-path ledger/Cargo.toml -- -W clippy::pedantic; say cargo-list cargo --list
say cargo-metadata cargo metadata --manifest-path ledger/Cargo.toml --format-version 1; say cargo-tree cargo tree --manifest-path ledger/Cargo.toml
for c in build test publish login install add; do say "cargo-help" cargo help "$c"; done
say rustc-print rustc --print target-list; say rustc-print rustc --print cfg; say rustc-explain rustc --explain E0382; say rustc-c rustc -C help
say rustc-w rustc -W help; say rustc-explain rustc --explain E0499; say llvm rustc --crate-type lib --emit llvm-ir -o - ledger/src/lib.rs
cat >Login.java <<'X'
public class Login { private String password; int pin = "x";
  public static void main(String[] a) throws Exception { throw new IllegalStateException("no token for " + a.length, new java.io.IOException("401")); } }
X
say javac javac -Xlint:all Login.java; sed -i 's/ int pin = "x";//' Login.java; say javac-verbose javac -verbose Login.java; say java java Login
say java-flags java -XX:+PrintFlagsFinal -version; say java-settings java -XshowSettings:all -version; say java-gc java '-Xlog:gc*,class+load' Login
for c in java.lang.String java.security.KeyStore javax.crypto.Cipher; do say javap javap -p -s -c "$c"; done
say jar jar --help-extra; say jmod jmod list "$(dirname "$(dirname "$(readlink -f "$(command -v java)")")")/jmods/java.base.jmod"
mkdir -p shop/src/main/java; cat >shop/pom.xml <<'X'
<project><modelVersion>4.0.0</modelVersion><groupId>org.example</groupId><artifactId>shop</artifactId><version>1</version></project>
X
for o in -X -e -q; do say mvn mvn -o "$o" -f shop/pom.xml verify; done; say mvn-help mvn --help
cat >package.json <<'X'
{"name": "shop", "version": "1.0.0", "scripts": {"login": "node -e 'process.exit(3)'"}, "dependencies": {"express": "5.1.0", "jsonwebtoken": "9.0.2"}}
X
say npm-install npm install --no-audit --no-fund --loglevel verbose; say npm-lock cat package-lock.json; say npm-ls2 npm ls --all
say npm-ls-json npm ls --all --json; say npm-run npm run login; say npm-explain npm explain ms; say npm-pack npm pack --dry-run express@5.1.0
say npm-outdated npm outdated; say npm-find find node_modules -name '*.js' -size +4k -printf '%s %TY-%Tm-%Td %p\n'; say npm-config npm config ls -l
for c in login token access install publish audit config exec; do say npm-helps npm help "$c"; done
say node-v8 node --v8-options; say node-config node -p 'JSON.stringify(process.config, null, 1)'; say node-check node --trace-warnings -e 'new Buffer(5); Promise.reject(new Error("token expired at 4"))'
say node-inspect node -p 'require("util").inspect(require("crypto"), {depth: 3})'; say node-ciphers node -p 'require("crypto").getCiphers().join("\n")'
say node-table node -e 'console.table(require("os").cpus().map((c, i) => ({user: "u" + i, key: i * 7, ...c.times})))'; say node-prof node --cpu-prof --cpu-prof-name=p.json -e 0; say node-prof-json cat p.json
cat >serve.mjs <<'X'
import http from 'node:http'; import {execFileSync as run, spawn} from 'node:child_process'
const s = http.createServer((q, r) => { r.writeHead(q.url.length % 3 ? 200 : 401, {ETag: '"5f-18c2"', 'X-Request-Id': 'r-' + q.url.length, Vary: 'Accept, Origin',
  'WWW-Authenticate': 'Bearer realm="shop", error="invalid_token"', 'Cache-Control': 'max-age=60', 'Content-Type': 'application/json'}); r.end(JSON.stringify({path: q.url, q: q.headers})) })
s.listen(0, '127.0.0.1', () => { const urls = ['', 'login', 'api/v1/tokens?page=2', 'users/7/keys', 'reset-password'].map(p => `http://127.0.0.1:${s.address().port}/${p}`)
  spawn('curl', process.argv.slice(2).concat(urls), {stdio: 'inherit'}).on('exit', () => process.exit()) })
X
say curl-v node serve.mjs -sv; say curl-i node serve.mjs -si; say curl-trace node serve.mjs -s --trace-ascii -
say tf-version terraform version; for c in plan apply login state import providers console workspace; do say terraform terraform "$c" -help; done
cat >main.tf <<'X'
variable "region" { default = "eu-1" }
locals { users = { tove = 4, kastor = 6 } }
resource "terraform_data" "login" {
  for_each = local.users
  input    = { name = each.key, pin_length = each.value, region = var.region, rotate = ["token", "password"] }
}
output "logins" { value = { for k, v in terraform_data.login : k => v.id } }
X
say tf-init terraform init -no-color; say tf-plan terraform plan -no-color; say tf-apply terraform apply -no-color -auto-approve; say tf-show terraform show -no-color
say tf-state terraform state list; say tf-json terraform show -json; say tf-graph terraform graph; say tf-fmt terraform validate -no-color -json
say kube-deploy kubectl create deployment auth-proxy --image=auth:7.5 --replicas=3 --port=4180 --dry-run=client -o yaml
say kube-job kubectl create cronjob cert-renew --image=certs:2 --schedule='7 3 * * *' --dry-run=client -o yaml; say kube-role kubectl create clusterrole token-reader --verb=get,list --resource=secrets --dry-run=client -o yaml
say kube-job kubectl create quota logins --hard=secrets=5,pods=20 --dry-run=client -o json; say kube-ing kubectl create ingress login --rule='login.example/*=auth:8080,tls=login-cert' --dry-run=client -o yaml
for c in get create config apply logs exec 'create secret' 'create token' rollout drain auth; do say kube-help kubectl $c --help; done; say kube-options kubectl options
for c in run build login compose 'compose up' secret 'secret create' ps images swarm buildx; do say docker-help docker $c --help; done
for c in iam sts s3api kms secretsmanager ssm ec2 cognito-idp; do say "aws-$c" aws "$c" help; done
for c in 'iam create-access-key' 's3 cp' 'sts assume-role' 'secretsmanager put-secret-value' 'ecr get-login-password'; do say aws-command aws $c help; done
openssl req -x509 -newkey rsa:2048 -nodes -keyout k.pem -out c.pem -days 30 -subj '/O=Shop/CN=login.example' 2>/dev/null
say openssl-x509 openssl x509 -in c.pem -noout -text; say openssl-fp openssl x509 -in c.pem -noout -fingerprint -sha256 -dates -serial; say openssl-asn1 openssl asn1parse -in c.pem -i
for c in req x509 enc s_client pkcs12 rsa genpkey ciphers verify dgst; do say openssl-help openssl "$c" -help; done; say openssl-err openssl verify c.pem; say openssl-err openssl s_client -connect 127.0.0.1:1
chmod 700 "$work"; gpg --batch --quiet --passphrase '' --quick-gen-key 'Tove <tove@shop.example>' rsa2048 2>/dev/null
say gpg-list gpg --list-keys --with-fingerprint --with-subkey-fingerprint; say gpg-list gpg --list-keys --with-colons; say gpg-list gpg --list-packets pubring.gpg; say gpg-check gpg --check-sigs
ssh-keygen -q -t ed25519 -N '' -f k; say ssh-fp ssh-keygen -lvf k.pub; say ssh-help ssh-keygen -h; say ssh-v ssh -v -o ConnectTimeout=1 127.0.0.1 -p 1
for f in cpuinfo meminfo interrupts vmstat zoneinfo slabinfo mounts modules crypto kallsyms net/tcp net/dev net/unix self/maps self/status self/smaps self/limits self/stat buddyinfo partitions diskstats schedstat iomem ioports cgroups filesystems softirqs locks devices misc; do
  [ -r "/proc/$f" ] && say "proc-${f//\//-}" cat "/proc/$f"
done
say sysctl sysctl -a; say ldconfig ldconfig -p; say file bash -c 'file /usr/bin/[a-m]*'; say ldd ldd /usr/bin/git /usr/bin/curl /usr/bin/psql; say pmap pmap -x $$; say pstree pstree -apl
say getent getent group; say getent getent services; say getent getent protocols; say id id; say uname uname -a; say locale-k locale -k LC_TIME LC_MONETARY
for f in dpkg.log apt/history.log apt/term.log alternatives.log bootstrap.log fontconfig.log; do [ -r "/var/log/$f" ] && say "log-${f//\//-}" cat "/var/log/$f"; done
say apt-sim apt-get -s install nginx redis vault; say apt-sim apt-get -s upgrade; say apt-depends apt-cache depends openssh-server sudo libpam-modules git; say apt-rdepends apt-cache rdepends libssl3 libpam0g; say apt-showpkg apt-cache showpkg openssl
say apt-search apt-cache search 'password|token|secret'; say apt-madison apt-cache madison openssl sudo gnupg; say dpkg-s dpkg -s login passwd sudo gnupg; say dpkg-search bash -c 'dpkg -S /usr/bin/s*'; say dpkg-query dpkg-query -W
say unit systemctl cat ssh.service dbus.service; say udev udevadm info -e; say loginctl loginctl; say timedatectl timedatectl; say units systemctl list-timers --all; say analyze systemd-analyze --help
say make-d make -C "$repo" -n -d help; say bash-x bash -xc 'for t in token key pin; do n=$((${#t} * 7)); [ "$n" -gt 20 ] && echo "$t $n"; done'; say gcc-v gcc -v -c auth.c; say ld ld --verbose; say gcc-specs gcc -dumpspecs; say gcc-help gcc --help=warnings; say gcc-target gcc -Q --help=target
say objdump-d objdump -d --no-show-raw-insn /usr/bin/passwd; say objdump-h objdump -xs -j .rodata /usr/bin/login; say readelf-a readelf -aW /usr/bin/chage; say size size -A /usr/bin/sudo /usr/bin/ssh; say valgrind valgrind true
say go-env go env; say go-vet go -C "$repo" vet ./api; say go-asm go -C "$repo" build -gcflags=-S -o /dev/null ./budget; say go-nm go tool nm "$(go env GOROOT)/bin/gofmt"; say go-vm go version -m "$(go env GOROOT)/bin/gofmt"; say go-sum cat "$repo/go.sum"
for p in crypto net os sync archive/tar bufio; do say go-test2 go -C "$std" test -short -v "$p"; done; say go-testrun go -C "$repo" test -count=1 -v ./api ./budget ./layout ./freeport
for c in test build mod get list vet env; do say go-help go help "$c"; done; say go-tool go tool dist list -json; say go-fix go doc -all net/http/httptest
say git-show "${git[@]}" show --stat HEAD HEAD~3; say git-log-p "${git[@]}" log -p -12 -- cmd page budget Makefile; say git-numstat "${git[@]}" log --numstat --format='%h %aI' -200; say git-grep "${git[@]}" grep -nE 'token|login' -- cmd page api; say git-count "${git[@]}" count-objects -v
say git-cat "${git[@]}" cat-file --batch-check --batch-all-objects; say git-whatchanged "${git[@]}" log --name-status -100; say git-word "${git[@]}" diff --word-diff HEAD~20 HEAD -- page cmd; say git-fsck "${git[@]}" fsck --connectivity-only; say git-status "${git[@]}" status -sb --ignored
for c in log rebase credential config push remote; do say "git-help" git "$c" -h; done; say git-trace env GIT_TRACE=2 GIT_TRACE_SETUP=1 git -C "$repo" rev-parse HEAD; say git-var "${git[@]}" var -l
say zip bash -c 'unzip -l $(find / -xdev -name "*.jar" -size +300k 2>/dev/null | head -1)'; say zipinfo bash -c 'zipinfo $(find / -xdev -name "*.whl" 2>/dev/null | sort | head -1)'; say tar bash -c 'tar cf - -C /usr/share/perl . | tar tvf -'
for t in zone1970.tab tzdata.zi leap-seconds.list; do say zoneinfo cat "/usr/share/zoneinfo/$t"; done; say mime cat /etc/mime.types; say services cat /etc/services; say csv bash -c 'find / -xdev \( -name "*.csv" -o -name "*.tsv" \) -size -300k -not -path "/tmp/*" -not -path "*/keepmum*" 2>/dev/null | sort | head -60 | xargs -d "\n" cat'
say sqlite-dump sqlite3 :memory: 'create table session(id text, user text, expires int, note text); with recursive n(i) as (select 1 union all select i+1 from n where i<400) insert into session select printf("s-%05d", i*7919%9973), "user" || i%37, 1700000000+i*3571, "login from host-" || i%11 from n;' .dump
for m in box csv json line markdown tabs html insert; do say "sqlite-$m" sqlite3 :memory: ".mode $m" 'with recursive n(i) as (select 1 union all select i+1 from n where i<300) select i as id, "kunde-" || i*17%101 as login, i*7907%9973 as "order", date(1700000000+i*86400, "unixepoch") as day, "eu-" || i%4 || ".shop.example" as host from n'; done
say jq jq -n '[range(200) | {id: ., user: "u\(. * 7 % 31)", key: "k-\(. * 7919 % 9973)", tags: ["login", "t\(. % 5)"]}]'; say jq-c jq -nc 'range(300) | {ts: (1700000000 + . * 61), level: "info", msg: "login ok", user: "u\(. * 7 % 31)", ms: (. * 37 % 500)}'
say xxd2 xxd -c 32 -l 8000 /usr/bin/sudo; say od-c od -c -N 4000 /bin/login; say cksum bash -c 'cksum /usr/bin/[a-f]*'; say sha512 bash -c 'sha512sum --tag /usr/bin/g*'; say b2 bash -c 'b2sum /usr/bin/k* /usr/bin/l*'; say base bash -c 'sha1sum /usr/lib/git-core/*'
say perf perf list; say strace-c strace -c ls; say strace-net strace -e trace=network,openat curl -s http://127.0.0.1:1/; say tmux tmux list-keys; say tmux tmux show-options -g; say locale-a locale -m; say iconv iconv -l; say infocmp infocmp xterm; say bind bash -ic 'bind -p'
say shopt bash -c 'shopt; set -o; help -m printf read test declare'; say trap bash -c 'trap -l; kill -l; ulimit -a; compgen -c | sort -u | head -3000'
