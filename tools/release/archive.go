package main

import (
	"archive/tar"
	"archive/zip"
	"compress/gzip"
	"errors"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// member is one file of an archive.
type member struct {
	name string // with slashes
	from string // path on this machine
	mode os.FileMode
}

// archive returns the name of a target's archive without its extension.
func (r *release) archive(t target) string { return "keepmum_" + r.version + "_" + t.String() }

func (r *release) archiveFile(t target) string {
	if t.OS == "windows" {
		return r.archive(t) + ".zip"
	}
	return r.archive(t) + ".tar.gz"
}

// documents are in each archive next to the programs.
var documents = []string{"README.md", "CHANGELOG.md", "LICENSE", "docs/install.md"}

// members lists the files of a target's archive, sorted by name.
func (r *release) members(t target) ([]member, error) {
	var list []member
	for _, p := range programs {
		list = append(list, member{t.program(p), filepath.Join(r.stage, t.String(), t.program(p)), 0o755})
	}
	for _, d := range documents {
		list = append(list, member{d, filepath.Join(r.root, d), 0o644})
	}
	if t.OS != "windows" {
		list = append(list, member{"install.sh", filepath.Join(r.root, "install.sh"), 0o755})
	}
	manual, err := r.manual(t)
	if err != nil {
		return nil, err
	}
	list = append(list, manual...)
	slices.SortFunc(list, func(a, b member) int { return strings.Compare(a.name, b.name) })
	return list, nil
}

// manual lists the shared files: man pages for systems with man, and completions.
func (r *release) manual(t target) ([]member, error) {
	var list []member
	dirs := []string{"completions", "man"}
	if t.OS == "windows" {
		dirs = dirs[:1]
	}
	for _, dir := range dirs {
		files, err := os.ReadDir(filepath.Join(r.stage, dir))
		if err != nil {
			return nil, err
		}
		for _, f := range files {
			name := dir + "/" + f.Name()
			if dir == "man" {
				name = "man/man1/" + f.Name()
			}
			list = append(list, member{name, filepath.Join(r.stage, dir, f.Name()), 0o644})
		}
	}
	return list, nil
}

func (r *release) writeArchives() error {
	for _, t := range r.targets {
		list, err := r.members(t)
		if err != nil {
			return err
		}
		write := writeTarGz
		if t.OS == "windows" {
			write = writeZip
		}
		if err := write(filepath.Join(r.dist, r.archiveFile(t)), r.archive(t), list, r.at); err != nil {
			return err
		}
	}
	return nil
}

// writeTarGz writes an archive whose bytes depend only on its members and the time.
func writeTarGz(file, top string, list []member, at time.Time) (err error) {
	f, err := os.Create(file)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	z, err := gzip.NewWriterLevel(f, gzip.BestCompression)
	if err != nil {
		return err
	}
	w := tar.NewWriter(z)
	for _, m := range list {
		if err := addToTar(w, path.Join(top, m.name), m, at); err != nil {
			return err
		}
	}
	if err := w.Close(); err != nil {
		return err
	}
	return z.Close()
}

func addToTar(w *tar.Writer, name string, m member, at time.Time) error {
	f, err := os.Open(m.from)
	if err != nil {
		return err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	if err := w.WriteHeader(&tar.Header{Name: name, Mode: int64(m.mode), Size: info.Size(), ModTime: at,
		Format: tar.FormatUSTAR}); err != nil {
		return err
	}
	_, err = io.Copy(w, f)
	return err
}

// writeZip is writeTarGz for systems that can unpack zip without other programs.
func writeZip(file, top string, list []member, at time.Time) (err error) {
	f, err := os.Create(file)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	w := zip.NewWriter(f)
	for _, m := range list {
		data, err := os.ReadFile(m.from)
		if err != nil {
			return err
		}
		h := &zip.FileHeader{Name: path.Join(top, m.name), Method: zip.Deflate, Modified: at}
		h.SetMode(m.mode)
		entry, err := w.CreateHeader(h)
		if err != nil {
			return err
		}
		if _, err := entry.Write(data); err != nil {
			return err
		}
	}
	return w.Close()
}
