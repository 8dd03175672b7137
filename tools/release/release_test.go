package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func put(t *testing.T, file, text string) string {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// TestArchivesAreReproducible checks that modes and times of the files on this machine make no difference.
func TestArchivesAreReproducible(t *testing.T) {
	dir, at := t.TempDir(), time.Unix(1_700_000_000, 0).UTC()
	file := put(t, filepath.Join(dir, "mum"), "a program")
	list := []member{{"mum", file, 0o755}, {"docs/a.md", put(t, filepath.Join(dir, "a"), "words"), 0o644}}
	for name, write := range map[string]func(string, string, []member, time.Time) error{"zip": writeZip, "tar": writeTarGz} {
		var made [2][]byte
		for i := range made {
			out := filepath.Join(dir, name)
			if err := write(out, "top", list, at); err != nil {
				t.Fatal(err)
			}
			var err error
			if made[i], err = os.ReadFile(out); err != nil {
				t.Fatal(err)
			}
			if err := errors.Join(os.Chmod(file, 0o640), os.Chtimes(file, time.Time{}, at.Add(time.Hour))); err != nil {
				t.Fatal(err)
			}
		}
		if !bytes.Equal(made[0], made[1]) {
			t.Errorf("%s: two archives of the same files differ", name)
		}
	}
	z, err := zip.OpenReader(filepath.Join(dir, "zip"))
	if err != nil || z.File[0].Name != "top/mum" || z.File[0].Mode().Perm() != 0o755 || !z.File[0].Modified.Equal(at) {
		t.Errorf("zip: %v %+v", err, z.File[0])
	}
	f, err := os.Open(filepath.Join(dir, "tar"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	u, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	r := tar.NewReader(u)
	h, err := r.Next()
	if err != nil || h.Name != "top/mum" || h.Mode != 0o755 || !h.ModTime.Equal(at) {
		t.Errorf("tar: %v %+v", err, h)
	}
	if data, err := io.ReadAll(r); err != nil || string(data) != "a program" {
		t.Errorf("tar: %q %v", data, err)
	}
}

// TestManifestsNameTheirArchives checks that manifests name archives by URL and checksum, and refuse one that is not
// built.
func TestManifestsNameTheirArchives(t *testing.T) {
	r := release{version: "1.2.3", url: "https://example.test/r", root: "../..", dist: t.TempDir()}
	for _, system := range []string{"darwin", "linux", "windows"} {
		for _, arch := range []string{"amd64", "arm64"} {
			r.targets = append(r.targets, target{system, arch})
			put(t, filepath.Join(r.dist, r.archiveFile(target{system, arch})), system+arch)
		}
	}
	if err := r.writeManifests(); err != nil {
		t.Fatal(err)
	}
	formula, err := os.ReadFile(filepath.Join(r.dist, "keepmum.rb"))
	if err != nil {
		t.Fatal(err)
	}
	sums, err := checksums(r.dist)
	if err != nil {
		t.Fatal(err)
	}
	for _, target := range r.targets[:4] {
		name := r.archiveFile(target)
		if !strings.Contains(string(formula), `url "https://example.test/r/`+name+"\"\n      sha256 \""+sums[name]+`"`) {
			t.Errorf("the formula does not name %s\n%s", name, formula)
		}
	}
	manifest, err := os.ReadFile(filepath.Join(r.dist, "keepmum.json"))
	var scoop struct {
		Architecture map[string]struct{ URL, Hash string }
	}
	if err != nil || json.Unmarshal(manifest, &scoop) != nil {
		t.Fatalf("%v\n%s", err, manifest)
	}
	name := r.archiveFile(target{"windows", "arm64"})
	if got := scoop.Architecture["arm64"]; got.Hash != sums[name] || got.URL != "https://example.test/r/"+name {
		t.Errorf("the manifest names %+v", got)
	}
	if err := os.Remove(filepath.Join(r.dist, name)); err != nil {
		t.Fatal(err)
	}
	if err := r.writeManifests(); err == nil {
		t.Error("a manifest for an archive that is not there")
	}
}

// TestAReleaseOfOneSystem checks that it has checksums, and no manifest that names another system.
func TestAReleaseOfOneSystem(t *testing.T) {
	r := release{version: "1.2.3", root: "../..", dist: t.TempDir(), targets: []target{{"linux", "amd64"}}}
	put(t, filepath.Join(r.dist, r.archiveFile(r.targets[0])), "linux")
	if err := r.writeManifests(); err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(r.dist, "*"))
	if err != nil || len(files) != 2 || filepath.Base(files[0]) != "SHA256SUMS" {
		t.Errorf("%v %v", files, err)
	}
}

// TestPackages installs the deb and the rpm for this machine below a folder and runs the installed programs.
func TestPackages(t *testing.T) {
	dir := dist(t)
	one := func(pattern string) string {
		t.Helper()
		found, err := filepath.Glob(filepath.Join(dir, pattern))
		if err != nil || len(found) != 1 {
			t.Fatalf("%s: %v %v", pattern, found, err)
		}
		return found[0]
	}
	root := t.TempDir()
	for _, d := range []string{"var/lib/dpkg/info", "var/lib/dpkg/updates"} {
		if err := os.MkdirAll(filepath.Join(root, d), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	put(t, filepath.Join(root, "var/lib/dpkg/status"), "")
	for _, test := range []struct {
		tool string
		args []string
	}{
		{"dpkg", []string{"--root=" + root, "--force-not-root", "--force-bad-path", "-i", one("*_amd64.deb")}},
		{"dpkg", []string{"--root=" + root, "--force-not-root", "--force-bad-path", "-r", "keepmum"}},
		{"rpm", []string{"--root", root, "--nodeps", "-i", one("*.x86_64.rpm")}},
		{"rpm", []string{"--root", root, "-e", "keepmum"}},
	} {
		if _, err := exec.LookPath(test.tool); err != nil {
			t.Logf("%s is not here: its package was not tried", test.tool)
			continue
		}
		if out, err := exec.Command(test.tool, test.args...).CombinedOutput(); err != nil {
			t.Fatalf("%s %v: %v\n%s", test.tool, test.args, err, out)
		}
		mum := filepath.Join(root, "usr/bin/mum")
		_, err := os.Stat(mum)
		if removed := test.args[len(test.args)-1] == "keepmum"; removed != (err != nil) {
			t.Fatalf("%s %v: %v", test.tool, test.args, err)
		} else if removed {
			continue
		}
		if out, err := exec.Command(mum, "version").Output(); err != nil || !strings.HasPrefix(string(out), "mum ") {
			t.Errorf("%s: %v %s", test.tool, err, out)
		}
		if _, err := os.Stat(filepath.Join(root, "usr/share/man/man1/mum-search.1")); err != nil {
			t.Error(err)
		}
	}
}
