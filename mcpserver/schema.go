package mcpserver

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"strconv"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// ref is the number or the id of an entry. Agents write numbers as strings, too.
type ref string

// UnmarshalJSON accepts a number or a string.
func (r *ref) UnmarshalJSON(data []byte) error {
	said := string(data)
	_ = json.Unmarshal(data, &said) // a number stays as it is written
	*r = ref(strings.Trim(said, " []"))
	return nil
}

// number returns the number of an entry, in digits.
func (r ref) number() (string, error) {
	n, err := strconv.ParseInt(string(r), 10, 64)
	if err != nil || n < 1 {
		return "", errors.New("an id is the number in brackets: memory_search finds it")
	}
	return strconv.FormatInt(n, 10), nil
}

// schemaOf describes the arguments of a tool in few words, since every session of an agent pays for them: a list may
// not be null, and a choice is a list of its values.
func schemaOf(in reflect.Type, choices map[string]string) *jsonschema.Schema {
	s, err := jsonschema.ForType(in, &jsonschema.ForOptions{TypeSchemas: map[reflect.Type]*jsonschema.Schema{
		reflect.TypeFor[ref](): {Types: []string{"integer", "string"}}}})
	if err != nil {
		panic(err) // the types are ours
	}
	for name, p := range s.Properties {
		if len(p.Types) == 2 && p.Types[0] == "null" {
			p.Type, p.Types = p.Types[1], nil
		}
		for value := range strings.FieldsSeq(choices[name]) {
			p.Enum = append(p.Enum, value)
		}
	}
	return s
}

// withoutEmpty removes arguments that say nothing: some agents fill in every argument that a tool has, with null or,
// for a choice, with an empty text.
func withoutEmpty(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		var args map[string]json.RawMessage
		if p, ok := req.GetParams().(*mcp.CallToolParamsRaw); ok && json.Unmarshal(p.Arguments, &args) == nil {
			before := len(args)
			maps.DeleteFunc(args, func(name string, v json.RawMessage) bool {
				return string(v) == "null" || string(v) == `""` && (name == "type" || name == "origin")
			})
			if data, err := json.Marshal(args); err == nil && len(args) < before {
				p.Arguments = data
			}
		}
		return next(ctx, method, req)
	}
}

// count returns a number that an agent gave as an argument, or the usual one; 0 is none if there must be some.
func count(name string, n *int, usual, low, high int) (string, error) {
	if n == nil || *n == 0 && low > 0 {
		n = &usual
	}
	if *n < low || *n > high {
		return "", fmt.Errorf("%s must be %d to %d", name, low, high)
	}
	return strconv.Itoa(*n), nil
}
