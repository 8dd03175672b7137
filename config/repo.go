package config

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/knadh/koanf/v2"

	"keepmum/safefile"
)

// Repo is what a repository's own .mum/config.toml asks for. A cloned repository is text from someone else, so it may
// only tighten the rules.
type Repo struct {
	Paused       bool
	MayPause     bool // the file is broken, and may be meant to switch capture off
	Strict       bool
	Sensitivity  string // "" = the user's setting
	NoContext    bool
	NoGit        bool
	ExcludePaths []string
	Patterns     []Pattern
	Refused      []string // keys that would have loosened a rule, with the reason
}

// RepoFile returns the path of a repository's own config file.
func RepoFile(root string) string { return filepath.Join(root, ".mum", "config.toml") }

// RepoStamp reports whether a repository has a config file, and when it was changed. A file that cannot be checked
// counts as present, because it is unknown what it asks for.
func RepoStamp(root string) (modified time.Time, there bool) {
	switch _, err := os.Lstat(filepath.Join(root, ".mum")); {
	case errors.Is(err, fs.ErrNotExist): // as in nearly every directory
		return time.Time{}, false
	case errors.Is(err, syscall.ENOTDIR): // some agents name a file as their directory
		return time.Time{}, false
	}
	info, err := os.Stat(RepoFile(root))
	if err == nil {
		return info.ModTime(), true
	}
	return time.Time{}, !errors.Is(err, fs.ErrNotExist) || leadsNowhere(RepoFile(root)) != nil
}

// leadsNowhere returns an error for a file that is a dangling link, or is in a directory that is one.
func leadsNowhere(file string) error {
	for _, at := range []string{filepath.Dir(file), file} {
		if info, err := os.Lstat(at); err != nil || info.Mode()&fs.ModeSymlink == 0 {
			continue
		}
		if _, err := os.Stat(at); err != nil {
			return fmt.Errorf("%s is a link that leads nowhere", at)
		}
	}
	return nil
}

// And combines the requests of both.
func (r Repo) And(o Repo) Repo {
	return Repo{Paused: r.Paused || o.Paused, MayPause: r.MayPause || o.MayPause, Strict: r.Strict || o.Strict,
		NoContext: r.NoContext || o.NoContext, NoGit: r.NoGit || o.NoGit, Sensitivity: Higher(r.Sensitivity, o.Sensitivity),
		ExcludePaths: slices.Concat(r.ExcludePaths, o.ExcludePaths),
		Patterns:     slices.Concat(r.Patterns, o.Patterns),
		Refused:      slices.Concat(r.Refused, o.Refused)}
}

// LoadRepo reads the config file of the repository at root; a missing file gives an empty Repo. Of a broken file only
// MayPause is known.
func LoadRepo(root string) (Repo, error) {
	if err := leadsNowhere(RepoFile(root)); err != nil {
		return Repo{MayPause: true}, fmt.Errorf("config %w", err)
	}
	data, err := safefile.ReadBelow(root, filepath.Join(".mum", "config.toml"), maxFile)
	k, _, err := parse(data, err)
	if err != nil {
		return Repo{MayPause: mayPause(data)}, fmt.Errorf("config %s: %w", RepoFile(root), err)
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

// mayPause reports whether a text that is no TOML may be meant to switch capture off, as `capture = off` is. A text
// that could not be read may be anything.
func mayPause(text []byte) bool {
	said := strings.ToLower(strings.ReplaceAll(string(text), "\x00", "")) // UTF-16 has a NUL in each letter
	return len(text) == 0 || slices.ContainsFunc([]string{"capture", "enabled", "off", "false"},
		func(word string) bool { return strings.Contains(said, word) })
}

// take applies one key, or returns why it cannot: because it would not tighten the rules.
func (r *Repo) take(k *koanf.Koanf, key string) (why string) {
	switch key {
	case "capture", "capture.enabled":
		return takeSwitch(k.Get(key), "capture", &r.Paused)
	case "capture.git":
		return takeSwitch(k.Get(key), key, &r.NoGit)
	case "context", "context.enabled":
		return takeSwitch(k.Get(key), "context", &r.NoContext)
	case "privacy.mode":
		return r.takeMode(k.String(key))
	case "privacy.sensitivity":
		return r.takeSensitivity(k.String(key))
	case "privacy.exclude_paths":
		return r.takePaths(k.Get(key))
	case "privacy.patterns":
		return r.takePatterns(k, key)
	}
	if _, known := defaults()[key]; known {
		return "not a setting that a repository may have"
	}
	r.Paused = true // it is unknown what it should protect
	return "there is no such setting, so nothing is captured here" + meant(key)
}

func (r *Repo) takePatterns(k *koanf.Koanf, key string) (why string) {
	if err := k.Unmarshal(key, &r.Patterns); err != nil {
		r.Paused = true
		return "not a list of {name, regex, keywords}, so nothing is captured here"
	}
	if err := patternLimits(r.Patterns, maxPatterns); err != nil {
		r.Paused, r.Patterns = true, nil
		return err.Error() + ", so nothing is captured here"
	}
	return ""
}

// takeSwitch switches something off. A value that is neither on nor off was meant to change something, so it counts as
// off.
func takeSwitch(v any, what string, off *bool) (why string) {
	if on, ok := isOn(v); !ok {
		*off = true
		return fmt.Sprintf("neither on nor off, so %s is off here", what)
	} else if on {
		return "a repository can only switch " + what + " off"
	}
	*off = true
	return ""
}

func (r *Repo) takeMode(mode string) (why string) {
	switch mode {
	case "strict":
		r.Strict = true
		return ""
	case "safe", "flexible", "none":
		return "a repository can only ask for strict"
	}
	r.Strict = true
	return "no such mode, so it is strict here"
}

// sensitivities of the learned judge, lowest first.
var sensitivities = []string{"low", "normal", "high"}

// Higher returns the sensitivity that redacts more; "" means none.
func Higher(a, b string) string {
	if slices.Index(sensitivities, a) < slices.Index(sensitivities, b) {
		return b
	}
	return a
}

func (r *Repo) takeSensitivity(wanted string) (why string) {
	switch {
	case wanted == sensitivities[0]:
		return "a repository can only raise it"
	case !slices.Contains(sensitivities, wanted):
		r.Sensitivity = "high"
		return "no such sensitivity, so it is high here"
	}
	r.Sensitivity = Higher(r.Sensitivity, wanted)
	return ""
}

// meant returns the setting that a misspelt one probably means.
func meant(key string) string {
	mine := map[string]any{}
	for _, k := range []string{"capture", "capture.enabled", "capture.git", "context.enabled", "privacy.mode",
		"privacy.sensitivity", "privacy.exclude_paths", "privacy.patterns"} {
		mine[k] = nil
	}
	if near := nearest(key, mine); near != "" {
		return fmt.Sprintf(": did you mean %q?", near)
	}
	return ""
}

func (r *Repo) takePaths(v any) (why string) {
	globs, ok := pathList(v)
	if !ok {
		r.Paused = true // it is unknown what it should protect
		return "not a list of paths, so nothing is captured here"
	}
	if err := globLimits(globs); err != nil {
		r.Paused = true
		return err.Error() + ", so nothing is captured here"
	}
	for _, g := range globs {
		if strings.HasPrefix(g, "!") {
			why = "a repository cannot allow a path"
			continue
		}
		r.ExcludePaths = append(r.ExcludePaths, g)
	}
	return why
}

// pathList returns a path, or a list of them.
func pathList(v any) (paths []string, ok bool) {
	if one, ok := v.(string); ok {
		return []string{one}, true
	}
	list, ok := v.([]any)
	for _, each := range list {
		path, isText := each.(string)
		if !isText {
			return nil, false
		}
		paths = append(paths, path)
	}
	return paths, ok
}

func isOn(v any) (on, ok bool) {
	switch v {
	case true, "on", "true":
		return true, true
	case false, "off", "false":
		return false, true
	}
	return false, false
}

// Ignored is a config file that is not used, and why.
type Ignored struct {
	File string
	Why  string
	Fix  string // command to run if the file should be used
}

// Around returns the directories whose config files apply to root: root itself and the directories around it inside the
// user's home. Anybody can put a file into a directory such as /tmp above a repository. So a config file that another
// user owns or may write is ignored, and so is one outside both root and home.
func Around(root, userHome string) (counts []string, ignored []Ignored) {
	for at := root; filepath.IsAbs(at); at = filepath.Dir(at) {
		if _, there := RepoStamp(at); there {
			file := RepoFile(at)
			switch err := owned(at); {
			case at != root && !inside(at, userHome):
				ignored = append(ignored,
					Ignored{file, "it is above the repository and outside your home directory",
						"mum config check   (in " + at + ", if that is the repository)"})
			case err != nil:
				ignored = append(ignored,
					Ignored{file, err.Error(),
						"if it is yours: sudo chown -R $USER '" + filepath.Dir(file) + "' && chmod -R go-w '" + filepath.Dir(file) + "'"})
			default:
				counts = append(counts, at)
			}
		}
		if at == filepath.Dir(at) {
			break
		}
	}
	return counts, ignored
}

func inside(dir, home string) bool {
	if home == "" {
		return false
	}
	if real, err := filepath.EvalSymlinks(home); err == nil {
		home = real
	}
	rel, err := filepath.Rel(home, dir)
	return err == nil && filepath.IsLocal(rel)
}

// owned returns an error for a config that another user owns or may write. If the file cannot be checked, owned accepts
// it: reading it will fail later.
//
// What a link leads to outside the repository does not matter: such a config is refused, not ignored.
func owned(root string) error {
	for _, at := range []string{filepath.Dir(RepoFile(root)), RepoFile(root)} {
		info, err := os.Lstat(at)
		if err != nil {
			continue
		}
		if target, err := os.Stat(at); err == nil && within(root, at) {
			info = target
		}
		if err := safefile.Owned(info); err != nil {
			return fmt.Errorf("%s: %w", at, err)
		}
	}
	return nil
}

// within reports whether a path leads to a place inside a directory.
func within(root, path string) bool {
	real, err := filepath.EvalSymlinks(path)
	return err == nil && inside(real, root)
}
