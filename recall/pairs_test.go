package recall_test

import (
	"bufio"
	"encoding/json"
	"os"
	"strings"
	"testing"
)

// pair is a rule, and what was said later: it amends the rule, or settles something else on a subject next to it.
type pair struct {
	Amends           bool
	Old, New, Prompt string
}

func readPairs(t *testing.T) (all []pair) {
	t.Helper()
	f, err := os.Open("testdata/pairs.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		var p pair
		if err := json.Unmarshal(lines.Bytes(), &p); err != nil {
			t.Fatal(err)
		}
		all = append(all, p)
	}
	return all
}

// chatAbout is a chat in which one thing is settled.
func chatAbout(day int, settled string) said {
	return said{day, []string{"good morning, let us go on where we were", "The tests are green.", settled,
		"Done, with a test.", "thanks, that is all"}}
}

func TestOnlyWhatAmendsARuleIsCalledItsReplacement(t *testing.T) {
	all := readPairs(t)
	var history []said
	for i, p := range all {
		history = append(history, chatAbout(i, p.Old), chatAbout(len(all)+i, p.New))
	}
	db, project := chats(t, history...)
	called := map[bool]int{}
	for _, p := range all {
		for line := range strings.Lines(ask(t, db, project, p.Prompt).Text) {
			if strings.Contains(line, p.Old[:60]) && strings.Contains(line, ", replaced by ") {
				called[p.Amends]++
				if !p.Amends {
					t.Errorf("what is next to it is told as its replacement: %s", line)
				}
			}
		}
	}
	if want := 12; called[true] < want { // of 16
		t.Errorf("%d amended rules are called replaced, fewer than %d", called[true], want)
	}
}
