package shell

import (
	"slices"
	"testing"
)

func names(r *Reading, silent bool) (out []string) {
	for _, u := range r.Uses {
		if u.Silent == silent && u.Handed == Shown {
			out = append(out, u.Name)
		}
	}
	return out
}

func TestFilesThatACommandMayShow(t *testing.T) {
	for command, file := range map[string]string{
		"cat .env": ".env", "f=.e; cat ${f}nv": ".env", "cat $'\\x2eenv'": ".env", "bash -c 'cat .env'": ".env",
		"cat < .env": ".env",
		`python3 -c "print(open('.e'+'nv').read())"`: ".env", "cat ~/.netrc": "~/.netrc",
		"cat $HOME/.netrc": "/home/ann/.netrc", "cat 'unterminated .env": ".env",
		"grep -- -x .env": ".env", "grep -n -- pass .env": ".env", "echo $((1 + $(cat .env)))": ".env",
		"echo ${v:$(cat .env)}": ".env", "echo ${a[$(cat .env)]}": ".env",
	} {
		if r := Read(command, "/src", "/home/ann"); !slices.Contains(names(r, false), file) {
			t.Errorf("%s: %+v", command, r.Uses)
		}
	}
	for command, file := range map[string]string{"ls -la .env": ".env", "git add .env": ".env",
		"grep -c . .env": ".env"} {
		if r := Read(command, "/src", "/home/ann"); !slices.Contains(names(r, true), file) || slices.Contains(names(r,
			false), file) {
			t.Errorf("%s: %+v", command, r.Uses)
		}
	}
}

func TestACommandKnowsWhereItIs(t *testing.T) {
	r := Read("cd /etc && cd ssl; cat x.pem", "/src", "")
	if last := r.Uses[len(r.Uses)-1]; last.Name != "x.pem" || !slices.Contains(last.Dirs, "/etc/ssl") ||
		!slices.Contains(last.Dirs, "/src") {
		t.Errorf("%+v", last)
	}
}

func TestHowAFileIsHandedOver(t *testing.T) {
	for command, want := range map[string]Use{
		"ssh -i key.pem host":         {Name: "key.pem", Handed: AsKey},
		"curl --netrc-file .netrc x":  {Name: ".netrc", Handed: AsValues},
		". ./.env":                    {Name: "./.env", Handed: AsEnvironment},
		"node --env-file=.env a.js":   {Name: ".env", Handed: AsEnvironment},
		"sed -i s/a/b/ .env":          {Name: ".env", Handed: AsWritten},
		"ssh host 'cat .env'":         {Name: ".env", Handed: Shown},
		"curl -v --netrc-file x.rc y": {Name: "x.rc", Handed: Shown},
	} {
		r := Read(command, "/src", "")
		if !slices.ContainsFunc(r.Uses, func(u Use) bool { return u.Name == want.Name && u.Handed == want.Handed }) {
			t.Errorf("%s: %+v", command, r.Uses)
		}
	}
}

func TestWhatMayBeKeptOfAnOutput(t *testing.T) {
	for command, want := range map[string]Policy{
		"go test ./...": Keep, "kubectl get pods": Keep, "printenv HOME": Keep, "x=$(pass show a); curl -u me:$x h": Keep,
		"gh auth token | wc -c":  Keep,
		"jq -r .password x.json": DropFields, "env": DropValues, "sudo env": DropValues,
		"pass show work/db": DropOutput, "echo $(gh auth token)": DropOutput, "kubectl get secret db -o yaml": DropOutput,
	} {
		if got := Read(command, "/src", "").Output; got != want {
			t.Errorf("%s: %v, want %v", command, got, want)
		}
	}
}

func TestACommandAsAListOfWords(t *testing.T) {
	r := ReadWords([]string{"cat", "my file.env", "$x"}, "/src", "")
	if got := names(r, false); !slices.Contains(got, "my file.env") || !slices.Contains(got, "$x") {
		t.Errorf("%q", got)
	}
}

func TestOutputsThatAreLinesOfManyFiles(t *testing.T) {
	for script, want := range map[string]bool{
		"grep -rn x .": true, "rg x": true, "git grep x": true, "git -C a grep x": true, "sudo rg x": true,
		"rg x; ls": true, "ls; rg x": true, "ls": false, "git log": false, "echo grep": false, "cat grep": false,
	} {
		if got := Read(script, "/src", "").Listing; got != want {
			t.Errorf("%s: %v", script, got)
		}
	}
}

func TestASearchPrintsNamesAboveLines(t *testing.T) {
	for script, want := range map[string]bool{
		"rg --heading x": true, "sudo rg -uu --heading -N x | head": true, "ag --group x": true, "rg x": false,
		"rg --no-heading x": false, "ls --group": false, "rg x; echo --heading": false,
	} {
		if got := Read(script, "/src", "").Headings; got != want {
			t.Errorf("%s: %v", script, got)
		}
	}
}

func TestATracedScriptPrintsWhatItPutsIntoWords(t *testing.T) {
	for script, want := range map[string]Policy{
		"set -x; T=$(gh auth token); curl -H $T h": DropOutput, "set -o xtrace; T=$(gh auth token)": DropOutput,
		"set -x; set -e; T=$(gh auth token)": DropOutput, "set -e; T=$(gh auth token); curl -H $T h": Keep,
	} {
		if got := Read(script, "/src", "").Output; got != want {
			t.Errorf("%s: %v, want %v", script, got, want)
		}
	}
}
