package main

import (
	"errors"
	"os"
	"path/filepath"
	"strings"

	"github.com/goreleaser/nfpm/v2"
	_ "github.com/goreleaser/nfpm/v2/deb" // registers its format
	"github.com/goreleaser/nfpm/v2/files"
	_ "github.com/goreleaser/nfpm/v2/rpm"
)

const (
	summary     = "Memory for coding agents that never stores your secrets"
	description = summary + `.
keepmum captures what you and your coding agents do, takes out secrets and denied
paths before anything is written, and gives the relevant part back to the next session.
Everything stays on this machine.`
)

// writePackages writes a deb and an rpm for each Linux target.
func (r *release) writePackages() error {
	for _, t := range r.targets {
		if t.OS != "linux" {
			continue
		}
		for _, format := range []string{"deb", "rpm"} {
			if err := r.writePackage(t, format); err != nil {
				return err
			}
		}
	}
	return nil
}

func (r *release) writePackage(t target, format string) (err error) {
	contents, err := r.contents(t, format)
	if err != nil {
		return err
	}
	info := nfpm.WithDefaults(&nfpm.Info{
		Name: "keepmum", Arch: t.Arch, Platform: "linux", Version: r.version, Release: "1",
		Section: "utils", Priority: "optional", Maintainer: "The keepmum authors <keepmum@localhost>",
		Description: description, License: "MIT", MTime: r.at,
		Overridables: nfpm.Overridables{Contents: contents, RPM: nfpm.RPM{Summary: summary, BuildHost: "localhost"}},
	})
	packager, err := nfpm.Get(format)
	if err != nil {
		return err
	}
	f, err := os.Create(filepath.Join(r.dist, packager.ConventionalFileName(info)))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	return packager.Package(info, f)
}

// contents returns where a package puts the programs, the manual and the documents.
func (r *release) contents(t target, format string) (files.Contents, error) {
	list, err := r.members(t)
	if err != nil {
		return nil, err
	}
	zsh := "/usr/share/zsh/vendor-completions/"
	if format == "rpm" {
		zsh = "/usr/share/zsh/site-functions/"
	}
	places := map[string]string{
		"completions/mum.bash": "/usr/share/bash-completion/completions/mum",
		"completions/mum.fish": "/usr/share/fish/vendor_completions.d/mum.fish",
		"completions/_mum":     zsh + "_mum",
		"LICENSE":              "/usr/share/doc/keepmum/copyright",
	}
	var contents files.Contents
	for _, m := range list {
		to, known := places[m.name]
		switch {
		case known:
		case m.mode == 0o755 && !strings.Contains(m.name, "."):
			to = "/usr/bin/" + m.name
		case strings.HasPrefix(m.name, "man/"):
			to = "/usr/share/" + m.name
		case strings.HasSuffix(m.name, ".md"):
			to = "/usr/share/doc/keepmum/" + filepath.Base(m.name)
		default:
			continue // packages do not need install.sh and PowerShell
		}
		contents = append(contents, &files.Content{Source: m.from, Destination: to,
			FileInfo: &files.ContentFileInfo{Mode: m.mode, MTime: r.at, Owner: "root", Group: "root"}})
	}
	return contents, nil
}
