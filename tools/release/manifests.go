package main

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"text/template"
)

// writeManifests writes SHA256SUMS of the existing files, and uses its sums for the Homebrew formula and the Scoop
// manifest.
func (r *release) writeManifests() error {
	sums, err := checksums(r.dist)
	if err != nil {
		return err
	}
	var lines strings.Builder
	for _, name := range sortedKeys(sums) {
		fmt.Fprintf(&lines, "%s  %s\n", sums[name], name)
	}
	if err := os.WriteFile(filepath.Join(r.dist, "SHA256SUMS"), []byte(lines.String()), 0o644); err != nil {
		return err
	}
	for from, to := range map[string]string{"homebrew.rb.tmpl": "keepmum.rb", "scoop.json.tmpl": "keepmum.json"} {
		text, err := r.fill(filepath.Join(r.root, "packaging", from), sums)
		if errors.Is(err, errNotATarget) { // a release for only some systems, to try their packages
			fmt.Printf("skipped: %s: %v\n", to, err)
			continue
		}
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(r.dist, to), []byte(text), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// errNotATarget means that a manifest names a system for which there is no release.
var errNotATarget = errors.New("the release is not for")

// fill executes a template that can ask for the URL and checksum of a target's archive.
func (r *release) fill(file string, sums map[string]string) (string, error) {
	archive := func(system, arch string) (string, error) {
		t := target{system, arch}
		if !slices.Contains(r.targets, t) {
			return "", fmt.Errorf("%w %s", errNotATarget, t)
		}
		name := r.archiveFile(t)
		if sums[name] == "" {
			return "", fmt.Errorf("%s asks for %s, which is not built", filepath.Base(file), name)
		}
		return name, nil
	}
	t, err := template.New(filepath.Base(file)).Funcs(template.FuncMap{
		"version": func() string { return r.version },
		"summary": func() string { return summary },
		"folder":  func(system, arch string) string { return r.archive(target{system, arch}) },
		"url": func(system, arch string) (string, error) {
			name, err := archive(system, arch)
			return r.url + "/" + name, err
		},
		"sum": func(system, arch string) (string, error) {
			name, err := archive(system, arch)
			return sums[name], err
		},
	}).ParseFiles(file)
	if err != nil {
		return "", err
	}
	var text strings.Builder
	err = t.Execute(&text, nil)
	return text.String(), err
}

// checksums computes the checksum of every file in a folder.
func checksums(dir string) (map[string]string, error) {
	list, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	sums := map[string]string{}
	for _, entry := range list {
		if entry.IsDir() {
			continue
		}
		if sums[entry.Name()], err = checksum(filepath.Join(dir, entry.Name())); err != nil {
			return nil, err
		}
	}
	return sums, nil
}

func checksum(file string) (sum string, err error) {
	f, err := os.Open(file)
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

func sortedKeys(m map[string]string) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
