package privacy

import (
	"crypto/rand"
	"os"
	"regexp"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// settle decides on the denied files that commands were handed: the output is
// kept where all that it could show of them can be taken out.
func (i *inspection) settle(s *shell) {
	for _, u := range i.handed {
		i.verdict.written = i.verdict.written || u.handed == asWritten
		loud := u.handed == asEnvironment && (s.loud || s.traced || i.verdict.output != keepOutput)
		if i.verdict.denied == "" && u.handed != asKey && (loud || !i.raw.Stored && !i.takeValues(u)) {
			i.deny(plainlyNamed(u.name))
		}
	}
}

// takeValues reads a handed file, wherever the script may have found it. It
// reports whether all of its values are known now.
func (i *inspection) takeValues(u fileUse) bool {
	if !i.d.reads || strings.ContainsAny(u.name, "*?[{"+unknownPart) || len(u.dirs) >= 8 {
		return false
	}
	found := false
	for _, dir := range u.dirs {
		full := joinPath(dir, plainName(u.name), i.d.home)
		if !onThisMachine(full) {
			return false
		}
		var text string
		var exists, whole bool
		if !i.d.fs.try(func() {
			info, err := os.Stat(full)
			if exists = err == nil; exists {
				whole = info.Mode().IsRegular() && info.Size() <= maxVaultFile
				text = readBounded(full)
			}
		}) {
			return false
		}
		if !exists {
			continue
		}
		values, all := settingsOf(text)
		if !whole || !all {
			return false
		}
		found = true
		i.taken = append(i.taken, values...)
		i.learned = append(i.learned, harvest(text)...)
	}
	return found
}

var (
	computed  = regexp.MustCompile("\\$\\(|`|(?m:^\\s*(?:source|\\.)\\s)")
	anyString = regexp.MustCompile(`"((?:[^"\\]|\\.)*)"|'([^']*)'`)
)

// settingsOf returns the values of a file of settings: those of every name, as
// they are written and as a shell understands them. It fails when there is one
// that would not be found in a text.
func settingsOf(text string) (values []string, all bool) {
	if computed.MatchString(text) || strings.ContainsRune(text, 0) {
		return nil, false
	}
	values = harvest(text)
	for line := range strings.Lines(text) {
		more, ok := lineValues(strings.TrimSpace(line))
		if !ok {
			return nil, false
		}
		values = append(values, more...)
	}
	for _, m := range anyString.FindAllStringSubmatch(text, maxHarvest) {
		values = append(values, m[1]+m[2])
	}
	values = append(values, shellValues(text)...)
	return slices.DeleteFunc(values, commonSetting), true
}

// lineValues returns the values of a line of settings.
func lineValues(line string) (values []string, all bool) {
	if line == "" || strings.HasPrefix(line, "#") || strings.HasPrefix(line, "[") {
		return nil, true
	}
	at := strings.IndexAny(line, "=:")
	if at < 0 {
		return lineWords(line)
	}
	name, value := nameBefore(line[:at]), strings.TrimSpace(line[at+1:])
	if bare, _, ok := strings.Cut(value, " #"); ok {
		value = strings.TrimSpace(bare)
	}
	if value == "" {
		return nil, true
	}
	if strings.IndexByte("\"'{[", value[0]) < 0 && strings.ContainsAny(value, " \t") {
		return nil, false // a shell takes the rest for a command, and says that there is none
	}
	plain := strings.Trim(value, `"',;`)
	return []string{line, value, plain}, findable(name, plain)
}

// lineWords reads what is no setting: a line of .netrc, or one of a longer value.
func lineWords(line string) (values []string, all bool) {
	words := strings.Fields(line)
	for n, w := range words[1:] {
		if lower(words[n]) == "password" && !findable("password", w) {
			return nil, false
		}
	}
	return append(words, line), true
}

// findable reports whether a value, if it is a secret by its name, is long
// enough to be found in a text.
func findable(name, v string) bool {
	return len(v) >= minSecret || v == "" || !secretName(name) || in(lower(v), " test root admin demo dev app db none null true false yes no user guest ")
}

// commonSetting reports whether a value is the same in every project.
func commonSetting(v string) bool {
	switch {
	case len(v) < minSecret, commonWords[lower(v)], strings.HasPrefix(v, "$"):
		return true
	case strings.HasPrefix(v, "http://localhost"), strings.HasPrefix(v, "/") && isPlainName(strings.ReplaceAll(v, "/", "")):
		return true
	}
	return false
}

// shellValues returns the values that a shell gives to the names in a text.
func shellValues(text string) (out []string) {
	file, ok := parseShell(text)
	if !ok {
		return nil
	}
	s := &shell{vars: map[string][]string{}, dirs: []string{""}}
	s.stmts(file.Stmts, place{})
	for _, values := range s.vars {
		for _, v := range values {
			if !strings.Contains(v, unknownPart) {
				out = append(out, v)
			}
		}
	}
	return out
}

// withoutValues takes the values of handed files out of a text.
func (w *withholding) withoutValues(text string) string {
	if len(w.taken) == 0 || len(text) < minSecret {
		return text
	}
	if w.known == nil {
		key := make([]byte, 32)
		rand.Read(key)
		w.known = newValueSet(key, 0x9e3779b97f4a7c15)
		for _, v := range w.taken {
			addForms(w.known, v)
		}
	}
	places, err := w.known.find(text)
	if err != nil || w.known.count >= maxValues {
		return w.drop(text, excludedOutput)
	}
	var out strings.Builder
	from := 0
	for _, p := range places {
		if p[1] <= from {
			continue
		}
		out.WriteString(text[from:max(from, p[0])])
		out.WriteString(excludedOutput)
		from = p[1]
		w.findings = append(w.findings, Finding{Rule: ruleExcluded, Field: w.field, Bytes: p[1] - p[0]})
	}
	out.WriteString(text[from:])
	return out.String()
}

// expandsVariable reports whether a command's word holds a variable that a
// file of settings may have set.
func expandsVariable(p *syntax.ParamExp) bool {
	if p.Param == nil {
		return true
	}
	return !strings.Contains("0123456789?$!#@*-_", p.Param.Value) && !in(p.Param.Value, " HOME PWD OLDPWD PATH USER SHELL TMPDIR ")
}
