package config

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/knadh/koanf/v2"
)

// Repo is what a repository's own .mum/config.toml asks for. A cloned
// repository is somebody else's text: it may only tighten.
type Repo struct {
	Paused       bool
	Strict       bool
	NoContext    bool
	ExcludePaths []string
	Patterns     []Pattern
	Refused      []string // keys that would have loosened something, with the reason
}

// RepoFile returns the path of a repository's own config file.
func RepoFile(root string) string { return filepath.Join(root, ".mum", "config.toml") }

// LoadRepo reads the config file of the repository at root; a missing file is an empty Repo.
func LoadRepo(root string) (Repo, error) {
	k, err := loadFile(RepoFile(root))
	if err != nil {
		return Repo{}, fmt.Errorf("config %s: %w", RepoFile(root), err)
	}
	r := Repo{}
	for _, key := range k.Keys() {
		if why := r.take(k, key); why != "" {
			r.Refused = append(r.Refused, key+": "+why)
		}
	}
	slices.Sort(r.Refused)
	return r, nil
}

// take applies one key and returns why not, where it would not tighten.
func (r *Repo) take(k *koanf.Koanf, key string) (why string) {
	switch key {
	case "capture", "capture.enabled":
		r.Paused = isOff(k.Get(key))
		if !r.Paused {
			return "a repository can only switch capture off"
		}
	case "context.enabled":
		r.NoContext = isOff(k.Get(key))
		if !r.NoContext {
			return "a repository can only switch context off"
		}
	case "privacy.mode":
		r.Strict = k.String(key) == "strict"
		if !r.Strict {
			return "a repository can only ask for strict"
		}
	case "privacy.exclude_paths":
		return r.takePaths(k.Strings(key))
	case "privacy.patterns":
		if err := k.Unmarshal(key, &r.Patterns); err != nil {
			return "not a list of {name, regex, keywords}"
		}
	default:
		return "not a setting that a repository may have"
	}
	return ""
}

func (r *Repo) takePaths(globs []string) (why string) {
	for _, g := range globs {
		if strings.HasPrefix(g, "!") {
			why = "a repository cannot allow a path"
			continue
		}
		r.ExcludePaths = append(r.ExcludePaths, g)
	}
	return why
}

func isOff(v any) bool {
	switch v := v.(type) {
	case bool:
		return !v
	case string:
		return v == "off" || v == "false"
	default:
		return false
	}
}
