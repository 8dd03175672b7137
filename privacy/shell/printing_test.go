package shell

import (
	"slices"
	"testing"
)

func TestWhatAnEnvironmentMayKeep(t *testing.T) {
	for name, want := range map[string]bool{"PATH": true, "LANG": true, "HOME": true, "DB_PASSWORD": false,
		"GH_TOKEN": false} {
		if got := HarmlessVariable(name); got != want {
			t.Errorf("%s is harmless: %v", name, got)
		}
	}
}

func TestPathsAreWrittenInOneWay(t *testing.T) {
	for _, c := range [][4]string{
		{"/srv/app", "conf/.env", "/home/kai", "/srv/app/conf/.env"}, {"/srv/app", "../.env", "/home/kai", "/srv/.env"},
		{"/srv/app", "~/.ssh/id", "/home/kai", "/home/kai/.ssh/id"}, {"/srv/app", "/etc/passwd", "", "/etc/passwd"},
	} {
		if got := Path(c[0], c[1], c[2]); got != c[3] {
			t.Errorf("%s in %s is %s, want %s", c[1], c[0], got, c[3])
		}
	}
	if !HasDrive(`C:\Users`) || HasDrive("/srv") || Slashes(`a\b`) != "a/b" {
		t.Error("drives or backslashes are not known")
	}
}

func TestCommandsThatPrintSecrets(t *testing.T) {
	for line, want := range map[string]bool{
		"pass show work/db": true, "gh auth token": true, "kubectl get secret db -o yaml": true,
		"ls -l": false, "git status": false, "echo pass show": false, "": false, " | ; &": false,
		"cat ~/.erlang.cookie": true, "cat /run/db_password": true, "sudo cat api-token.txt": true, "cat notes.txt": false,
		"head db_password": false, "cat db_password notes": false, "ls && gh auth token": true, "sudo env": false,
		"cat compass.go": false, "openssl rand -hex 16 | tee x": true, "jq -r .password x.json": true,
	} {
		if got := PrintsSecret(line); got != want {
			t.Errorf("%s prints a secret: %v", line, got)
		}
	}
}

func TestAWordIsWrittenAsOneWouldTypeIt(t *testing.T) {
	for word, want := range map[string]string{"plain": "plain", "two words": "'two words'", "a\nscript": "SCRIPT",
		"it's so": "it's so"} {
		if got := Quoted(word); got != want {
			t.Errorf("%q is written %q, want %q", word, got, want)
		}
	}
	got := Assigned("export A=1 B=two\nC='x y' D=$(date)")
	slices.Sort(got)
	if want := []string{"1", "two", "x y"}; !slices.Equal(got, want) {
		t.Errorf("assigned %q, want %q", got, want)
	}
	if got := Assigned("if then fi ((("); got != nil {
		t.Errorf("no script, and assigned %q", got)
	}
}
