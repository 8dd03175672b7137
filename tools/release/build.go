package main

import (
	"fmt"
	"os"
	"path/filepath"
)

// programs are the commands in a release.
var programs = []string{"mum", "mum-hook"}

// buildAll builds the programs for each target, in the stage.
func (r *release) buildAll() error {
	for _, t := range r.targets {
		for _, p := range programs {
			flags := "-X main.release=" + r.version
			if p == "mum-hook" && t.OS == "windows" {
				flags += " -H windowsgui" // no console window for each hook
			}
			cmd := r.command("sh", "tools/build.sh", filepath.Join(r.stage, t.String(), t.program(p)), "./cmd/"+p, flags)
			cmd.Env = append(cmd.Env, "CGO_ENABLED=0", "GOOS="+t.OS, "GOARCH="+t.Arch)
			if err := run(cmd); err != nil {
				return err
			}
		}
		fmt.Println("built", t)
	}
	return nil
}

// writeManual writes the man pages and the shell completions, which are the same for all targets. The pages have the
// date of the release.
func (r *release) writeManual() error {
	man, shells := filepath.Join(r.stage, "man"), filepath.Join(r.stage, "completions")
	for _, dir := range []string{man, shells} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return err
		}
	}
	cmd := r.command("go", "test", "-count=1", "-run", "^TestManPages$", "./cmd/mum", "-man", man)
	cmd.Env = append(cmd.Env, fmt.Sprintf("SOURCE_DATE_EPOCH=%d", r.at.Unix()))
	if err := run(cmd); err != nil {
		return err
	}
	for shell, file := range map[string]string{"bash": "mum.bash", "zsh": "_mum", "fish": "mum.fish",
		"powershell": "mum.ps1"} {
		script, err := r.command("go", "run", "./cmd/mum", "completion", shell).Output()
		if err != nil {
			return fmt.Errorf("completion for %s: %w", shell, err)
		}
		if err := os.WriteFile(filepath.Join(shells, file), script, 0o644); err != nil {
			return err
		}
	}
	return nil
}
