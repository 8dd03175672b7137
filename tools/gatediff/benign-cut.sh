#!/usr/bin/env bash
# benign.sh OUT [FROM]: some 400 MB of text without secrets, as an agent sees it, in OUT/KIND.{tune,report}.jsonl.
# Uses what is on the machine (Go's own sources, documentation, programs, what commands print) and fetches Go modules, npm and Debian packages
# FROM (as there). Versions are pinned; what cannot be fetched is named and skipped. None of it is committed: it is other
# people's text. *.report.jsonl is for reporting; nobody reads it to tune the gate.
set -euo pipefail
[ $# -ge 1 ] || { sed -n '2,6s/^# //p' "$0"; exit 2; }
out=$(realpath -m "$1"); shift
here=$(cd "$(dirname "$0")" && pwd)
work=${BENIGN_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/keepmum/benign}
mkdir -p "$work/npm" "$work/deb" "$work/debcode" "$work/go" "$out"

modules=(code.gitea.io/gitea@v1.27.3 filippo.io/age@v1.3.2 github.com/Azure/azure-sdk-for-go/sdk/azidentity@v1.15.0
  github.com/argoproj/argo-cd/v2@v2.14.21 github.com/aws/aws-sdk-go@v1.55.8 github.com/caddyserver/caddy/v2@v2.11.9
  github.com/cert-manager/cert-manager@v1.21.2 github.com/cockroachdb/cockroach-go/v2@v2.4.2 github.com/coreos/go-oidc/v3@v3.21.0
  github.com/docker/cli@v29.9.3+incompatible github.com/docker/docker@v28.5.2+incompatible github.com/emersion/go-imap@v1.2.1
  github.com/fluxcd/flux2/v2@v2.9.5 github.com/getsops/sops/v3@v3.13.3 github.com/gin-gonic/gin@v1.12.0 github.com/go-kit/kit@v0.13.0
  github.com/go-sql-driver/mysql@v1.10.1 github.com/gofiber/fiber/v2@v2.52.15 github.com/golang-jwt/jwt/v5@v5.3.1
  github.com/grafana/loki/v3@v3.7.8 github.com/gravitational/teleport@v1.3.3-0.20240109093301-f31c91231698
  github.com/hashicorp/consul@v0.0.0-20171026175957-610f3c86a089 github.com/hashicorp/terraform@v1.13.3
  github.com/hashicorp/vault@v1.21.4 github.com/influxdata/telegraf@v1.37.2 github.com/jackc/pgx/v5@v5.12.0 github.com/lib/pq@v1.12.3
  github.com/minio/minio@v0.0.0-20260212201848-7aac2a2c5b7c github.com/moby/buildkit@v0.34.2 github.com/nats-io/nats-server/v2@v2.15.2
  github.com/open-policy-agent/opa@v1.22.2 github.com/ory/fosite@v0.49.0 github.com/pkg/sftp@v1.13.12
  github.com/prometheus/alertmanager@v0.34.2 github.com/prometheus/prometheus@v0.316.0 github.com/pulumi/pulumi/sdk/v3@v3.274.1
  github.com/rclone/rclone@v1.76.0 github.com/redis/go-redis/v9@v9.23.0 github.com/sigstore/cosign/v2@v2.6.5
  github.com/smallstep/certificates@v0.30.2 github.com/traefik/traefik/v3@v3.7.13 go.etcd.io/etcd/server/v3@v3.7.3
  go.mongodb.org/mongo-driver@v1.17.10 helm.sh/helm/v3@v3.22.0 k8s.io/apiserver@v0.37.2 k8s.io/client-go@v0.37.2
  k8s.io/kubectl@v0.37.2 k8s.io/kubernetes@v1.37.2)
for m in "${modules[@]}"; do
  GOMODCACHE=$work/go GOFLAGS=-modcacherw GOTOOLCHAIN=local go -C / mod download "$m" 2>/dev/null || echo "not fetched: $m" >&2
done

npm=(typescript@5.9.3 eslint@9.39.1 webpack@5.103.0 express@5.1.0 next@16.0.3 vue@3.5.24 axios@1.13.2 jsonwebtoken@9.0.2 passport@0.7.0
  pg@8.16.3 mongoose@9.0.0 firebase-admin@13.6.0 stripe@20.0.0 ethers@6.15.0 sequelize@6.37.7 zod@4.1.13 @angular/common@21.0.0 antd@6.0.0)
for p in "${npm[@]}"; do
  to=$work/npm/$(tr '/@' '__' <<<"$p")
  [ -d "$to" ] && continue
  (cd "$work" && f=$(npm pack --silent "$p" 2>/dev/null) && mkdir -p "$to" && tar -xzf "$f" -C "$to" && rm "$f") || echo "not fetched: $p" >&2
done

# debian FOLDER PACKAGE…: unpacks what each package installs into a folder of its own
debian() {
  local into=$1 p; shift
  for p in "$@"; do
    [ -d "$work/$into/$p" ] && continue
    (cd "$work" && apt-get download -q "$p" >/dev/null 2>&1 && mkdir -p "$into/$p" && dpkg-deb -x "$p"_*.deb "$into/$p" && rm "$p"_*.deb &&
      find "$into/$p" -type f -name '*.gz' -exec gunzip -f {} +) || echo "not fetched: $p" >&2
  done
}
debian deb manpages-de manpages-fr manpages-es manpages-pl manpages-ja manpages-it manpages-pt-br debian-handbook git-doc python3-doc \
  postgresql-doc-15 nginx-doc redis-tools openssh-server sudo gnupg-l10n gettext-doc
debian debcode libpython3.11-testsuite python3-keystone python3-nova python3-glance python3-cinder python3-twisted python3-keystoneclient \
  python3-barbican python3-django python3-neutron python3-swift python3-heat python3-ironic python3-trove python3-oslo.messaging \
  librust-rustls-dev librust-reqwest-dev librust-tokio-postgres-dev ruby-devise ruby-doorkeeper ruby-net-ssh redmine phpmyadmin \
  wordpress roundcube-core ansible-core ansible mariadb-test php-symfony-security-core

rm -rf "$work/commands"; "$here/commands.sh" "$work/commands" || true

sources=("code=$(go env GOMODCACHE)/github.com" "code=$(go env GOMODCACHE)/golang.org" "code=$(go env GOROOT)/src" "code=$work/npm"
  "code=$work/debcode" "docs=$work/deb" "docs=/usr/share/doc" "strings=/usr/bin" "strings=/usr/lib/$(uname -m)-linux-gnu" "command=$work/commands")
for host in "$work"/go/*.*; do sources+=("code=$host"); done
for raw in "$work"/sessions/*/raw; do sources+=("session=$raw"); done
(cd "$here" && go run . collect -out "$out" "${sources[@]}")
ls -l "$out"
