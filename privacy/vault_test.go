package privacy

import (
	"encoding/base64"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"keepmum/privacy/known"
	"keepmum/privacy/patience"
	"keepmum/privacy/scan"
)

func write(t testing.TB, text string, path ...string) string {
	t.Helper()
	file := filepath.Join(path...)
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// noted is what is left of a text in an event from dir.
func noted(g *Gate, dir, text string) string {
	return g.Event(Raw{Dir: dir, Fields: map[string]string{"note": text}}).Fields["note"].String()
}

func TestTheSecretsOfThisMachineAreKnown(t *testing.T) {
	home, project := t.TempDir(), t.TempDir()
	write(t, "machine api.example.com login dev password kiesel!netrc\n", home, ".netrc")
	write(t, "//registry.example.com/:_authToken=birke!npmtoken\n", home, ".npmrc")
	write(t, "# c\ndb:5432:shop:dev:gabel!pgpass\n127.0.0.1:42147:team1:mum_team1_1978f2_ben:amboss!pgpass\n", home,
		".pgpass")
	write(t, "[default]\naws_access_key_id = AKIAIOSFODNN7EXAMPLE\naws_secret_access_key = amsel!aws\n", home, ".aws",
		"credentials")
	write(t, `{"auths":{"r.example.com":{"auth":"`+base64.StdEncoding.EncodeToString([]byte("dev:nebel!docker"))+`"}}}`,
		home, ".docker", "config.json")
	write(t, "github.com:\n    oauth_token: wolke!gh\n", home, ".config", "gh", "hosts.yml")
	write(t, "users:\n- user:\n    token: klammer!kube\n", home, ".kube", "config")
	write(t,
		"DB_PASSWORD=hunter2!x\nPORT=3000\nNODE_ENV=production\nLOG_LEVEL=verbose\n"+
			"URL=http://localhost:3000\nGREETING=hello world\n"+
			"TOKEN_TTL=3600000\nADMIN_PASSWORD=password\nKEY=${OTHER}\n",
		project, ".env")
	write(t, "API_SECRET=pferd!below\n", project, "packages", "api", ".env.local")
	write(t, "API_SECRET=pferd!example\n", project, ".env.example")
	write(t, "ref: x\n", project, ".git", "HEAD")
	if err := os.MkdirAll(filepath.Join(project, "src", "deep"), 0o700); err != nil {
		t.Fatal(err)
	}
	g := newGate(t, Options{Home: home, Vault: true, Env: []string{"SHOP_TOKEN=batterie!env", "PATH=/usr/bin:/bin",
		"EDITOR=vimvimvim", "PWD=/tmp/mum1330087167/shop", "OLDPWD=/tmp/q9x77f3kd2/shop"}})
	for _, secret := range []string{"kiesel!netrc", "birke!npmtoken", "gabel!pgpass", "amboss!pgpass", "amsel!aws",
		"nebel!docker", "wolke!gh", "klammer!kube", "hunter2!x", "pferd!below", "batterie!env"} {
		for form, text := range map[string]string{"plain": secret, "URL": url.QueryEscape(secret),
			"base64": base64.StdEncoding.EncodeToString([]byte("x:" + secret + ":y")), "glued": "-p" + secret + "x"} {
			if got := noted(g, project, "it is "+text+" indeed"); strings.Contains(got, text) {
				t.Errorf("%s, %s: %q", secret, form, got)
			}
		}
	}
	for _, harmless := range []string{"3000", "production", "verbose", "http://localhost:3000", "hello world", "3600000",
		"password", "${OTHER}", "/usr/bin:/bin", "vimvimvim", "pferd!example", "mum_team1_1978f2_ben",
		"/tmp/mum1330087167/shop", "/tmp/q9x77f3kd2/shop"} {
		text := "it is " + harmless + " indeed"
		if got := noted(g, project, text); got != text {
			t.Errorf("%s: %q", harmless, got)
		}
	}
	if got := noted(g, filepath.Join(project, "src", "deep"), "it is hunter2!x"); strings.Contains(got, "hunter2!x") {
		t.Errorf("from a directory below: %q", got)
	}
	if got := noted(g, t.TempDir(), "it is hunter2!x"); !strings.Contains(got, "hunter2!x") {
		t.Errorf("in another project: %q", got)
	}
}

func TestTheVaultCanBeSwitchedOff(t *testing.T) {
	home := t.TempDir()
	write(t, "DB_PASSWORD=hunter2!x\n", home, "p", ".env")
	g := newGate(t, Options{Home: home, Env: []string{"A_TOKEN=hunter2!x"}})
	if got := noted(g, filepath.Join(home, "p"), "it is hunter2!x"); got != "it is hunter2!x" {
		t.Error(got)
	}
}

func TestTheVaultFollowsItsFiles(t *testing.T) {
	project := t.TempDir()
	g := newGate(t, Options{Vault: true})
	now := time.Now()
	g.vault.Now = func() time.Time { return now }
	later := func() { now = now.Add(2 * known.VaultRefresh) }

	file := filepath.Join(project, ".env")
	if got := noted(g, project, "it is hunter2!x"); got != "it is hunter2!x" {
		t.Errorf("before there is a file: %q", got)
	}
	write(t, "DB_PASSWORD=hunter2!x\n", file)
	if later(); strings.Contains(noted(g, project, "it is hunter2!x"), "hunter2!x") {
		t.Error("a new file is not read")
	}
	write(t, "DB_PASSWORD=hunter3!longer\n", file)
	if later(); strings.Contains(noted(g, project, "it is hunter3!longer"), "hunter3") {
		t.Error("a changed file is not read")
	}
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	if later(); !strings.Contains(noted(g, project, "it is hunter3!longer"), "hunter3") {
		t.Error("what was in a removed file is still known")
	}
}

func TestTheVaultIsNotHeldUpByWhatIsNoFile(t *testing.T) {
	home := t.TempDir()
	if err := os.MkdirAll(filepath.Join(home, ".netrc"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join(home, "loop"), filepath.Join(home, "loop")); err != nil {
		t.Fatal(err)
	}
	write(t, strings.Repeat("A_PASSWORD=x\n", 1<<16)+"B_PASSWORD=hunter2!x\n", home, "p", ".env")
	g := newGate(t, Options{Home: home, Vault: true})
	for _, dir := range []string{filepath.Join(home, "loop"), `\\server\share`, "//server/share", "relative",
		"/nonexistent/deep/dir", filepath.Join(home, "p")} {
		if got := noted(g, dir, "plain text"); got != "plain text" {
			t.Errorf("%s: %q", dir, got)
		}
	}
}

func TestTheProjectsInTheVaultAreBounded(t *testing.T) {
	g := newGate(t, Options{Vault: true})
	root := t.TempDir()
	for i := range 3 * known.MaxProjects {
		noted(g, filepath.Join(root, strings.Repeat("d", i+1)), "plain text")
	}
	if n := len(g.vault.ByDir); n > known.MaxProjects {
		t.Errorf("%d projects are held", n)
	}
}

func FuzzHarvest(f *testing.F) {
	f.Add("A_PASSWORD=hunter2!\nB: 'x y'\n{\"client_secret\":\"a\\\"b\"}\npostgres://u:p4ss@h/d")
	f.Fuzz(func(t *testing.T, text string) {
		for _, v := range known.Harvest(text) {
			if len(v) < scan.MinSecret {
				t.Fatalf("%q is too short", v)
			}
			for _, f := range known.Forms(v) {
				if len(f.Text) < scan.MinSecret {
					t.Fatalf("%q has the form %q", v, f.Text)
				}
			}
		}
	})
}

func BenchmarkVaultFirstUse(b *testing.B) {
	project := b.TempDir()
	write(b, strings.Repeat("A_PASSWORD=hunter2!x\n", 50), project, ".env")
	for i := range 30 {
		write(b, "x", project, "dir", strings.Repeat("s", i+1), "file")
	}
	for b.Loop() {
		g := &known.Vault{FS: patience.New(), Now: time.Now, Own: &known.Holding{},
			ByDir: map[string]*known.Holding{}}
		if _, err := g.Spans(project, "it is hunter2!x"); err != nil {
			b.Fatal(err)
		}
	}
}
