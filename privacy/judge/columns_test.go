package judge

import "testing"

func TestACellBelongsToTheHeaderOfItsColumn(t *testing.T) {
	const header = "name      login     PIN       note"
	for at, want := range map[int]string{
		0: "name", 10: "login", 13: "login", 20: "PIN", 23: "PIN", 30: "note", 60: "note",
	} {
		if from, end := alignedCell(header, 0, len(header), at); header[from:end] != want {
			t.Errorf("the cell at %d is below %q, not %q", at, header[from:end], want)
		}
	}
	if from, end := nthCell("a;b;c", 0, 5, ';', 1); from != 2 || end != 3 {
		t.Errorf("the second cell is [%d, %d]", from, end)
	}
	for row, want := range map[string]byte{
		"a | b | c": '|', "nom;service;code": ';', "user,role,pin": ',', "one, two, three": 0,
		"a\tb\tc": '\t', "x   y   z": ' ', "x  y": 0,
	} {
		if sign, _ := cellsOf(row); sign != want {
			t.Errorf("the sign between the cells of %q is %q, not %q", row, sign, want)
		}
	}
}
