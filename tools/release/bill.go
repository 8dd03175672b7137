package main

import (
	"debug/buildinfo"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/CycloneDX/cyclonedx-go"
)

// writeBill lists every module that is compiled into one of the programs, according to the programs themselves.
func (r *release) writeBill() (err error) {
	modules := map[string]string{}
	var goVersion string
	for _, t := range r.targets {
		for _, p := range programs {
			info, err := buildinfo.ReadFile(filepath.Join(r.stage, t.String(), t.program(p)))
			if err != nil {
				return err
			}
			goVersion = strings.TrimPrefix(info.GoVersion, "go")
			for _, m := range info.Deps {
				if m.Replace != nil {
					m = m.Replace
				}
				modules[m.Path] = m.Version
			}
		}
	}
	modules["std"] = goVersion
	f, err := os.Create(filepath.Join(r.dist, "keepmum_"+r.version+".cdx.json"))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	e := cyclonedx.NewBOMEncoder(f, cyclonedx.BOMFileFormatJSON).SetPretty(true)
	return e.EncodeVersion(bill(r.version, modules, r.at), cyclonedx.SpecVersion1_5)
}

func bill(version string, modules map[string]string, at time.Time) *cyclonedx.BOM {
	b := cyclonedx.NewBOM()
	main := component("keepmum", version)
	main.Type = cyclonedx.ComponentTypeApplication
	b.Metadata = &cyclonedx.Metadata{Timestamp: at.Format(time.RFC3339), Component: &main}
	paths := make([]string, 0, len(modules))
	for path := range modules {
		paths = append(paths, path)
	}
	slices.Sort(paths)
	parts, refs := []cyclonedx.Component{}, []string{}
	for _, path := range paths {
		c := component(path, modules[path])
		parts, refs = append(parts, c), append(refs, c.BOMRef)
	}
	b.Components = &parts
	b.Dependencies = &[]cyclonedx.Dependency{{Ref: main.BOMRef, Dependencies: &refs}}
	return b
}

func component(path, version string) cyclonedx.Component {
	purl := "pkg:golang/" + path + "@" + version
	return cyclonedx.Component{Type: cyclonedx.ComponentTypeLibrary, BOMRef: purl, Name: path, Version: version,
		PackageURL: purl}
}
