package privacy

import (
	"path/filepath"
	"strings"
	"testing"
)

// handedGate is a gate that may read the files of a project, and the project.
func handedGate(t *testing.T) (g *Gate, dir string) {
	t.Helper()
	dir = t.TempDir()
	write(t, "# app\nAPP_NAME=birkenhof\nMAIL=Reiher900dorf\nexport DB_PASS='sonne "+
		"mond'\nPORT=3000\nURL=postgres://app:gabel!pg@db/x\nKEY=\"line one\nc2Vjb25kIGxpbmU\n\"\n", dir, ".env")
	write(t, "db_password = \"Reiher901dorf\"\nregion = \"eu-central-1\"\n", dir, "prod.tfvars")
	write(t, "machine x login b password Reiher902dorf\n", dir, ".netrc")
	write(t, "[client]\nuser=b\npassword=Reiher903dorf\n", dir, ".my.cnf")
	write(t, "MAIL=Distel77stein\n", dir, "api", ".env")
	return newGate(t, Options{Home: filepath.Join(dir, "home"), Vault: true}), dir
}

func TestTheOutputOfAProgramThatWasHandedADeniedFileIsKeptWithoutItsValues(t *testing.T) {
	g, dir := handedGate(t)
	out := "ok 42 checks, it is blue\nto Reiher900dorf with sonne mond, gabel!pg, Reiher901dorf, Reiher902dorf, " +
		"Reiher903dorf\n"
	for command, gone := range map[string]string{
		"bash -c 'set -a; . .env; npm test'": "Reiher900dorf", "source .env && npm test": "Reiher900dorf sonne|mond " +
			"gabel!pg", ". ./.env; go test ./...": "Reiher900dorf", "set -a; . ./.env; set +a; make test": "Reiher900dorf",
		"set -a && source .env && set +a && npm test 2>&1 | tail -20": "Reiher900dorf",
		"bash -lc 'source .env && pytest -q'":                         "Reiher900dorf",
		"cd api && source ../.env && go build ./...":                  "Reiher900dorf",
		"source .env && cargo test && echo done":                      "Reiher900dorf",
		"source .env && python manage.py test":                        "Reiher900dorf",
		"docker run --env-file .env img npm test":                     "Reiher900dorf",
		"docker run --rm --env-file=.env img go test ./...":           "Reiher900dorf",
		"docker compose --env-file .env up -d":                        "Reiher900dorf",
		"docker build --secret id=env,src=.env .":                     "Reiher900dorf",
		"dotenv -e .env -- jest":                                      "Reiher900dorf",
		"npx dotenv -e .env -- jest":                                  "Reiher900dorf",
		"op run --env-file=.env -- go test ./...":                     "Reiher900dorf",
		"node --env-file=.env server.js":                              "Reiher900dorf",
		"terraform plan -var-file=prod.tfvars":                        "Reiher901dorf",
		"curl --netrc-file .netrc https://x":                          "Reiher902dorf",
		"mysql --defaults-file=.my.cnf -e 'show tables'":              "Reiher903dorf",
	} {
		t.Run(command, func(t *testing.T) {
			r := bash(command)
			r.Dir, r.Output = dir, map[string]any{"stdout": out}
			got := g.Event(r).Output.JSON().String()
			if !strings.Contains(got, "blue") {
				t.Errorf("the output is gone: %s", got)
			}
			for v := range strings.FieldsSeq(gone) {
				if v = strings.ReplaceAll(v, "|", " "); strings.Contains(got, v) {
					t.Errorf("%s is kept: %s", v, got)
				}
			}
		})
	}
}

func TestEveryFileThatAScriptMayHaveSourcedIsRead(t *testing.T) {
	g, dir := handedGate(t)
	r := bash("(cd api); source .env && npm test")
	r.Dir, r.Output = dir, "it is blue: Reiher900dorf Distel77stein"
	if got := g.Event(r).Output.Text().String(); !strings.Contains(got, "blue") || strings.Contains(got, "dorf") ||
		strings.Contains(got, "stein") {
		t.Error(got)
	}
}

func TestWhatAScriptPrintsOfAHandedFileIsNotKept(t *testing.T) {
	g, dir := handedGate(t)
	for _, command := range []string{
		"source .env && env", "source .env; echo $DB_PASS", "source .env; echo $MAIL", "source .env && echo \"$MAIL\"",
		". .env && node -p process.env", ". .env && node -p process.env.MAIL", "source .env && set",
		"source .env; printf '%s' \"$MAIL\"", "source .env; cat <<< $MAIL", "source .env; cat <<X\n$MAIL\nX",
		"source .env && python3 -c 'import os;print(os.environ[\"MAIL\"])'", "source .env && npm test | base64",
		"source .env && npm test | cut -c1-5", "source .env && npm test | head -c 5",
		"source .env && npm test | grep -o Rei", "set -a; . .env; set +a; env | grep MAIL",
		"set -x; source .env; npm test", "set -v; source .env; npm test", "source .env; ./run.sh",
		"source .env; declare -p MAIL", "source .env; [[ $MAIL ]]", "source .env; eval x", "source .env; bash -x t.sh",
		"source .env; bash -c 'unterminated \"'",
		"source .env; make -p", "source .env && npm run env", "source .env && npm run print-config",
		"source .env; npm test -- ${MAIL:0:4}", "source .env || cat .env", "source .env; cat api/.env",
		"docker run --env-file .env img env", "docker run --env-file .env img",
		"docker run --env-file .env img sh -c 'echo $MAIL'", "docker run --env-file .env img printenv MAIL",
		"docker compose --env-file .env config", "docker compose --env-file .env exec web env",
		"docker compose --env-file .env run web npm test",
		"dotenv -e .env -p MAIL", "dotenv -e .env -- printenv MAIL", "dotenv -f .env list", "dotenv -f .env get MAIL",
		"npx dotenv -e .env -- sh -c 'echo $MAIL'", "op run --env-file=.env -- printenv",
		"op run --env-file=.env -- node -p process.env.MAIL", "node --env-file=.env -p process.env",
		"node --env-file=.env -e 'x'",
		"terraform console -var-file=prod.tfvars", "mysql --defaults-file=.my.cnf --print-defaults",
		"curl -v --netrc-file .netrc https://x", "curl -sv --netrc-file .netrc https://x", "ssh -i key host cat .env",
		"ssh -i key.pem host 'source .env && npm test'", "ssh host <<X\nsource .env && npm test\nX",
		"docker exec web bash -c 'source .env && npm test'", "scp -i key.pem h:/app/.env /dev/stdout",
		"ssh -i $(cat .env) host",
		"source .env; awk 'BEGIN{print ENVIRON[\"MAIL\"]}'", "source .env; perl -e 'print $ENV{MAIL}'",
		"source .env && npm test | tee >(base64)", "source .env && npm test | rev",
		"source .env; trap 'env' EXIT; npm test", "source .env; for v in MAIL; do echo ${!v}; done",
		"source .env; cat /proc/$$/environ", "source .env; npm exec env", "source .env; yarn node -p x",
		"source .env; bun -e x", "docker run --env-file .env node node -e 'console.log(1)'",
		"docker run --env-file .env img bash -lc 'npm test; env'",
		"docker run --entrypoint env --env-file .env img test", "kubectl --kubeconfig kubeconfig.yaml config view",
		"op run --env-file .env -- sh -c 'echo $MAIL'",
		"source missing/.env && npm test", "cd $WHERE && source .env && npm test",
	} {
		t.Run(command, func(t *testing.T) {
			r := bash(command)
			if r.Dir = dir; strings.Contains(g.Event(r).Output.JSON().String(), "blue") {
				t.Error("the output is kept")
			}
		})
	}
}

func TestAFileWhoseValuesCannotAllBeFoundIsNotHandedOn(t *testing.T) {
	for name, text := range map[string]string{"computed": "A=$(pass show x)\n", "another file": ". ../b.env\n",
		"a short secret": "DB_PASSWORD=ab1\n", "a command": "PW=abc def\n",
		"a short word of .netrc": "machine x password ab1\n"} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			write(t, text, dir, ".env")
			r := bash("source .env && npm test")
			r.Dir = dir
			if !denied(t, newGate(t, Options{Vault: true}), r) {
				t.Error("the output is kept")
			}
		})
	}
	dir := t.TempDir()
	write(t, "MAIL=Reiher900dorf\n", dir, ".env")
	r := bash("source .env && npm test")
	if r.Dir = dir; !denied(t, newGate(t, Options{}), r) {
		t.Error("a gate that may not read files keeps the output")
	}
}

func TestWhatIsStoredStaysWhenTheFilesAreGone(t *testing.T) {
	g := newGate(t, Options{Home: testHome, Vault: true})
	for command, want := range map[string]bool{
		"source .env && npm test": false, "docker run --env-file .env img npm test": false, "pytest tests/*": false,
		"cat src/**": false,
		"cat .env":   true, "source .env && env": true, "source .env; echo $MAIL": true, "cat *.pem": true,
		"cat ~/.ssh/*": true, "cat .e*": true, "cat .aws/*": true,
	} {
		t.Run(command, func(t *testing.T) {
			r := bash(command)
			r.Dir, r.Stored = "", true
			if gone := !strings.Contains(g.Event(r).Output.JSON().String(), "blue"); gone != want {
				t.Errorf("gone is %v", gone)
			}
		})
	}
}

func TestWhatIsWrittenToADeniedFileIsNotKeptAndTheTestsBehindItAre(t *testing.T) {
	g, dir := handedGate(t)
	for command, want := range map[string]bool{
		"echo MAIL=Reiher900dorf >> .env && npm test":              true,
		"sed -i 's/^MAIL=.*/MAIL=Reiher900dorf/' .env && npm test": true, "echo 'MAIL=Reiher900dorf' > .env; npm test": true,
		"sed 's/x/Reiher900dorf/' .env && npm test": false, "sed -i 's/x/Reiher900dorf/w /dev/stdout' .env": false,
		"sed -i -n p .env x Reiher900dorf": false, "echo MAIL=Reiher900dorf | tee -a .env && npm test": false,
		"echo MAIL=Reiher900dorf >> .env; cat .env": false, "echo MAIL=Reiher900dorf >> .env; env": false,
		"echo A=Reiher900dorf >> missing/.env": false, "ssh host 'echo MAIL=Reiher900dorf >> .env && npm test'": false,
	} {
		t.Run(command, func(t *testing.T) {
			r := bash(command)
			r.Dir, r.Fields = dir, map[string]string{"title": command, "error": "blue, Reiher900dorf"}
			r.Output = map[string]any{"stdout": "MAIL=blue\nit is blue: Reiher900dorf"}
			c := g.Event(r)
			if kept := strings.Contains(c.Output.JSON().String(), "it is blue"); kept != want {
				t.Errorf("kept is %v: %s", kept, c.Output.JSON())
			}
			if all := c.Input.JSON().String() + c.Output.JSON().String() + c.Fields["title"].String() +
				c.Fields["error"].String(); strings.Contains(all, "Reiher900dorf") {
				t.Error(all)
			}
			for _, p := range c.Paths {
				if strings.Contains(p.String(), "Reiher") {
					t.Error(p)
				}
			}
			again := Raw{Stored: true, Tool: "Bash", Input: decoded(t, c.Input.JSON().String()), Output: decoded(t,
				c.Output.JSON().String())}
			if got := g.Event(again).Output.JSON().String(); got != c.Output.JSON().String() {
				t.Errorf("a second pass: %s", got)
			}
		})
	}
}
