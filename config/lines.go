package config

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
)

// lines are where the keys of a settings file stand.
type lines map[string]int

// keyLines reads where each key stands. It needs no file that can be read: what
// is wrong with one is what it is asked about.
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

// bare is a key as it is called, whatever quotes and spaces it has.
func bare(key string) string {
	return strings.NewReplacer(`"`, "", "'", "", " ", "").Replace(key)
}

// at is "line 3: " for a key of a file, and "" for what is in none.
func (l lines) at(key string) string {
	if n := l[key]; n > 0 {
		return fmt.Sprintf("line %d: ", n)
	}
	return ""
}

// syntax says in which line a file cannot be read.
func syntax(err error) error {
	var placed interface {
		error
		Position() (row, column int)
	}
	if errors.As(err, &placed) {
		row, _ := placed.Position()
		return fmt.Errorf("line %d: %s", row, strings.TrimPrefix(placed.Error(), "toml: "))
	}
	return err
}

// values says line, key and reason of each value that cannot be taken.
func (l lines) values(err error) error {
	badValue := regexp.MustCompile(`(?m)^'([^'\n]+)' (.*)$`) // of what the decoder says
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
