package main

import (
	"crypto/sha512"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// dist returns a folder that make release has written; "" = the test was not requested.
func dist(t *testing.T) string {
	t.Helper()
	dir := os.Getenv("DIST")
	if dir == "" {
		t.Skip("DIST names no folder that make release has written")
	}
	return dir
}

// registry serves the packed packages as a registry would, and nothing else.
func registry(t *testing.T, dir string) *httptest.Server {
	t.Helper()
	packed, err := filepath.Glob(filepath.Join(dir, "npm", "*.tgz"))
	if err != nil || len(packed) < 2 {
		t.Fatalf("no packages in %s: %v", dir, err)
	}
	found := map[string]map[string]any{}
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, ".tgz") {
			http.ServeFile(w, r, filepath.Join(dir, "npm", filepath.Base(r.URL.Path)))
			return
		}
		document, ok := found[strings.TrimPrefix(r.URL.Path, "/")]
		if !ok {
			http.NotFound(w, r)
			return
		}
		_ = json.NewEncoder(w).Encode(document)
	}))
	server.Start()
	t.Cleanup(server.Close)
	for _, file := range packed {
		text, err := exec.Command("tar", "-xzOf", file, "package/package.json").Output()
		if err != nil {
			t.Fatal(err)
		}
		var p map[string]any
		if err := json.Unmarshal(text, &p); err != nil {
			t.Fatal(err)
		}
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		sum := sha512.Sum512(data)
		p["dist"] = map[string]string{"tarball": server.URL + "/" + filepath.Base(file),
			"integrity": "sha512-" + base64.StdEncoding.EncodeToString(sum[:])}
		version := p["version"].(string)
		found[p["name"].(string)] = map[string]any{"name": p["name"], "dist-tags": map[string]any{"latest": version},
			"versions": map[string]any{version: p}}
	}
	return server
}

// TestNPM installs the packed packages into an empty prefix, without Go on the path, and uses the result: npm must
// choose only the package for this system.
func TestNPM(t *testing.T) {
	server := registry(t, dist(t))
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("no Node.js")
	}
	npm, err := exec.LookPath("npm")
	if err != nil {
		t.Skip("no npm")
	}
	home := t.TempDir()
	prefix := filepath.Join(home, "prefix")
	bin := filepath.Join(prefix, "bin")
	in := func(name string, args ...string) string {
		t.Helper()
		cmd := exec.Command(name, args...)
		cmd.Dir = home
		cmd.Env = []string{"HOME=" + home, "PATH=" + bin + ":" + filepath.Dir(node) + ":/usr/bin:/bin",
			"MUM_DAEMON__PORT=0", "MUM_COMPRESS__PROVIDER=off"}
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%s %v: %v\n%s", name, args, err, out)
		}
		return string(out)
	}
	if out, err := exec.Command("env", "-i", "PATH="+bin+":"+filepath.Dir(node)+":/usr/bin:/bin", "which",
		"go").Output(); err == nil {
		t.Fatalf("there is a go on the path: %s", out)
	}
	in(npm, "install", "--global", "--prefix", prefix, "--registry", server.URL, "--no-audit", "--no-fund", "keepmum")
	systems, err := filepath.Glob(filepath.Join(prefix, "lib", "node_modules", "keepmum", "node_modules", "@keepmum", "*"))
	if err != nil || len(systems) != 1 {
		t.Fatalf("npm installed the packages %v, %v", systems, err)
	}
	mum := filepath.Join(bin, "mum")
	if out := in(mum, "version"); !strings.Contains(out, runtime.GOOS) {
		t.Errorf("mum version: %s", out)
	}
	if out, err := exec.Command(mum, "nonsense").CombinedOutput(); err == nil || !strings.Contains(string(out),
		"mum: error") {
		t.Errorf("a failure does not come through: %v\n%s", err, out)
	}
	t.Cleanup(func() { // if the test ended early
		if _, err := os.Stat(mum); err == nil {
			in(mum, "down")
		}
	})
	in(mum, "up")
	in(mum, "connect", "claude", "--yes")
	settings, err := os.ReadFile(filepath.Join(home, ".claude", "settings.json"))
	if err != nil || !strings.Contains(string(settings), filepath.Join(systems[0], "bin", "mum-hook")) {
		t.Errorf("hooks do not run the program itself: %v\n%s", err, settings)
	}
	in(mum, "doctor")
	in(mum, "disconnect", "auto", "--yes")
	in(mum, "down")
	in(npm, "uninstall", "--global", "--prefix", prefix, "keepmum")
	if _, err := os.Stat(mum); err == nil {
		t.Error("mum is still there")
	}
}
