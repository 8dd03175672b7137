package page

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
)

// readable returns the input or output of a tool in readable form: fields with their texts, lines as lines. Anything
// but an object is shown as it is.
func readable(raw json.RawMessage) string {
	if len(raw) == 0 || string(raw) == "null" {
		return ""
	}
	var text string
	if json.Unmarshal(raw, &text) == nil {
		return text
	}
	var fields map[string]json.RawMessage
	if json.Unmarshal(raw, &fields) != nil {
		return indented(raw)
	}
	dec, order := json.NewDecoder(bytes.NewReader(raw)), []string{}
	if _, err := dec.Token(); err != nil {
		return indented(raw)
	}
	for dec.More() {
		key, err := dec.Token()
		var skip json.RawMessage
		if err != nil || dec.Decode(&skip) != nil {
			return indented(raw)
		}
		order = append(order, fmt.Sprint(key))
	}
	var b strings.Builder
	for _, key := range order {
		value := readable(fields[key])
		if strings.Contains(value, "\n") {
			value = "\n" + value
		}
		fmt.Fprintf(&b, "%s: %s\n", key, value)
	}
	return b.String()
}

func indented(raw json.RawMessage) string {
	var b bytes.Buffer
	if json.Indent(&b, raw, "", "  ") != nil {
		return string(raw)
	}
	return b.String()
}
