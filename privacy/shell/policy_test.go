package shell

import "testing"

// outputs are commands and what may be stored of what they print.
var outputs = []struct {
	name    string
	want    Policy
	scripts []string
}{
	{"the environment is listed", DropValues, []string{
		"env", "printenv", "export", "export -p", "declare -p", "declare -xp", "typeset", "readonly -p", "set", "sudo env",
		"env | sort", "docker run x env", "kubectl exec pod -- printenv", "gci env:", "Get-ChildItem Env:", `dir env:\`,
		"compgen -v", "heroku config", "vercel env pull", "netlify env:list", "docker inspect app", "docker compose config",
		"dotenv list", "dotenv -f app list", "uv run dotenv list", "sort < <(env)",
		"systemctl show x -p Environment",
		"doppler secrets", "railway variables", "podman inspect app", "docker-compose config", "env > /tmp/x; env",
		"make print-env", "gmake -s -C app show-env", "just dump-environment",
	}},
	{"a variable is asked for by name", DropOutput, []string{
		"printenv DB_PASSWORD", "printenv HOME API_KEY", "sudo printenv TOKEN",
	}},
	{"a program prints a secret", DropOutput, []string{
		"gh auth token", "pass show work/db", "pass work/db", "gopass show x", "op read op://vault/item/field",
		"vault read secret/x",
		"vault kv get -format=json secret/x", "aws secretsmanager get-secret-value --secret-id x", "bw get password x",
		"aws ssm get-parameter --name x --with-decryption", "gcloud auth print-access-token", "az keyvault secret show -n x",
		"kubectl get secret db -o yaml", "kubectl get secrets -ojson", "k get secret/db --template={{.data}}",
		"kubectl -o yaml get secret db", "kubectl describe secret db", "kubectl config view --raw", "oc whoami -t",
		"terraform output -json", "tf show", "tofu state pull", "helm get values app", "security find-generic-password -w x",
		"secret-tool lookup service x", "keyring get a b", "gpg -d a.gpg", "gpg2 --decrypt a.gpg", "age -d a.age",
		"sops -d a.yaml", "ansible-vault view a.yml", "openssl rand -hex 16", "openssl genrsa 2048", "ssh-keygen -y -f id",
		"wg genkey", "wg show wg0 private-key", "pwgen 20", "history", "fc -l", "oathtool --totp x", "npm token list",
		"git credential fill", "git config --get user.token", "git config --get http.extraheader",
		"redis-cli config get requirepass", "rake secret",
		"rails credentials:show", "strings /proc/12/environ", "ps auxeww", "launchctl getenv X", "chamber read app key",
		"curl http://169.254.169.254/latest/meta-data/iam/security-credentials/role", "heroku auth:token",
		"kubeadm token create", "argocd admin initial-password", "supabase status", "etcdctl get /x", "lpass show x",
		"sudo -u root pass show x", "timeout 5 gh auth token", "poetry run gh auth token", "time nice gh auth token",
		"x=$(gh auth token); echo $x", "echo \"token: $(gh auth token)\"", "cat <<< $(gh auth token)", "echo `gh auth token`",
		`node -e "console.log(process.env)"`, `python3 -c "import os; print(os.environ)"`, `ruby -e 'puts ENV.to_h'`,
		`bash -c "gh auth token"`, `ssh host "pass show x"`, "xargs pass show < list",
		"gh auth token | tee log", "true && gh auth token", "if gh auth token; then :; fi", "(gh auth token)",
		"{ gh auth token; }",
		"pass show x 2>/dev/null", "gh auth token 2>>errors", "gh auth token > /dev/stdout",
		"gh auth token >/dev/stderr 2>&1",
		"psql < <(gh auth token)", "while read -r l; do echo $l; done < <(pass show x)", "cat <(gh auth token)",
		"diff <(gh auth token) b", "gh auth token > >(cat)", "gh auth token > >(sed s/a/b/) 2>&1", "make > >(gh auth token)",
		"dotenvx get", "dotenvx get MAIL -f app", "npx dotenvx get MAIL", "npx dotenv -p MAIL", "bunx dotenv -e app -p MAIL",
		"dotenv get MAIL", "dotenvx decrypt --stdout", "kubectl view-secret db", "kubectl -n shop view-secret db password",
		"envsubst < x.tpl", "envsubst < x.tpl | cat", "PROMPT_COMMAND='gh auth token' bash -i",
		"echo 'gh auth token' > r.sh; sh r.sh", "cat > r.sh <<'E'\n#!/bin/sh\ngh auth token\nE\nchmod +x r.sh && ./r.sh",
		"printf '%s' 'pass show x' | tee -a /tmp/r >/dev/null; cd /tmp; . ./r", "tee r.sh <<< 'gh auth token'; bash < r.sh",
		"php -r 'phpinfo();'", "php -r 'print_r($_SERVER);'",
		"cat <<E\n$(gh auth token)\nE", "T=$(gh auth token); cat <<E\ntoken: $T\nE", `eval "echo $(gh auth token)"`,
		`bash -c "echo '$(gh auth token)'"`, `jq -n --arg t "$(gh auth token)" '{t: $t}'`,
		`awk -v t="$(gh auth token)" 'BEGIN {print t}'`, `sed "s/X/$(gh auth token)/" a.tpl`,
		`node -p "require('dotenv').config().parsed"`, `node -p 'require("dotenv").config()'`,
		`bun -e "console.log(require('dotenv').config({path: 'x'}))"`,
		`python3 -c "import dotenv as d; print(d.dotenv_values())"`,
		"john --show h.txt", "john --format=nt --show=left hashes", "hashcat -m 1000 --show h.txt",
		"git credential-osxkeychain get", "getent shadow", "nmcli -s connection show home", "step ca token x",
		"cf oauth-token", "ibmcloud iam oauth-tokens", "k3s token create",
		"f() { gh auth token; }; f", "while gh auth token; do :; done", "! gh auth token",
	}},
	{"a value is taken out of a text by its name", DropFields, []string{
		"jq -r .password x.json", "jq '.db.api_key' x.json", "yq .auth.token x.yml", "grep -oP 'password=\\K.*' x",
		"grep -oP '(?<=token: ).*' x", "sed -n 's/^PASSWORD=//p' x", "awk -F= '/PASSWORD/{print $2}' x",
		"grep PASSWORD x | cut -d= -f2", "grep token x | awk '{print $2}'", "grep api_key x | sed 's/.*=//'",
		"xmllint --xpath '//password/text()' x.xml", "psql -c 'select password from users'", "redis-cli get api_token",
		"pip config get global.password", "crudini --get f section api_key", "snap get x password",
		"head -c 20 /dev/urandom | base64", "dd if=/dev/random bs=1 count=8", "tr -dc a-z < /dev/urandom | head -c 20",
		`python3 -c "print(config.password)"`, `node -e "console.log(user.apiKey)"`, "echo %API_TOKEN%",
		"echo $env:API_TOKEN",
		`python3 -c "print('$(gh auth token)')"`, `T=$(gh auth token); node -e "console.log('token $T')"`,
		`python3 -c "import secrets; print(secrets.token_hex(16))"`, "echo 'select token from t' | psql db",
		`node -e "require('dotenv').config({path: 'x'}); console.log('key', process.env['API_KEY'], 1)"`,
		"node -e 'import \"dotenv/config\"; console.log(`to ${process.env.API_TOKEN}`)'",
		"make print-DB_PASSWORD", "make -s print-api_token", "envsubst '$HOST $DB_PASSWORD' < x.tpl",
		"cat > r.py <<E\nprint(config.password)\nE\npython3 r.py",
		"sqlite3 a.db <<E\nselect secret from t\nE", "mysql -e 'SELECT u.password AS p FROM users u' db",
	}},
	{"nothing secret is printed", Keep, []string{
		"go test ./...", "ls -la", "git status", "git log --oneline", "cat main.go", "echo hello", "printenv HOME PATH",
		"kubectl get pods", "kubectl get secrets", "kubectl get pods -o yaml", "docker ps", "docker compose ps", "pass ls",
		"gopass list",
		"vault token lookup -field=ttl", "docker inspect --format '{{.State.Status}}' app", "docker inspect -f={{.Id}} app",
		"docker compose config --services", "openssl rsa -in k -pubout", "openssl x509 -noout -enddate -in c.pem",
		"gh auth status", "gh pr list", "x=$(gh auth token)", "curl -H \"Authorization: Bearer $(gh auth token)\" https://h",
		"gh auth token | wc -c", "gh auth token > f", "env > f", "gh auth token >/dev/null",
		"gh auth token 1> f", "gh auth token &> f", "env | grep -c X", "env | wc -l",
		"env A=b go test", "export A=b", "set -e", "set -euo pipefail", "declare x=1", "jq .name x.json",
		"jq '.password | length' x.json",
		"jq 'has(\"password\")' x.json", "jq '.tokens' x.json", "grep -c password x", "grep -rn password .", "cut -d= -f2 x",
		"awk '{print $2}' x", "sed -n 's/a/b/p' x", "psql -c 'select count(password) from users'",
		"psql -c 'select name from users'",
		"git config --get user.name", "aws s3 ls", "terraform plan", "npm run build", "kubectl describe pod x", "helm list",
		"echo pass show", "man pass", "which gh", "type gh", "", "   ", "# gh auth token", "curl http://localhost/token",
		"diff <(ls a) <(ls b)", "make > >(tee log)", "source <(kubectl completion bash)", "while read l; do :; done < <(ls)",
		"dotenv -- mkdir -p a", "dotenv run npm list", "dotenvx run -- npm test", "dotenvx encrypt",
		"npx dotenv -e a -- jest",
		"make print-VERSION", "make show-help", "make test", "envsubst -v '$A'", "envsubst '$HOST' < x.tpl",
		"kubectl view-cert",
		"echo 'gh auth token' > r.sh", "echo 'gh auth token' > r.sh; sh s.sh", "echo 'go test' > r.sh; sh r.sh",
		"cat > r.sh <<'E'\ngh auth token\nE\nchmod +x r.sh; cat notes", "PAGER=cat git log", "PS1='$ ' make",
		"cat > r.mjs <<'E'\nconst env = 1; history\nE\nnode r.mjs",
		`sed -i "s/X/$(gh auth token)/" a.cfg`, `sed "s/X/$(gh auth token)/" a.tpl > a.cfg`,
		"cat > a.cfg <<E\n$(gh auth token)\nE",
		"cat <<'E'\n$(gh auth token)\nE", "curl -d @- https://h <<E\n$(gh auth token)\nE",
		`python3 -c "print(get('https://h', headers={'A': '$(gh auth token)'}).ok)"`, "getent passwd", "nmcli device status",
		"systemctl show x -p MainPID", "git credential-store erase", "k3s kubectl get pods",
		`node -e "require('dotenv').config(); console.log('set:', !!process.env.MAIL)"`,
		`node -e "require('dotenv').config(); console.log(process.env.MAIL ? 'set' : 'unset')"`,
		`node -e "require('dotenv').config(); db(process.env.DSN).then(r => console.log(r.rows))"`,
		`node -e "require('dotenv').config(); console.log(process.env.PORT, process.env.API_KEY.length)"`,
		"cat > src/db.js <<'E'\nrequire('dotenv').config()\nconsole.log(process.env.DB_HOST)\nE\nnpx jest",
		`node -e "console.log(1)"`, "select-string password x.txt",
	}},
}

func TestWhatCommandsPrint(t *testing.T) {
	for _, c := range outputs {
		for _, script := range c.scripts {
			if got := Read(script, "/src", "/home/ann").Output; got != c.want {
				t.Errorf("%s: %s: %v, want %v", c.name, script, got, c.want)
			}
		}
	}
}

// TestAWrapperChangesNothing runs each of the commands through another one.
func TestAWrapperChangesNothing(t *testing.T) {
	for _, c := range outputs {
		for _, script := range c.scripts {
			if c.want != DropOutput || simple(script) != script {
				continue
			}
			for _, wrapped := range []string{"sudo " + script, "nice -n 5 " + script, "(" + script + ")", "true; " + script,
				"env LANG=C " + script, "timeout 10s " + script, script + " || true", "cd /tmp && " + script} {
				if got := Read(wrapped, "/src", "").Output; got != DropOutput {
					t.Errorf("%s: %v", wrapped, got)
				}
			}
		}
	}
}

// simple returns a script that is one command without anything that the shell treats specially, "" for others.
func simple(script string) string {
	for _, c := range script {
		switch c {
		case ';', '|', '&', '<', '>', '(', ')', '{', '}', '$', '`', '"', '\'', '!', '\n':
			return ""
		}
	}
	return script
}

func TestFilesOfALoudCommand(t *testing.T) {
	for script, want := range map[string]bool{
		"make test": false, "go test ./...": false, "npm test": false, "npm run build": false, "npx jest": false,
		"bash -lc 'make test'": false, "set -euo pipefail": false, "docker compose up -d": false, "docker build .": false,
		"docker run --rm app pytest -q": false, "python manage.py test": false, "python -m pytest": false,
		"node --test": false, "cargo test": false, "grep x y": false, "head -n 3 x": false, "curl https://h": false,
		"dotenv -- jest": false, "op run -- go test ./...": false, "poetry run pytest": false, "make": false, "": false,
		"npm run env": true, "npm exec env": true, "set": true, "set -x": true, "bash -x build.sh": true, "make -p": true,
		"make print-TOKEN": true, "docker run app env": true, "docker compose run app env": true, "python -c 'x'": true,
		"node -e 'x'": true, "grep -o x y": true, "head -c 3 x": true, "curl --expand-url x": true, "unknown-program": true,
		"dotenv -- cat x": true, "op run -- env": true, "echo $TOKEN": true, "echo $HOME": false, "mix run": true,
		"go env":              true,
		"cargo run --print x": true, "dotenv": true, "docker run": true, "python -m http.server": true, "npx": true,
	} {
		if got := Read(script, "/src", "").Loud; got != want {
			t.Errorf("%s: loud %v, want %v", script, got, want)
		}
	}
}

func TestWhatIsTypedIntoTerminals(t *testing.T) {
	for script, want := range map[string][2]string{
		"tmux send-keys -t a 'env' Enter": {"tmux", ""},
		"tmux capture-pane -p":            {"", "tmux"},
		"screen -S a -X stuff x":          {"screen", ""},
		"screen -X hardcopy f":            {"", "screen"},
		"kitty @ get-text":                {"", "kitty"},
		"tmux ls":                         {"", ""},
		"ls send-keys":                    {"", ""},
	} {
		if r := Read(script, "/src", ""); r.Types != want[0] || r.Shows != want[1] {
			t.Errorf("%s: types %q, shows %q", script, r.Types, r.Shows)
		}
	}
}

func TestPipelinesThatCarrySecrets(t *testing.T) {
	for script, want := range map[string]bool{
		"gh auth token | tee f": true, "env > f": true, "cat f > g": false, "x=$(gh auth token)": true,
		"pass show a | base64": true,
	} {
		if got := len(Read(script, "/src", "").Tainted) > 0; got != want {
			t.Errorf("%s: %v", script, got)
		}
	}
}
