package connect

import (
	"bytes"
	"cmp"
	"encoding/json"
	"reflect"
	"slices"
	"strings"

	"github.com/tailscale/hujson"

	"keepmum/sorting"
)

// Agents rewrite their own settings files: they add keys, reorder members, and spread an entry of ours over several
// lines. Files are therefore compared by meaning.

// sameSettings reports whether two JSON files mean the same.
func sameSettings(a, b []byte) bool {
	x, okA := meaning(a)
	y, okB := meaning(b)
	return okA && okB && reflect.DeepEqual(x, y)
}

// meaning returns the meaning of a settings file. The hooks of an event are sorted, because an agent runs them in
// parallel.
func meaning(data []byte) (any, bool) {
	v, err := hujson.Parse(bytes.Clone(data)) // Parse modifies its input
	if err != nil {
		return nil, false
	}
	v.Standardize()
	var top map[string]any
	d := json.NewDecoder(bytes.NewReader(v.Pack()))
	d.UseNumber()
	if d.Decode(&top) != nil {
		return nil, false
	}
	events, _ := top["hooks"].(map[string]any)
	for _, e := range events {
		if list, ok := e.([]any); ok {
			sorting.Stable(list, func(a, b any) int { return cmp.Compare(written(a), written(b)) })
		}
	}
	return top, true
}

func written(v any) string {
	data, err := json.Marshal(v)
	if err != nil { // the value came from JSON
		return ""
	}
	return string(data)
}

// sameTables reports whether two files of TOML have the same tables, in any order.
func sameTables(a, b []byte) bool { return slices.Equal(tables(a), tables(b)) }

// tables returns the tables of a TOML file as text, without blank lines.
func tables(data []byte) []string {
	all := []string{""}
	for line := range strings.Lines(string(data)) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "[") {
			all = append(all, "")
		}
		if line != "" {
			all[len(all)-1] += line + "\n"
		}
	}
	slices.Sort(all[1:])
	return all
}
