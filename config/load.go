package config

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"net"
	"net/url"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/knadh/koanf/parsers/toml/v2"
	"github.com/knadh/koanf/providers/env/v2"
	"github.com/knadh/koanf/providers/rawbytes"
	"github.com/knadh/koanf/v2"

	"keepmum/safefile"
)

// Options say where the settings come from.
type Options struct {
	Home    string         // $MUM_HOME; its config.toml is optional
	Environ []string       // from os.Environ
	Flags   map[string]any // "daemon.port": 0
	text    *[]byte        // replaces the contents of the file; nil = read the file
	planned bool           // text is not in the file yet, so its lines say nothing
}

// Loaded is the result of [Load].
type Loaded struct {
	Config
	Origin map[string]string // key → the layer that set it; keys that are missing have their default
}

// File returns the path of the user's config file.
func File(home string) string { return filepath.Join(home, "config.toml") }

// Load reads all layers. An unknown key, a wrong type or a value out of range is an error that names the layer and the
// key.
func Load(o Options) (Loaded, error) {
	l := Loaded{Config: Default(), Origin: map[string]string{}}
	layers := []struct {
		name string
		load func() (*koanf.Koanf, lines, error)
	}{
		{File(o.Home), func() (*koanf.Koanf, lines, error) { return o.file() }},
		{"environment", func() (*koanf.Koanf, lines, error) { k, err := loadEnv(o.Environ); return k, nil, err }},
		{"flags", func() (*koanf.Koanf, lines, error) { k, err := loadFlags(o.Flags); return k, nil, err }},
	}
	places := map[string]lines{}
	for _, layer := range layers {
		k, where, err := layer.load()
		if err == nil {
			err = l.apply(layer.name, k, where)
		}
		if err != nil {
			return l, fmt.Errorf("config %s: %w", layer.name, err)
		}
		places[layer.name] = where
	}
	if err := l.check(); err != nil {
		key, _, _ := strings.Cut(err.Error(), " ") // if there are several, report the first
		layer := l.Origin[key]
		return l, fmt.Errorf("%s: %s%w", strings.TrimSpace("config "+layer), places[layer].at(key), err)
	}
	return l, nil
}

func (l *Loaded) apply(layer string, k *koanf.Koanf, where lines) error {
	if err := respell(k); err != nil {
		return err
	}
	if err := knownKeys(k, where); err != nil {
		return err
	}
	if err := k.Unmarshal("", &l.Config); err != nil {
		return where.values(err)
	}
	for _, key := range k.Keys() { // an empty section sets nothing
		l.Origin[key] = layer
	}
	return nil
}

func (o Options) file() (*koanf.Koanf, lines, error) {
	if o.text != nil {
		k, where, err := parse(*o.text, nil)
		if o.planned {
			where = nil
		}
		return k, where, err
	}
	return loadFile(File(o.Home))
}

// maxFile limits the size of a config file, which people write by hand.
const maxFile = 256 << 10

func loadFile(path string) (*koanf.Koanf, lines, error) {
	if to, err := filepath.EvalSymlinks(path); err == nil { // some users keep their settings elsewhere
		path = to
	}
	return parse(safefile.ReadOwn(path, maxFile))
}

// parse reads the text of a config file; a missing file sets nothing.
func parse(data []byte, err error) (*koanf.Koanf, lines, error) {
	k := koanf.New(".")
	if errors.Is(err, fs.ErrNotExist) {
		return k, nil, nil
	}
	if err != nil {
		return nil, nil, err
	}
	if err := checkShape(data); err != nil {
		return nil, nil, err
	}
	if err := k.Load(rawbytes.Provider(data), toml.Parser()); err != nil {
		return nil, nil, syntax(err)
	}
	return k, keyLines(data), nil
}

// loadEnv reads only variables with a section (two underscores): MUM_HOME and MUM_HOOK are not settings.
func loadEnv(environ []string) (*koanf.Koanf, error) {
	k, known := koanf.New("."), flatten(Default())
	return k, k.Load(env.Provider(".", env.Opt{
		Prefix:      "MUM_",
		EnvironFunc: func() []string { return environ },
		TransformFunc: func(name, value string) (string, any) {
			section, key, ok := strings.Cut(strings.TrimPrefix(name, "MUM_"), "__")
			if !ok {
				return "", nil
			}
			path := strings.ToLower(section + "." + strings.ReplaceAll(key, "__", "."))
			if _, isList := known[path].([]string); isList {
				return path, strings.Split(value, ",")
			}
			return path, value
		},
	}), nil)
}

func loadFlags(flags map[string]any) (*koanf.Koanf, error) {
	k := koanf.New(".")
	for key, v := range flags {
		if err := k.Set(key, v); err != nil {
			return nil, err
		}
	}
	return k, nil
}

//nolint:gocyclo // a flat table: a line for each setting
func (c Config) check() error {
	switch {
	case !slices.Contains([]string{"safe", "flexible", "strict", "none"}, c.Privacy.Mode):
		return fmt.Errorf("privacy.mode is %q: it must be safe, flexible, strict or none", c.Privacy.Mode)
	case !slices.Contains(sensitivities, c.Privacy.Sensitivity):
		return fmt.Errorf("privacy.sensitivity is %q: it must be low, normal or high", c.Privacy.Sensitivity)
	case !slices.Contains([]string{"auto", "ollama", "heuristic", "openai", "off"}, c.Compress.Provider):
		return fmt.Errorf("compress.provider is %q: it must be auto, ollama, heuristic, openai or off", c.Compress.Provider)
	case !slices.Contains([]string{"debug", "info", "warn", "error"}, c.Daemon.LogLevel):
		return fmt.Errorf("daemon.log_level is %q: it must be debug, info, warn or error", c.Daemon.LogLevel)
	case c.Daemon.Port < 0 || c.Daemon.Port > 65535:
		return fmt.Errorf("daemon.port is %d: it must be 0..65535", c.Daemon.Port)
	case c.Context.BudgetTokens < 0 || c.Context.BudgetTokens > 2000:
		return fmt.Errorf("context.budget_tokens is %d: it must be 0..2000", c.Context.BudgetTokens)
	case c.Privacy.MaxField < 1<<10:
		return fmt.Errorf("privacy.max_field is %d: it must be at least 1KiB", c.Privacy.MaxField)
	case !slices.Contains([]string{"project_fallback_global", "project_only", "global_only"}, c.Memory.Scope):
		return fmt.Errorf("memory.scope is %q: it must be project_fallback_global, project_only or global_only",
			c.Memory.Scope)
	case c.Memory.Decay.PeriodDays < 1 || c.Memory.Decay.GraceDays < 0:
		return errors.New("memory.decay.decay_period_days must be at least 1 and memory.decay.grace_period_days at least 0")
	case c.Runs.OTLP != "" && !isHTTP(c.Runs.OTLP):
		return errors.New("runs.otlp must be an http or https address like http://127.0.0.1:4318/v1/traces")
	case c.Runs.KeepDays < 0 || c.Runs.Most < 0:
		return errors.New("runs.keep_days and runs.most must not be negative")
	case c.Memory.MaxActive < 10 || c.Memory.MaxActive > 100_000:
		return errors.New("memory.max_active must be 10..100000")
	case !isShare(c.Memory.Decay.ConfidenceFloor) || !isShare(c.Memory.Decay.ArchiveThreshold):
		return errors.New("memory.decay.confidence_floor and memory.decay.archive_threshold must be 0..1")
	case time.Duration(c.Sync.Interval) < time.Minute || time.Duration(c.Maintain.Interval) < time.Minute:
		return errors.New("sync.interval and maintain.interval must be at least 1m")
	case c.Sync.MaxSessions < 1 || c.Sync.MaxWindowTokens < 1000 || c.Sync.OverlapTokens < 0 ||
		c.Sync.OverlapTokens >= c.Sync.MaxWindowTokens/2:
		return errors.New("sync.max_sessions must be at least 1, sync.max_window_tokens at least 1000, sync.overlap_tokens " +
			"less than half of it")
	case !isWindow(c.Sync.Window):
		return fmt.Errorf("sync.window is %q: it must be all, or a number with s, m, h or d, as in 7d", c.Sync.Window)
	case c.Store.Backups < 1 || c.Store.RawDays < 0:
		return errors.New("store.backups must be at least 1 and store.raw_days at least 0")
	}
	return errors.Join(c.Roles.check(), patternLimits(c.Privacy.Patterns, maxOwnPatterns),
		globLimits(c.Privacy.ExcludePaths))
}

func isHTTP(address string) bool {
	u, err := url.Parse(address)
	return err == nil && u.Host != "" && u.User == nil && (u.Scheme == "http" || u.Scheme == "https")
}

// check rejects a role with a provider that cannot do its task.
func (r Roles) check() error {
	for _, name := range slices.Sorted(maps.Keys(r.All())) {
		role, allowed := r.All()[name], Choices("roles."+name+".provider")
		switch {
		case !slices.Contains(allowed, role.Provider):
			return fmt.Errorf("roles.%s.provider is %q: it must be %s, or empty", name, role.Provider,
				strings.Join(allowed[1:], ", "))
		case !slices.Contains(Choices("roles."+name+".fallback"), role.Fallback):
			return fmt.Errorf("roles.%s.fallback is %q: it must be compress, or empty", name, role.Fallback)
		case role.DailyCalls < -1 || role.DailyTokens < -1 || role.PriceIn < 0 || role.PriceOut < 0 || role.Timeout < 0:
			return fmt.Errorf("roles.%s: limits must be at least -1, and prices and the timeout not negative", name)
		}
	}
	return nil
}

// CheckHost rejects an address that other machines can reach, unless it is explicitly allowed. [Load] does not call it,
// because a hook must keep its event whatever the address is.
func (c Daemon) CheckHost() error {
	ip := net.ParseIP(c.Host)
	if ip == nil {
		return fmt.Errorf("daemon.host is %q: it must be an IP address, as 127.0.0.1 or ::1", c.Host)
	}
	if !ip.IsLoopback() && !c.AllowNonLoopback {
		return fmt.Errorf("daemon.host %s can be reached from other machines; if that is meant, set "+
			"daemon.allow_non_loopback = true", c.Host)
	}
	return nil
}

func isShare(f float64) bool { return f >= 0 && f <= 1 }

// isWindow reports whether s is "all" or a number with a unit.
func isWindow(s string) bool {
	digits := strings.TrimRight(s, "smhd")
	n, err := strconv.Atoi(digits)
	return s == "all" || err == nil && n > 0 && len(s) == len(digits)+1
}

// Keys returns every key with its effective value, sorted, for `mum config show`.
func (l Loaded) Keys() []KeyValue {
	flat := flatten(l.Config)
	out := make([]KeyValue, 0, len(flat))
	for _, key := range slices.Sorted(maps.Keys(flat)) {
		origin := l.Origin[key]
		if origin == "" {
			origin = "default"
		}
		out = append(out, KeyValue{key, flat[key], origin})
	}
	return out
}

// KeyValue is the effective value of one setting.
type KeyValue struct {
	Key    string `json:"key"`
	Value  any    `json:"value"`
	Origin string `json:"origin"`
}
