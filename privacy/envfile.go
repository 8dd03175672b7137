package privacy

import (
	"slices"
	"strings"

	"keepmum/lazyregexp"
	"keepmum/privacy/known"
	"keepmum/privacy/scan"
	"keepmum/privacy/shell"
	"keepmum/privacy/value"
)

var (
	// computed matches what only a shell could evaluate: a command whose output is a value, another file.
	computed  = lazyregexp.New("\\$\\(|`|(?m:^\\s*(?:source|\\.)\\s)")
	anyString = lazyregexp.New(`"((?:[^"\\]|\\.)*)"|'([^']*)'`)
)

// valuesOf returns the values of a file that was passed to a program, and those of them that are secrets wherever they
// appear.
func valuesOf(text string) (values, secrets []string, all bool) {
	if values, all = settingsOf(text); !all {
		return nil, nil, false
	}
	return values, known.Harvest(text), true
}

// settingsOf returns the values of a settings file: of every name, as written and as a shell reads them. It fails if
// one of them could not be found in a text.
func settingsOf(text string) (values []string, all bool) {
	if computed.MatchString(text) || strings.ContainsRune(text, 0) {
		return nil, false
	}
	values = known.Harvest(text)
	for line := range strings.Lines(text) {
		more, ok := lineValues(strings.TrimSpace(line))
		if !ok {
			return nil, false
		}
		values = append(values, more...)
	}
	for _, m := range anyString.FindAllStringSubmatch(text, scan.MaxHarvest) {
		values = append(values, m[1]+m[2])
	}
	values = append(values, shell.Assigned(text)...)
	return slices.DeleteFunc(values, commonSetting), true
}

// lineValues returns the values in a line of settings.
func lineValues(line string) (values []string, all bool) {
	if line == "" || strings.HasPrefix(line, "#") || strings.HasPrefix(line, "[") {
		return nil, true
	}
	at := strings.IndexAny(line, "=:")
	if at < 0 {
		return lineWords(line)
	}
	name, value := known.NameBefore(line[:at]), strings.TrimSpace(line[at+1:])
	if bare, _, ok := strings.Cut(value, " #"); ok {
		value = strings.TrimSpace(bare)
	}
	if value == "" {
		return nil, true
	}
	if strings.IndexByte("\"'{[", value[0]) < 0 && strings.ContainsAny(value, " \t") {
		return nil, false // a shell takes the rest as a command, and names it in an error
	}
	plain := strings.Trim(value, `"',;`)
	return []string{line, value, plain}, findable(name, plain)
}

// lineWords reads a line that is not a setting: a line of .netrc, or part of a longer value.
func lineWords(line string) (values []string, all bool) {
	words := strings.Fields(line)
	for n, w := range words[1:] {
		if strings.ToLower(words[n]) == "password" && !findable("password", w) {
			return nil, false
		}
	}
	return append(words, line), true
}

// findable reports whether a value that its name makes a secret is long enough to be found in a text.
func findable(name, v string) bool {
	return len(v) >= scan.MinSecret || v == "" || !known.SecretName(name) ||
		value.InList(strings.ToLower(v), " test root admin demo dev app db none null true false yes no user guest ")
}

// commonSetting reports whether a value is common to most projects.
func commonSetting(v string) bool {
	switch {
	case len(v) < scan.MinSecret, known.CommonWord(strings.ToLower(v)), strings.HasPrefix(v, "$"):
		return true
	case strings.HasPrefix(v, "http://localhost"), strings.HasPrefix(v, "/") &&
		known.IsPlainName(strings.ReplaceAll(v, "/", "")):
		return true
	}
	return false
}

// withoutValues redacts the values of passed files in a text.
func (w *withholding) withoutValues(text string) string {
	if len(w.Taken) == 0 || len(text) < scan.MinSecret {
		return text
	}
	if w.known == nil {
		w.known = known.NewRandomSet()
		for _, v := range w.Taken {
			known.AddForms(w.known, v)
		}
	}
	places, err := w.known.Find(text)
	if err != nil || w.known.Count >= scan.MaxValues {
		return w.drop(text, known.ExcludedOutput)
	}
	var out strings.Builder
	from := 0
	for _, p := range places {
		if p[1] <= from {
			continue
		}
		out.WriteString(text[from:max(from, p[0])])
		out.WriteString(known.ExcludedOutput)
		from = p[1]
		w.findings = append(w.findings, Finding{Rule: known.RuleExcluded, Field: w.field, Bytes: p[1] - p[0]})
	}
	out.WriteString(text[from:])
	return out.String()
}
