package main

import (
	"io"
	"strings"
	"testing"
)

// Each request is answered with its own id, or refused with it.
func TestAnIDOfMCPIsNeverChanged(t *testing.T) {
	for id, refused := range map[string]string{
		`7`:                      "",
		`-0`:                     "",
		`1e3`:                    "",
		`9007199254740991`:       "",
		`"a<b&c\u2028é\u0000\""`: "",
		`""`:                     "",
		`9007199254740993`:       `9007199254740993`,
		`1e400`:                  `1e400`,
		`1.5`:                    `1.5`,
		`"\ud800x"`:              `"\ud800x"`,
		"\"\xff\"":               "\"\xff\"",
		`null`:                   `null`,
		`true`:                   `null`,
		`[1]`:                    `null`,
	} {
		var answers strings.Builder
		message := `{"jsonrpc":"2.0","id":` + id + `,"method":"ping"}` + "\n"
		passed, err := io.ReadAll(newMCPLines(strings.NewReader(message), &answers))
		if err != nil {
			t.Fatal(err)
		}
		if refused == "" {
			if !strings.HasPrefix(string(passed), message) || answers.Len() > 0 {
				t.Errorf("%s: passed %q, answered %q", id, passed, &answers)
			}
			continue
		}
		if len(passed) > 0 || !strings.Contains(answers.String(), `"id":`+refused+`,`) ||
			!strings.Contains(answers.String(), "the id must be a string") {
			t.Errorf("%s: passed %q, answered %q", id, passed, &answers)
		}
	}
	var answers strings.Builder
	without := `{"jsonrpc":"2.0","method":"notifications/initialized"}` + "\n"
	if passed, err := io.ReadAll(newMCPLines(strings.NewReader(without), &answers)); err != nil ||
		!strings.HasPrefix(string(passed), without) {
		t.Errorf("a notification: %q, %v, %q", passed, err, &answers)
	}
}
