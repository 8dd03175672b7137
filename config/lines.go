package config

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
)

// lines maps keys of a settings file to line numbers.
type lines map[string]int

// keyLines finds the line of each key. It also works on a file that cannot be parsed, because it serves to explain
// errors in it.
func keyLines(data []byte) lines {
	out := lines{}
	section, n := "", 0
	for text := range strings.Lines(string(data)) {
		n++
		key, _, ok := strings.Cut(strings.TrimSpace(text), "=")
		if head, isHead := strings.CutPrefix(key, "["); isHead && !ok {
			head, _, _ = strings.Cut(strings.TrimPrefix(head, "["), "]")
			section = bare(head) + "."
		}
		if key = section + bare(key); ok && out[key] == 0 {
			out[key] = n
		}
	}
	return out
}

// bare returns a key without quotes and spaces.
func bare(key string) string {
	return strings.NewReplacer(`"`, "", "'", "", " ", "").Replace(key)
}

// at returns "line 3: " for a key of a file, and "" for other keys.
func (l lines) at(key string) string {
	if n := l[key]; n > 0 {
		return fmt.Sprintf("line %d: ", n)
	}
	return ""
}

// syntax adds the line number to a parse error.
func syntax(err error) error {
	var placed interface {
		error
		Position() (row, column int)
	}
	if errors.As(err, &placed) {
		row, _ := placed.Position()
		return fmt.Errorf("line %d: it is not TOML: %s", row, strings.TrimPrefix(placed.Error(), "toml: "))
	}
	return err
}

// values turns a decoder error into line, key and reason of each bad value.
func (l lines) values(err error) error {
	badValue := regexp.MustCompile(`(?m)^'([^'\n]+)' (.*)$`) // the form of the decoder's messages
	var all []string
	for _, m := range badValue.FindAllStringSubmatch(err.Error(), -1) {
		why, _, _ := strings.Cut(m[2], ": strconv.")
		all = append(all, l.at(m[1])+m[1]+": "+why)
	}
	if len(all) == 0 {
		return err
	}
	return errors.New(strings.Join(all, "; "))
}
