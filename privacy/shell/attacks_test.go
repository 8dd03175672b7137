package shell

import (
	"strings"
	"testing"
)

// attacks are commands that print a secret or the environment without naming a file that is denied.
const attacks = `
node -e "require('dotenv').config(); console.log(process.env.DB_PASSWORD)"
php -r 'echo getenv("DB_PASSWORD");'
docker exec app printenv
docker exec app env
docker exec -it app bash -c 'echo $DB_PASSWORD'
docker inspect app --format '{{json .Config.Env}}'
docker inspect app | jq '.[0].Config.Env'
docker compose config
docker compose exec app env
docker compose run app printenv
kubectl get secret db -o jsonpath='{.data.password}' | base64 -d
kubectl get secret/db -ojson | jq -r .data
kubectl get secret -n x db --template='{{.data.p}}'
kubectl exec p -- env
kubectl describe secret db
kubectl get -o yaml secrets
kubectl config view --raw
kubectl create token sa
oc extract secret/db --to=-
helm get values app -a
pass show db
pass db
pass -c db; xclip -o
gopass show -o db
op read op://v/i/f
op item get x --fields password --reveal
bw get password x
vault kv get -field=password secret/db
vault read -format=json secret/db
aws secretsmanager get-secret-value --secret-id x --query SecretString --output text
aws ssm get-parameters-by-path --path / --with-decryption
aws sts get-session-token
aws configure get aws_secret_access_key
gcloud secrets versions access latest --secret=x
gcloud auth print-access-token
az keyvault secret show --name x --vault-name v --query value
gh auth token
gh auth status --show-token
echo $(gh auth token)
T=$(gh auth token); echo "$T"
T=$(gh auth token) && printf '%s\n' $T
cat <<< "$(gh auth token)"
security find-generic-password -w -s x
secret-tool lookup a b
sops -d s.yaml
ansible-vault view v.yml
terraform output -raw db_password
terraform state pull
terraform show -json
printenv
printenv DB_PASSWORD
printenv | grep PASS
env | sort
export -p
declare -x
declare -p DB_PASSWORD
set | grep DB
compgen -v
echo $DB_PASSWORD
echo ${DB_PASSWORD}
printf '%s' "$DB_PASSWORD"
ps eww
ps auxe
history
fc -l 1
npm config get //registry.example.org/:_authToken
git config --get-all http.extraheader
git credential fill <<< 'host=github.com'
direnv exec . env
dotenv -- printenv
npx dotenv-cli printenv
doppler run -- env
infisical run -- env
chamber exec app -- env
psql -c "select password from users"
systemctl show-environment
launchctl getenv DB_PASSWORD
pwsh -c '$env:DB_PASSWORD'
gci env:
[Environment]::GetEnvironmentVariable('DB_PASSWORD')
`

func TestNoCommandPrintsASecret(t *testing.T) {
	for command := range strings.SplitSeq(strings.TrimSpace(attacks), "\n") {
		for _, script := range []string{command, "cd src && " + command, "{ " + command + "\n}", "( " + command + "\n)",
			"if true; then " + command + "\nfi", command + " | cat"} {
			if Read(script, "/src", "/home/ann").Output == Keep {
				t.Errorf("passes: %s", script)
			}
		}
	}
}
