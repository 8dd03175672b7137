package privacy

import (
	"strings"

	"keepmum/privacy/value"
)

// selected returns the columns of a query, if one of them is secret.
func selected(input any) []string {
	m, _ := input.(map[string]any)
	for _, k := range []string{"sql", "query", "statement", "q", "sql_query"} {
		if text, ok := m[k].(string); ok {
			return columns(text)
		}
	}
	return nil
}

// columns returns the columns that a query selects, if the name of one of them is that of a secret.
func columns(query string) (out []string) {
	low := value.LowerASCII(query[:min(len(query), 4096)])
	from := strings.Index(low, "select ")
	if from < 0 {
		return nil
	}
	from += len("select ")
	n := strings.Index(strings.Map(blankSpace, low[from:]), " from ")
	if n < 0 || n > 1000 {
		return nil
	}
	secret := false
	for column := range strings.SplitSeq(query[from:from+n], ",") {
		name := columnName(column)
		secret = secret || value.KeyStrength(name) >= value.TokenKey
		out = append(out, name)
	}
	if !secret {
		return nil
	}
	return out
}

func blankSpace(r rune) rune {
	if r == '\n' || r == '\t' || r == '\r' {
		return ' '
	}
	return r
}

// columnName returns the column in an expression, "" if there is none.
func columnName(column string) string {
	words := strings.Fields(column)
	if len(words) > 0 && value.InList(value.LowerASCII(words[0]), " distinct all ") {
		words = words[1:]
	}
	if len(words) == 0 || strings.ContainsAny(words[0], "()*") {
		return ""
	}
	name := strings.Trim(words[0], "\"`[]")
	return strings.Trim(name[strings.LastIndexByte(name, '.')+1:], "\"`[]")
}

// cell names an element of a row after its column in the query.
func (f *document) cell(list []any, i int, name string) string {
	if len(f.columns) == 0 || len(list) != len(f.columns) || f.columns[i] == "" {
		return name
	}
	if _, ok := list[i].(string); !ok {
		return name
	}
	return f.columns[i]
}
