package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
)

// npmSystems and npmArchs are npm's names for a target.
var (
	npmSystems = map[string]string{"linux": "linux", "darwin": "darwin", "windows": "win32"}
	npmArchs   = map[string]string{"amd64": "x64", "arm64": "arm64"}
)

// npmPackage is a package.json.
type npmPackage struct {
	Name        string            `json:"name"`
	Version     string            `json:"version"`
	Description string            `json:"description"`
	License     string            `json:"license"`
	Bin         map[string]string `json:"bin,omitempty"`
	OS          []string          `json:"os,omitempty"`
	CPU         []string          `json:"cpu,omitempty"`
	Files       []string          `json:"files"`
	Engines     map[string]string `json:"engines,omitempty"`
	Optional    map[string]string `json:"optionalDependencies,omitempty"`
}

func npmName(t target) string { return "@keepmum/" + npmSystems[t.OS] + "-" + npmArchs[t.Arch] }

func (r *release) npmFile(name string) string {
	return filepath.Join(r.dist, "npm", name+"-"+r.version+".tgz")
}

// writeNPM packs one package with the programs for each target, and the one that users install, which depends on all of
// them: npm skips those for other systems.
func (r *release) writeNPM() error {
	if err := os.MkdirAll(filepath.Join(r.dist, "npm"), 0o755); err != nil {
		return err
	}
	optional := map[string]string{}
	for _, t := range r.targets {
		optional[npmName(t)] = r.version
		p := npmPackage{Name: npmName(t), Version: r.version, License: "MIT", Files: []string{"bin/"},
			Description: fmt.Sprintf("The programs of keepmum for %s on %s", t.OS, t.Arch),
			OS:          []string{npmSystems[t.OS]}, CPU: []string{npmArchs[t.Arch]}}
		var list []member
		for _, name := range programs {
			name = t.program(name)
			list = append(list, member{"bin/" + name, filepath.Join(r.stage, t.String(), name), 0o755})
		}
		if err := r.packNPM(p, "keepmum-"+npmSystems[t.OS]+"-"+npmArchs[t.Arch], list); err != nil {
			return err
		}
	}
	p := npmPackage{Name: "keepmum", Version: r.version, Description: summary, License: "MIT",
		Bin: map[string]string{"mum": "bin/mum.js"}, Files: []string{"bin/"},
		Engines: map[string]string{"node": ">=18"}, Optional: optional}
	return r.packNPM(p, "keepmum", []member{
		{"README.md", filepath.Join(r.root, "npm", "README.md"), 0o644},
		{"bin/mum.js", filepath.Join(r.root, "npm", "mum.js"), 0o755},
	})
}

func (r *release) packNPM(p npmPackage, file string, list []member) error {
	text, err := json.MarshalIndent(p, "", "  ")
	if err != nil {
		return err
	}
	described := filepath.Join(r.stage, file+".json")
	if err := os.WriteFile(described, append(text, '\n'), 0o644); err != nil {
		return err
	}
	list = append([]member{{"package.json", described, 0o644},
		{"LICENSE", filepath.Join(r.root, "LICENSE"), 0o644}}, list...)
	return writeTarGz(r.npmFile(file), "package", list, r.at)
}
