package privacy

import (
	"strings"
	"testing"

	"keepmum/privacy/known"
)

// ranHere reports whether the output of a command is kept, in a directory that is there.
func ranHere(t *testing.T, g *Gate, dir, command, output string) (kept bool) {
	t.Helper()
	r := Raw{Tool: "Bash", Dir: dir, Input: map[string]any{"command": command}, Output: map[string]any{"stdout": output,
		"stderr": ""}}
	return strings.Contains(g.Event(r).Output.JSON().String(), strings.TrimSpace(output))
}

func TestAValueThatACommandTakesOutOfItsPlaceIsWithheld(t *testing.T) {
	g, dir := newGate(t, Options{Home: testHome}), t.TempDir()
	for _, command := range []string{
		"kubectl -n prod get secrets/db -o json | jq -r .data.password",
		"k get secret db -o jsonpath={.data.pw} | base64 -d",
		"microk8s kubectl get secret db -o yaml",
		"kubectl.exe get secret db -o yaml",
		"gpg --decrypt db.asc",
		"git config --get http.extraheader",
		"argocd admin initial-password",
		"credstash get db",
		"dotnet user-secrets list",
		"redis-cli CONFIG GET requirepass",
		`reg query HKLM\x /v Password`,
		"powershell -c '$env:DB_PASS'",
		"snap get x password",
		"curl http://169.254.169.254/latest/meta-data/iam/security-credentials/role",
		"bin/rails runner 'puts Rails.application.credentials.db'",
		"python manage.py shell -c 'print(settings.SECRET_KEY)'",
		`php artisan tinker --execute='echo env("DB_PASSWORD");'`,
		"jq -r .password config.json",
		"yq .db.password config.yml",
		`grep -oP 'password=\K.*' app.conf`,
		"awk -F= '/PASS/{print $2}' app.conf",
		"xmllint --xpath '//password/text()' s.xml",
		`psql -c "select password from users" -At`,
		"mysql -e 'select token from api_tokens' -N",
		"sqlite3 db 'select secret from oauth'",
		"head -c 24 /dev/urandom | base64",
		"python3 -c 'import secrets;print(secrets.token_urlsafe(24))'",
		"rails secret",
		"php artisan key:generate --show",
		"apg",
		`python3 -c "from dotenv import dotenv_values; print(dotenv_values())"`,
		`node -e "console.log(require('dotenv').config())"`,
		"direnv dump",
		"ls -a | grep env | xargs cat",
		"grep PASSWORD app.conf | cut -d= -f2",
		"grep DB_PASS app.conf | awk -F= '{print $2}'",
		"cat app.conf | grep password | sed 's/.*=//'",
		"grep password app.conf | sed -E 's/^password: *//'",
		"sed -n 's/^password=//p' app.conf",
		`sed -nE 's/.*token: (.*)/\1/p' app.yml`,
		"tr -dc A-Za-z0-9 </dev/urandom | head -c 32",
		"dd if=/dev/urandom bs=18 count=1 2>/dev/null | base64",
		`cat config.json | python3 -c "import json,sys; print(json.load(sys.stdin)['password'])"`,
		`node -p "require('./config.json').apiKey"`,
		`docker exec db psql -U app -Atc "select password_hash from users limit 1"`,
		`echo "select secret from oauth" | sqlite3 app.db`,
		"P=$(jq -r .password c.json); echo $P",
		"jq -r '.users[] | .token' x.json",
		`jq -r '.data["db_password"]' x.json`,
		"yq e '.stringData.password' s.yml",
		"yq '.data.password' s.yml | base64 -d",
		"kubectl get cm app -o json | jq -r '.data.API_TOKEN'",
		"curl -s localhost/login | jq -r .access_token",
		"bundle exec rails runner 'puts User.first.api_token'",
		"curl -s -H Metadata-Flavor:Google " +
			"http://metadata.google.internal/computeMetadata/v1/instance/service-accounts/default/token",
		"wp config get DB_PASSWORD",
		"echo $env:DB_PASS",
		"git ls-files | grep env | xargs cat",
		`find . -type f | grep secret.yaml | while read f; do cat "$f"; done`,
		"xmllint --xpath 'string(//db/@password)' s.xml",
		"grep -oP '(?<=token: ).*' x",
		"kubectl get secrets db -ojsonpath={.data}",
		"kubectl get secret/db -o go-template='{{.data.p}}'",
		"kubectl get secret db --output=json",
		"oc get secrets/db -o yaml",
		"minikube kubectl -- get secret db -o yaml",
		"sudo k3s kubectl get secret db -o yaml",
		"kubectl --context prod -n x get secret db -o yaml | yq .data",
		"kubectl get cm,secret -o yaml",
		"sudo cat /etc/shadow",
		"docker exec web cat /run/secrets/db",
		"kubectl exec pod -- cat /var/run/secrets/kubernetes.io/serviceaccount/token",
		"tail -50 ~/.bash_history",
		`cat "$HOME/.vault-token"`,
		"vault operator init",
		"kubeadm token create --print-join-command",
		"nomad acl bootstrap",
		"consul acl bootstrap",
		"az webapp config appsettings list -n x",
		"cf env app",
		"eb printenv",
		`python -c "import keyring; print(keyring.get_password('a','b'))"`,
		"mongosh --eval 'db.users.findOne().password'",
		`node -p "require('./c.json').apiKey"`,
		`ruby -ryaml -e 'puts YAML.load_file("config.yml")["password"]'`,
		"perl -ne 'print $1 if /password=(.*)/' app.conf",
		`python3 -c "import re;print(re.search('password=(.*)',open('a').read())[1])"`,
		`php -r 'echo json_decode(file_get_contents("c.json"))->password;'`,
		`pwsh -c "(Get-Content c.json | ConvertFrom-Json).password"`,
		"grep token x | awk '{print $NF}'",
		`grep token x | sed 's/.*: "\(.*\)".*/\1/'`,
		`curl -s localhost | grep -o '"token":"[^"]*"' | cut -d'"' -f4`,
		`curl -s localhost | sed -E 's/.*"access_token":"([^"]+)".*/\1/'`,
		`awk -F'"' '/token/{print $4}' x.json`,
		"awk '/password/ {print $2}' app.conf",
		"jq -r '.. | .password? // empty' x.json",
		"jq -r .SecretString x.json",
		"cat x.json | jq -r '.db.pw'",
		`TOKEN=$(curl -s x | jq -r .token) && echo "$TOKEN"`,
		`python3 -c "import os;from dotenv import load_dotenv;load_dotenv();print(os.environ['MAIL'])"`,
		`python3 -c "from dotenv import dotenv_values as d; print(d('.env'))"`,
		"npx dotenv -- printenv MAIL",
		`ls -a | grep '^\.env' | xargs cat`,
		"git ls-files -o | grep -i env | xargs head",
		"for f in $(ls -a | grep env); do cat $f; done",
		"cat env.production",
		"bat env.prod",
		`rails runner 'p ENV["SECRET_KEY_BASE"]'`,
		"go run x.go -- 'fmt.Println(cfg.Password)'",
		`docker exec -it web php artisan tinker --execute='dump(config("services.stripe.secret"))'`,
		"python manage.py shell <<< 'print(settings.SECRET_KEY)'",
		"echo 'puts Devise.secret_key' | rails c",
		"defaults read com.x.app apiToken",
		"gcloud config get-value auth/token",
		`hexdump -n 16 -e '4/4 "%08X"' /dev/urandom`,
		"base64 < /dev/urandom | head -c 20",
		`node -e "console.log(require('crypto').randomBytes(24).toString('hex'))"`,
		"ruby -rsecurerandom -e 'puts SecureRandom.hex(20)'",
		"php -r 'echo bin2hex(random_bytes(20));'",
		`pwsh -c '[Environment]::GetEnvironmentVariable("DB_PASS")'`,
		"cmd /c echo %DB_PASSWORD%",
		`reg query HKCU\Software\X /v Password`,
		"psql -At <<'SQL'\nselect token from sessions\nSQL", "mysql -N <<EOF\nSELECT u.id, u.password FROM users u\nEOF",
		"python3 - <<'EOF'\nimport json\nprint(json.load(open('c.json'))['password'])\nEOF",
	} {
		t.Run(command, func(t *testing.T) {
			if ranHere(t, g, dir, command, "Falken112moor\n") {
				t.Error("the output is kept")
			}
		})
	}
}

func TestOrdinaryExtractionKeepsItsOutput(t *testing.T) {
	g, dir := newGate(t, Options{Home: testHome}), t.TempDir()
	for _, command := range []string{
		"jq .name package.json",
		"jq -r '.version' package.json",
		"jq '.dependencies | keys' package.json",
		"jq '.usage.output_tokens' r.json",
		"jq '.tokens' stats.json",
		"jq 'del(.password)' x.json",
		"jq -r '.users[] | select(.token == null) | .name' x.json",
		"jq '.secret | length' x.json",
		"grep -o TODO src/main.go",
		"grep -rn password src",
		"grep -oE 'v[0-9]+' CHANGELOG.md",
		"grep -rno 'password' src | cut -d: -f1 | sort -u",
		"grep -rl token src | xargs wc -l",
		"go test ./... | grep PASS | awk '{print $1}'",
		"go test -v ./... | awk '/PASS/{print $3}'",
		"go test ./... | grep -c PASS",
		"awk '{print $2}' data.txt",
		"awk -F: '{print $1}' /etc/passwd",
		"sed -i 's/password/secret/' a.go",
		"sed -n 1,20p token.go",
		"sed 's/token/key/g' a.txt",
		"cat config.json",
		`psql -c "select id, name from users"`,
		`psql -c "select count(token) from sessions"`,
		"sqlite3 db '.tables'",
		"git config --get user.name",
		"git config user.signingkey",
		"npm config get registry",
		"redis-cli get counter",
		"curl http://localhost:8080/health",
		"curl http://169.254.169.254/latest/meta-data/instance-id",
		"kubectl get pods",
		"kubectl get secrets",
		"kubectl describe pod web",
		"k get pods -o yaml",
		"rails generate model secret",
		"rails db:migrate",
		`node -e "console.log(1+1)"`,
		`python3 -c "print('ok')"`,
		`python3 -c "from dotenv import load_dotenv; load_dotenv(); import app; print(app.version)"`,
		`python3 -c "import tok; print(tok.token.text)"`,
		"ls | grep main | xargs cat",
		"git ls-files | grep config | xargs wc -l",
		"dd if=/dev/zero of=x bs=1M count=1",
		`python3 -c "print(len(open('a').read()))"`,
		"docker exec web ls /run",
		"bundle exec rspec",
		"minikube start",
		"mise install",
		"tr a b < x",
		"dotnet build",
		"php artisan migrate",
		"kubeadm version",
		"consul members",
		"cf apps",
		"vault operator raft list-peers",
		"nomad status",
		"az webapp list",
		"eb status",
		"docker swarm leave",
		"for f in $(ls | grep main); do cat $f; done",
		"echo %PATH%",
		"docker stop $(docker ps -q)",
		"grep -c token x | cut -d: -f2",
		`sed -E 's/.*version: (.*)/\1/' a.yml`,
		"perl -ne 'print $1 if /version=(.*)/' app.conf",
		"ruby -e 'puts 1.token?'",
		"node -e 'console.log(parser.token.value)'",
		"mysql -e 'select count(*) from tokens'", "psql -c 'select id from users where password is null'",
		"psql <<EOF\nselect id from tokens\nEOF", "echo 'select id from tokens' | sqlite3 app.db",
	} {
		t.Run(command, func(t *testing.T) {
			if !ranHere(t, g, dir, command, "Falken112moor\n") {
				t.Error("the output is gone")
			}
		})
	}
}

func TestOnlyABareValueIsWithheld(t *testing.T) {
	g, dir := newGate(t, Options{Home: testHome}), t.TempDir()
	for _, c := range []struct {
		name, output string
		kept         bool
	}{
		{"a value", "Falken112moor", false}, {"of words", "red green blue", false}, {"in quotes", `"Falken112moor"`, false},
		{"several", "red12\nnull\nblue", false}, {"a list", "[\n  \"Falken112moor\"\n]", false}, {"a pin of six digits",
			"481516", false},
		{"null", "null", true}, {"a number", "412", true}, {"a truth", "true", true}, {"an error",
			"jq: error: Could not open file x.json", true}, {"an object", "{\n  \"name\": \"blue\"\n}", true}, {"a long text",
			strings.Repeat("a line of a log\n", 80), true},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := Raw{Tool: "Bash", Dir: dir, Input: map[string]any{"command": "jq .password x.json"}, Output: c.output}
			if kept := g.Event(r).Output.Text().String() != known.ExcludedOutput; kept != c.kept {
				t.Errorf("kept is %v", kept)
			}
		})
	}
}
