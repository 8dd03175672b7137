#!/usr/bin/env bash
# creddata.sh OUT: the labels of CredData (Samsung, Apache 2.0) and, at the commits that it names, the repositories of the
# list below: those with the most credentials that are small enough to fetch in minutes. What cannot be fetched is named.
# None of it is committed: it is other people's text.
set -euo pipefail
[ $# -eq 1 ] || { sed -n '2,4s/^# //p' "$0"; exit 2; }
out=$(realpath -m "$1")
mkdir -p "$out/repos" "$out/git"
labels=c2e5761a
[ -d "$out/labels" ] || git clone -q --no-checkout https://github.com/Samsung/CredData "$out/labels"
git -C "$out/labels" archive "$labels" meta snapshot.json | tar -x -C "$out"

repos='CTFd/CTFd PyGithub/PyGithub ThreeMammals/Ocelot authelia/authelia binarylogic/authlogic cloudfoundry/credhub
danger/danger docker/docker-py dotnet/pinvoke feathersjs/feathers fecshop/yii2_fecshop
git-ecosystem/git-credential-manager github/gh-ost go-acme/lego huginn/huginn judasn/Linux-Tutorial
kataras/iris mailgun/mailgun-ruby meanjs/mean nats-io/nats-server open-falcon/falcon-plus oracle/docker-images
panva/jose paramiko/paramiko pennersr/django-allauth phpseclib/phpseclib postmanlabs/postman-collection-transformer request/request
requests/requests-oauthlib swisskyrepo/PayloadsAllTheThings timdorr/tesla-api twilio/twilio-ruby xo/usql'

for repo in $repos; do
  key=$(grep -iE "\"https://github.com/$repo\"" "$out/snapshot.json" | head -1 | cut -d'"' -f2)
  [ -n "$key" ] || { echo "not in the labels: $repo" >&2; continue; }
  id=$(printf '%s' "$key" | perl -e '$h=pack("H*",<STDIN>);$c=0xffffffff;for(unpack("C*",$h)){$c^=$_;$c=($c&1)?($c>>1)^0xedb88320:$c>>1 for 1..8}printf"%08x",$c^0xffffffff')
  [ -d "$out/repos/$id" ] && continue
  work=$out/git/$id
  git init -q --bare "$work"
  if ! git -C "$work" fetch -q --depth 1 "https://github.com/$repo" "${key:0:40}"; then
    echo "not fetched: $repo" >&2; rm -rf "$work"; continue
  fi
  mkdir -p "$out/repos/$id.part"
  git -C "$work" archive FETCH_HEAD | tar -x -C "$out/repos/$id.part"
  mv "$out/repos/$id.part" "$out/repos/$id"; rm -rf "$work"
done
