package privacy

import (
	"maps"
	"slices"
	"strings"

	"keepmum/lazyregexp"
	"keepmum/privacy/denylist"
	"keepmum/privacy/known"
	"keepmum/privacy/scan"
	"keepmum/privacy/shell"
)

// withholding is an event without what the denylist and its command's nature withhold, and what was learned from it.
type withholding struct {
	*denylist.Inspection
	tool     string
	field    string
	findings []Finding
	known    *known.ValueSet // values of the files that the command was given
	secrets  []string        // values in what was withheld, to be redacted wherever they appear
}

// withhold drops the content of denied files and of commands that print secrets. It does not change the raw event.
func withhold(d *denylist.List, r Raw) (Raw, *withholding) {
	w := &withholding{tool: r.Tool, Inspection: d.Inspect(denylist.Event{
		Session: r.Session, Dir: r.Dir, Stored: r.Stored, Links: r.Links, Tool: r.Tool, Input: r.Input,
		Output: r.Output})}
	w.secrets = append(w.secrets, w.Learned...)
	denied := w.Verdict.Denied != ""
	r.Input = w.walk(r.Input, "input", "", denied || w.Verdict.Written, w.withoutShown, 0)
	r.Output = w.walk(r.Output, "output", "", denied, w.outputText, 0)
	fields := make(map[string]string, len(r.Fields))
	for _, name := range slices.Sorted(maps.Keys(r.Fields)) {
		w.field = name
		fields[name] = w.fieldText(name, r.Fields[name])
	}
	r.Fields = fields
	return r, w
}

// walk copies a decoded value and applies change to its strings.
func (w *withholding) walk(v any, field, key string, denied bool, change func(text string) string, depth int) any {
	if depth > denylist.MaxDepth {
		return scan.Withheld("depth")
	}
	w.field = field
	switch v := v.(type) {
	case string:
		if denied && !(denylist.IsAnswerPath(key) && len(v) < 4096 && !strings.Contains(v, "\n")) {
			return w.drop(v, denylist.Excluded)
		}
		return change(v)
	case []any:
		out := make([]any, len(v))
		for n, e := range v {
			element, isObject := e.(map[string]any)
			out[n] = w.walk(e, field, key, denied || isObject && w.DeniedElement(element), change, depth+1)
		}
		return out
	case map[string]any:
		return w.object(v, field, denied, change, depth)
	case nil, bool:
		return v
	}
	if denied && !isSize(key) {
		return denylist.Excluded
	}
	return v
}

// object keeps a key of a denied object only if it looks like one from a schema: a parsed credentials file has its
// secrets in its keys.
func (w *withholding) object(
	m map[string]any, field string, denied bool, change func(text string) string, depth int,
) any {
	out := make(map[string]any, len(m))
	for _, k := range slices.Sorted(maps.Keys(m)) {
		name := k
		if denied && !schemaKey.MatchString(k) && !strings.ContainsAny(k, "./") {
			name = denylist.Excluded
		}
		out[name] = w.walk(m[k], joinField(field, k), k, denied, change, depth+1)
	}
	return out
}

// schemaKey matches the member names that agents' tools use.
var schemaKey = lazyregexp.New(`^[a-z][A-Za-z]{0,24}(?:_[a-z]{1,16}){0,3}$`)

// joinField adds a member's name to a field path for findings. It omits a key that does not look like one from a
// schema, because the key itself may be a secret and findings are stored.
func joinField(field, key string) string {
	if !schemaKey.MatchString(key) {
		key = "*"
	}
	if len(field)+len(key) > 199 {
		return field
	}
	return field + "." + key
}

func isSize(key string) bool {
	switch strings.ToLower(key) {
	case "offset", "limit", "timeout", "numlines", "startline", "totallines", "size", "bytes", "lines", "exit", "exitcode",
		"exit_code", "duration", "duration_ms", "durationms", "count":
		return true
	}
	return false
}

// drop replaces a text and learns the secrets in it.
func (w *withholding) drop(text, mark string) string {
	if text == "" || text == mark {
		return text
	}
	w.secrets = append(w.secrets, known.Harvest(text)...)
	w.findings = append(w.findings, Finding{Rule: known.RuleExcluded, Field: w.field, Bytes: len(text)})
	return mark
}

// outputText applies the policy of the command, and removes the lines and hunks of denied files.
func (w *withholding) outputText(text string) string {
	switch w.Verdict.Output {
	case shell.DropOutput:
		return w.drop(text, known.ExcludedOutput)
	case shell.DropValues:
		return w.namesOnly(text)
	case shell.DropFields:
		if bare(text) {
			return w.drop(text, known.ExcludedOutput)
		}
	}
	if tellsOthers(w.tool) {
		text = w.withoutSettings(text)
	}
	text = w.withoutShown(text)
	return w.withoutValues(w.withoutFiles(text))
}

// withoutFiles removes the parts that come from denied files in a text of many files.
func (w *withholding) withoutFiles(text string) string {
	parts := known.AsSpans(w.Passages(text), known.RuleExcluded)
	if len(parts) == 0 {
		return text
	}
	return scan.Replace(text, parts, func(s scan.Span) string {
		tail := ""
		if strings.HasSuffix(text[s.Start:s.End], "\n") {
			tail = "\n"
		}
		return w.drop(text[s.Start:s.End], denylist.Excluded) + tail
	})
}

// fieldText handles the strings other than input and output.
func (w *withholding) fieldText(name, text string) string {
	switch name {
	case "error", "message", "title":
		if w.Verdict.Denied != "" || w.Verdict.Written && name == "title" {
			return w.drop(text, denylist.Excluded)
		}
		return w.outputText(text)
	case "text", "prompt":
		if w.Verdict.Denied != "" {
			return w.drop(text, denylist.Excluded)
		}
		return w.mentions(w.withoutSettings(w.withoutFiles(text)))
	}
	return text
}

var (
	mention  = lazyregexp.New(`(?:^|[\s(\["'` + "`" + `>,])@(?:"([^"\n]{1,512})"|([^\s"'<>` + "`" + `,)]{1,512}))`)
	attached = lazyregexp.New(`(?i)<(?:file|document|attachment|source|file_content|file_contents)\b[^>\n]{0,256}?(?:path|name|filename|src|uri|file)=["']?([^"'>\n]{1,512})`)
	fenced   = lazyregexp.New("(?m)^[ \\t]*(?:```|~~~)[\\w+-]{0,16}[ :]{0,2}(?:title=|filename=|file=)?[\"']?([^\\s\"'`]{1,512})")
	contents = lazyregexp.New("(?im)(?:contents? of|here is|this is) {0,2}[`\"']?([^\\s`\"':]{2,512})[`\"']?:? *$")
	// In a settings file "file: NAME" names a file as well; it is a heading only if what follows looks like file
	// content.
	headed = lazyregexp.New(`(?im)(?:^|[ #*>("'` + "`" + `])file:\**\s{0,2}[` + "`" + `"']?([^\s` + "`" + `"':]{2,512})[` + "`" + `"'*]{0,3}:?[ \r]*\n+(?:` + "```" + `|~~~|-----|\[|machine |host |[^\s:]+\r?(?:\n|$)|(?:export )?[\w.-]+ ?=)`)
)

// quotesFiles returns which expressions to apply to a prompt, after a check that is cheaper than the expressions.
func quotesFiles(text string) []*lazyregexp.Regexp {
	var out []*lazyregexp.Regexp
	if strings.Contains(text, "@") {
		out = append(out, mention)
	}
	if strings.Contains(text, "<") {
		out = append(out, attached)
	}
	if strings.Contains(text, "```") || strings.Contains(text, "~~~") {
		out = append(out, fenced)
	}
	l := strings.ToLower(text)
	if strings.Contains(l, "content") || strings.Contains(l, "here is") || strings.Contains(l, "this is") {
		out = append(out, contents)
	}
	if strings.Contains(l, "file:") {
		out = append(out, headed)
	}
	return out
}

// mentions removes what a prompt quotes from a denied file: an agent puts the content of @file below the line that
// names it. The line itself is kept.
func (w *withholding) mentions(text string) string {
	if strings.IndexByte(text, '\n') < 0 {
		return text
	}
	from := -1
	for _, re := range quotesFiles(text) {
		for _, m := range re.FindAllStringSubmatchIndex(text, 64) {
			start, at := group(m)
			name := strings.TrimRight(text[start:at], ".,;:!?")
			if name == "" || !w.Quotes(name) {
				continue
			}
			if end := strings.IndexByte(text[at:], '\n'); end >= 0 && (from < 0 || at+end < from) {
				from = at + end
			}
		}
	}
	if from < 0 || strings.TrimSpace(text[from:]) == "" {
		return text
	}
	return text[:from+1] + w.drop(text[from+1:], denylist.Excluded)
}

const maxBare = 60 // lines

// bare reports whether a text consists of values without names, as printed by a command that was asked for a value.
func bare(text string) bool {
	text = strings.TrimSpace(text)
	if strings.HasPrefix(text, "{") || strings.Count(text, "\n") > maxBare {
		return false
	}
	for line := range strings.Lines(text) {
		if !tellsNothing(strings.Trim(line, " \t\r\n\",[]|")) {
			return true
		}
	}
	return false
}

var emptyAnswer = lazyregexp.New(`(?i)^(?:|null|nil|none|true|false|undefined|ok|\d{1,5}|[-+|]+|\(\d+ rows?\))$`)

// tellsNothing reports whether a line is not a value: a note that there is none, or an error message.
func tellsNothing(line string) bool {
	return emptyAnswer.MatchString(line) || line == known.ExcludedOutput ||
		strings.Contains(line, ": ") && strings.Count(line, " ") >= 3
}

// group returns where the first group that took part in a match is, or the end of the match if there is none.
func group(m []int) (from, to int) {
	for i := 2; i < len(m); i += 2 {
		if m[i] >= 0 {
			return m[i], m[i+1]
		}
	}
	return m[1], m[1]
}

// namesOnly keeps the names of an environment and drops every value and every line without a name.
func (w *withholding) namesOnly(text string) string {
	w.secrets = append(w.secrets, known.Harvest(text)...)
	var out []string
	dropped := 0
	for line := range strings.SplitSeq(text, "\n") {
		kept, lost := known.NameOnly(line)
		dropped += lost
		if kept == known.ExcludedOutput && len(out) > 0 && out[len(out)-1] == kept {
			continue
		}
		out = append(out, kept)
	}
	if dropped == 0 {
		return text
	}
	w.findings = append(w.findings, Finding{Rule: known.RuleExcluded, Field: w.field, Bytes: dropped})
	return strings.Join(out, "\n")
}
