// Command release builds everything in a release of keepmum, in one directory: archives, packages, manifests, checksums
// and a bill of materials. The same commit gives the same bytes.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// target is a system and processor for which a release is built.
type target struct{ OS, Arch string }

func (t target) String() string { return t.OS + "_" + t.Arch }

// program returns the file name of a program on the target.
func (t target) program(name string) string {
	if t.OS == "windows" {
		return name + ".exe"
	}
	return name
}

// release is the data that all steps need.
type release struct {
	version string
	url     string    // where the archives will be published
	root    string    // the checkout
	dist    string    // the result
	stage   string    // the contents of the archives
	at      time.Time // of every file
	targets []target
}

func main() {
	var r release
	var targets string
	flag.StringVar(&r.version, "version", "", "version, without a v")
	flag.StringVar(&r.url, "url", "", "folder where the archives will lie (default: the folder that is written)")
	flag.StringVar(&r.root, "root", ".", "the checkout")
	flag.StringVar(&r.dist, "out", "dist", "the folder that is written")
	flag.StringVar(&targets, "targets", "", "systems as os/arch, separated by spaces")
	flag.Parse()
	if err := r.run(strings.Fields(targets)); err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

func (r *release) run(targets []string) error {
	if r.version == "" || len(targets) == 0 {
		return errors.New("-version and -targets are needed")
	}
	for _, t := range targets {
		system, arch, _ := strings.Cut(t, "/")
		r.targets = append(r.targets, target{system, arch})
	}
	if err := r.prepare(); err != nil {
		return err
	}
	steps := []func() error{r.writeManual, r.buildAll, r.writeArchives, r.writePackages, r.writeBill, r.writeNPM,
		r.writeManifests}
	for _, step := range steps {
		if err := step(); err != nil {
			return err
		}
	}
	return os.RemoveAll(r.stage)
}

// prepare empties the folders and sets the time of every file.
func (r *release) prepare() (err error) {
	if r.root, err = filepath.Abs(r.root); err != nil {
		return err
	}
	if r.dist, err = filepath.Abs(r.dist); err != nil {
		return err
	}
	if r.url == "" {
		r.url = "file://" + filepath.ToSlash(r.dist)
	}
	r.url = strings.TrimSuffix(r.url, "/")
	r.stage = filepath.Join(r.dist, "stage")
	if err := os.RemoveAll(r.dist); err != nil {
		return err
	}
	if r.at, err = r.commitTime(); err != nil {
		return err
	}
	return os.MkdirAll(r.stage, 0o755)
}

// commitTime returns SOURCE_DATE_EPOCH, or else the time of the commit.
func (r *release) commitTime() (time.Time, error) {
	seconds := os.Getenv("SOURCE_DATE_EPOCH")
	if seconds == "" {
		out, err := r.command("git", "log", "-1", "--format=%ct").Output()
		if err != nil {
			return time.Time{}, fmt.Errorf("ask git for the time of the commit (or set SOURCE_DATE_EPOCH): %w", err)
		}
		seconds = strings.TrimSpace(string(out))
	}
	n, err := strconv.ParseInt(seconds, 10, 64)
	if err != nil {
		return time.Time{}, fmt.Errorf("the time of the release: %w", err)
	}
	return time.Unix(n, 0).UTC(), nil
}

// command returns a command that runs in the checkout, outside this module.
func (r *release) command(name string, args ...string) *exec.Cmd {
	cmd := exec.Command(name, args...)
	cmd.Dir = r.root
	cmd.Env = append(os.Environ(), "GOWORK=off")
	return cmd
}

func run(cmd *exec.Cmd) error {
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w\n%s", strings.Join(cmd.Args, " "), err, out)
	}
	return nil
}
