package connect

import (
	"bytes"
	"cmp"
	"encoding/json"
	"reflect"
	"slices"
	"strings"

	"github.com/tailscale/hujson"
)

// Agents write their own settings files: keys come, members change places, and a line
// of ours is spread over several. What counts is what a file says.

// sameSettings reports whether two files of JSON say the same.
func sameSettings(a, b []byte) bool {
	x, okA := meaning(a)
	y, okB := meaning(b)
	return okA && okB && reflect.DeepEqual(x, y)
}

// meaning is what a settings file says, the hooks of an event in one order: an agent
// runs them at the same time.
func meaning(data []byte) (any, bool) {
	v, err := hujson.Parse(bytes.Clone(data)) // what it parses it changes
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
			slices.SortFunc(list, func(a, b any) int { return cmp.Compare(written(a), written(b)) })
		}
	}
	return top, true
}

func written(v any) string {
	data, err := json.Marshal(v)
	if err != nil { // it came from JSON
		return ""
	}
	return string(data)
}

// sameTables reports whether two files of TOML have the same tables, in any order.
func sameTables(a, b []byte) bool { return slices.Equal(tables(a), tables(b)) }

// tables are the tables of a file of TOML as they are written, without blank lines.
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
