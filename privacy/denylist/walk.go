package denylist

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"keepmum/lazyregexp"
	"keepmum/privacy/wordlist"
)

// keyUse is what the denylist does with the value of an object key.
type keyUse int

const (
	anyKey     keyUse = iota
	pathKey           // a file
	commandKey        // a command line, or code
	contentKey        // text that is not a path even if it looks like one
	typedKey          // what is typed into a terminal
)

const (
	commandKeys = " command cmd script commands commandline shellcommand shell bash exec argv args arguments code" +
		" expression run program statement python javascript "
	contentKeys = " content contents oldstring newstring oldtext newtext oldstr newstr text body description prompt" +
		" query regex message title insert replacement value data todo todos summary thought stdout stderr insertline" +
		" filetext codeedit instructions question explanation patch diff "
)

// pathKeys matches the last word of a key, and keys that are one word.
var pathKeys = lazyregexp.New(`(?:path|paths|file|files|filename|filenames|uri|directory|glob)$` +
	`|^(?:globs|patterns?|uris|dir|cwd|root|src|dst|source|target|dest|destination|includes?|includepattern|workdir` +
	`|includeglobs)$`)

// useOf judges a key by its name, ignoring case and separators, so that unknown agents are understood too.
func useOf(key string) keyUse {
	switch key = plainKey(key); {
	case wordlist.In(key, commandKeys):
		return commandKey
	case wordlist.In(key, contentKeys):
		return contentKey
	case pathKeys.MatchString(key):
		return pathKey
	}
	return anyKey
}

var separators = strings.NewReplacer("_", "", "-", "", " ", "")

// plainKey returns a key in lower case, without what separates its words.
func plainKey(key string) string { return separators.Replace(strings.ToLower(key)) }

// input checks a tool's input.
func (i *Inspection) input(v any, key string, depth int) {
	if depth > MaxDepth || !i.spend() {
		return
	}
	switch v := v.(type) {
	case string:
		i.inputString(v, key, depth)
	case []any:
		if words, ok := Words(v); ok && useOf(key) == commandKey {
			i.argv(words)
			return
		}
		for _, e := range v {
			i.input(e, key, depth+1)
		}
	case map[string]any:
		for _, k := range slices.Sorted(maps.Keys(v)) {
			if strings.ContainsAny(k, "./\\") && len(k) < 1024 { // {"files": {".env": "…"}}
				i.path(k)
			}
			i.member(k, v[k])
			i.input(v[k], k, depth+1)
		}
	}
}

// Words returns a decoded list as strings, if it contains nothing else.
func Words(list []any) ([]string, bool) {
	out := make([]string, len(list))
	for n, e := range list {
		s, ok := e.(string)
		if !ok {
			return nil, false
		}
		out[n] = s
	}
	return out, len(out) > 0
}

func (i *Inspection) inputString(text, key string, depth int) {
	if text == Excluded { // the event already passed a gate
		if !i.event.Stored {
			i.deny("path")
		}
		return
	}
	i.patched(text)
	if v, ok := EmbeddedJSON(text); ok && depth < 8 {
		i.input(v, key, depth+1)
	}
	switch i.useOfText(text, key) {
	case typedKey:
		i.typed = true
		i.shell(text)
	case commandKey:
		i.shell(text)
	case pathKey:
		for word := range strings.FieldsFuncSeq(text, func(r rune) bool { return strings.ContainsRune(",;\n", r) }) {
			i.path(word)
		}
	case anyKey:
		if len(text) > 1024 || strings.ContainsAny(text, " \t\n\r") {
			return
		}
		if _, url := cutPrefixFold(text, "file:"); url || i.file(text, i.event.Dir) {
			i.path(text)
		}
	}
}

// useOfText is [useOf] for a string.
func (i *Inspection) useOfText(text, key string) keyUse {
	tool, use := strings.ToLower(i.event.Tool), useOf(key)
	switch {
	case key != "" && strings.ToLower(key) != "input":
	case commandTool.MatchString(tool):
		use = commandKey
	default:
		use = anyKey
	}
	switch {
	case types(tool, key):
		return typedKey
	case use == commandKey && strings.Contains(tool, "patch") && strings.HasPrefix(text, "*** Begin Patch"):
		return contentKey // Codex calls a patch a command; the patch headers name the changed files
	case key == "pattern" && searchTool(tool): // a regular expression
		return contentKey
	}
	return use
}

// commandTool matches the names of tools, in lower case, whose input is a command even if it is a bare string.
var commandTool = lazyregexp.New(`bash|shell|exec|terminal|command|run|python|repl|cmd`)

const maxEmbedded = 1 << 20 // bytes of JSON in a string that are decoded

// EmbeddedJSON decodes a JSON object or list in a string.
func EmbeddedJSON(text string) (any, bool) {
	text = strings.TrimSpace(text)
	if len(text) < 2 || len(text) > maxEmbedded || text[0] != '{' && text[0] != '[' {
		return nil, false
	}
	dec := json.NewDecoder(strings.NewReader(text))
	dec.UseNumber()
	var v any
	return v, dec.Decode(&v) == nil
}

// patched denies an event that patches a denied file.
func (i *Inspection) patched(text string) {
	if !strings.Contains(text, "*** ") && !strings.Contains(text, "+++ ") && !strings.Contains(text, "diff --git ") {
		return
	}
	seen := map[string]bool{}
	for line := range strings.Lines(text) {
		if m := patchHeader.FindStringSubmatch(line); m != nil && !seen[m[1]] && len(m[1]) < 1024 {
			seen[m[1]] = true
			i.path(m[1])
		}
	}
}

// patchHeader matches a line of a patch that names a file.
var patchHeader = lazyregexp.New(`^(?:\*\*\* (?:(?:Add|Update|Delete) File|Move to): |diff --git |\+\+\+ |--- )[ "]*` +
	`(?:[abiw]/)?([^\t\r\n]+?)[ "]*(?: b/.*|\t.*)?[\r\n]*$`)

// response checks the paths that a tool's answer names. Only a path for the whole answer denies the event; for those of
// list elements the caller asks [Inspection.DeniedElement] and drops the element.
func (i *Inspection) response(v any, depth int) {
	m, ok := v.(map[string]any)
	if !ok || depth > 3 {
		return
	}
	for _, k := range slices.Sorted(maps.Keys(m)) {
		switch e := m[k].(type) {
		case string:
			if IsAnswerPath(k) && len(e) < 4096 {
				i.path(e)
			}
		case map[string]any:
			i.response(e, depth+1)
		}
	}
}

// IsAnswerPath reports whether a key of an answer names the file it is about.
func IsAnswerPath(key string) bool {
	return wordlist.In(plainKey(key),
		" filepath path filename uri notebookpath absolutepath relativepath targetfile file ")
}

// DeniedElement reports whether an object of a list is about a denied file.
func (i *Inspection) DeniedElement(m map[string]any) bool {
	for k, e := range m {
		if name, ok := e.(string); ok && IsAnswerPath(k) && len(name) < 1024 && i.file(name, i.event.Dir) {
			return true
		}
		if inner, ok := e.(map[string]any); ok && k == "resource" && i.DeniedElement(inner) {
			return true
		}
	}
	return false
}

// MaxDepth is how deep a value may nest; nobody reads what is deeper, and such a value is an attack on the code that
// walks it.
const MaxDepth = 500
