package judge

import (
	"strings"
	"testing"

	"keepmum/privacy/assign"
)

func TestACellBelongsToTheHeaderOfItsColumn(t *testing.T) {
	const header = "name      login     PIN       note"
	for at, want := range map[int]string{
		0: "name", 10: "login", 13: "login", 20: "PIN", 23: "PIN", 30: "note", 60: "note",
	} {
		if from, end := alignedCell(header, 0, len(header), at); header[from:end] != want {
			t.Errorf("the cell at %d is below %q, not %q", at, header[from:end], want)
		}
	}
	if from, end := assign.NthCell("a;b;c", 0, 5, ';', 1); from != 2 || end != 3 {
		t.Errorf("the second cell is [%d, %d]", from, end)
	}
	for row, want := range map[string]byte{
		"a | b | c": '|', "nom;service;code": ';', "user,role,pin": ',', "one, two, three": 0,
		"a\tb\tc": '\t', "x   y   z": ' ', "x  y": 0,
		"one; two; three": 0, "x  y  z": ' ', "  x  y  z": ' ', "  x  y": 0, "x y z": 0, "x  y  ": 0, "": 0,
	} {
		if sign, _ := cellsOf(row); sign != want {
			t.Errorf("the sign between the cells of %q is %q, not %q", row, sign, want)
		}
	}
}

func TestARowBelongsToTheTableAboveIt(t *testing.T) {
	for above, rows := range map[string]map[string]bool{
		"user,role,pin": {"kim,crane,4821": true, "kim,crane": false, "kim;crane;4821": false, "": false},
		"| a | b | c |": {"| d | e |": true, "d,e,f": false},
		"a   b   c":     {"d   e   f   g": true, "d  e": false},
		"a sentence":    {"| d | e |": false, "another one": false},
	} {
		for row, want := range rows {
			if got := rowBelow(above, row); got != want {
				t.Errorf("%q below %q: %v", row, above, got)
			}
		}
	}
	for text, want := range map[string]string{
		"they are:\n| a | b |\n|---|---|\n| c | d |": "| a | b |", "| c | d |": "", "they are:\n| c | d |": "",
		"a,b,c\nd,e,f\ng,h,i": "a,b,c", "a,b,c\n\ng,h,i": "", "g h i": "", "x\ny": "",
	} {
		b := benchOf(text, nil)
		got, _ := b.tableOf(strings.LastIndexByte(text, '\n')+1, len(text))
		if got >= 0 != (want != "") || got >= 0 && text[got:assign.EndOfLine(text, got)] != want {
			t.Errorf("%q: the header begins at %d", text, got)
		}
	}
}
