package pair

import (
	"slices"
	"strings"
	"testing"

	"keepmum/privacy/assign"
	"keepmum/privacy/scan"
)

func TestTheCellsBelowANameAreFound(t *testing.T) {
	checkMarked(t,
		"user,password\nkim,«Tulpe77#feld»\nlea,«Kran9#hafen»\n",
		"user;password;note\r\nkim;«Tulpe77#feld»;old\r\nlea;«Kran9#hafen»;new\r\n",
		"password\tuser\n«Tulpe77#feld»\tkim\n«Kran9#hafen»\tlea",
		"user\tpassword\nkim\t«Tulpe77#feld»\n",
		"| user | password |\n|------|----------|\n| kim | «Tulpe77#feld» |\n| lea | `«Kran9#hafen»` |\n",
		"||user||password||\n|kim|«Tulpe77#feld»|\n", // Jira
		"│ user │ password │\n├──────┼──────────┤\n│ kim  │ «Tulpe77#feld» │\n",
		"user | password\n-----+---------\nkim  | «Tulpe77#feld»\n(1 row)\n",
		"\"user\",\"password\"\n\"kim, the first\",\"«Tulpe77#feld»\"\n", // a delimiter in a quoted cell
		"note,password\n\"he said \"\"a, b\"\"\",«Tulpe77#feld»\n",       // where a quote is doubled
		"user,token,password\nkim,«q8Zt3LwV0yKc5RmX2nBd7HsJ»,«Tulpe77#feld»\n",
		"user,password\nkim,«Tulpe77#feld»\n\n# more\nlea,«Kran9#hafen»\n", // rows of another form may be between
		"гость,password\nким,«Tulpe77#feld»\n",
	)
}

func TestWhatIsNoCellOfTheColumnStays(t *testing.T) {
	long := strings.Repeat("x", maxHead)
	checkMarked(t,
		"user,password\n", "user,password", "user,password\nkim,\nlea,changeme\n",
		"user,password\nkim,String\nlea,${LEA_PASSWORD}\n",
		"user,password\nkim,Tulpe77#feld,extra\n",      // a row with more cells
		"user,password\na\nb\nc\nkim,Tulpe77#feld\n",   // the table ended
		"| password |\n|---|\n\n| Tulpe77#feld |\n",    // another table may follow
		"login(user, password)\nkim,Tulpe77#feld\n",    // a call
		"user,"+long+",password\nkim,x,Tulpe77#feld\n", // no header is as long
		"user,password,"+long+"\nkim,Tulpe77#feld,x\n",
		"user,password,\nkim,Tulpe77#feld,\n",                   // a list of names in a program
		"'user|password'\n'kim|Tulpe77#feld'\n",                 // a pattern
		"user,password\nkim,three small words\n",                // no single word
		"user,password\nkim,https://db.example/Tulpe77#feld7\n", // the address of something
	)
}

func TestALineOfTwoCellsNamesItsSecond(t *testing.T) {
	checkMarked(t, "password,«Tulpe77#feld»\n", "password;«Tulpe77#feld»", "password\t«Tulpe77#feld»\nuser\tkim\n")
}

// TestRowsOfATableAreCut asks for the cells themselves, whatever is in them.
func TestRowsOfATableAreCut(t *testing.T) {
	for _, c := range []struct {
		text, name string
		want       []string
	}{
		{"user,pin\nkim,1234\nlea,\nx\nbo,55", "pin", []string{"1234", "", "55"}},
		{"pin;user\r\n1;a\r\n2;b\r\n", "pin", []string{"1", "2"}},
		{"| user | pin |\n| kim | 12 |\n\n| lea | 34 |\n", "pin", []string{" 12 "}},
		{"user\tpin\nkim\t1234", "pin", []string{"1234"}},
		{"a,pin,b\n\"x,y\",\"1,2\",z\n", "pin", []string{`"1,2"`}},
		{"a,pin,b\n\"x,\"\"y\",12,z\n\"open,13,z\n", "pin", []string{"12"}},
		{"user,pin", "pin", nil}, {"pin", "pin", nil}, {"the pin is", "pin", nil}, {"f(pin, x)\n1, 2\n", "pin", nil},
	} {
		s, at := &scan.Scanner{Text: c.text}, strings.Index(c.text, c.name)
		var got []string
		for _, sp := range CellsBelow(s, at, at+len(c.name)) {
			got = append(got, c.text[sp.Start:sp.End])
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%q: %q, want %q", c.text, got, c.want)
		}
	}
}

func TestATableIsReadToALimitedSizeAndNotTooOften(t *testing.T) {
	rows := strings.Repeat("kim,"+pw+"\n", 4000)
	text := "user,password\n" + rows
	spans := read(t, text)
	if first, last := spans[0],
		spans[len(spans)-1]; first.In(text) != pw || last.End > maxTable+len("user,password\n") {
		t.Errorf("cells from %d to %d", first.Start, last.End)
	}
	s := &scan.Scanner{Text: text}
	for range 2 * assign.MaxMarks {
		CellsBelow(s, len("user,"), len("user,password"))
	}
	if CellsBelow(s, len("user,"), len("user,password")) != nil || s.Marks > assign.MaxMarks+1 {
		t.Errorf("%d tables were read", s.Marks)
	}
}

func TestWhatSeparatesTheCells(t *testing.T) {
	for text, want := range map[string]string{
		"NAME,b": ",", "a,NAME": ",", "NAME;b": ";", "a | NAME |": "|", "a|NAME": "|", "NAME\tb": "\t", "a\tNAME": "\t",
		"│ NAME │": "│", `"a","NAME"`: ",", "NAME": "", "a NAME b": "", "(NAME, b)": "", "x.NAME, b": "", "&NAME, b": "",
		"# \tNAME": "", // the mark of a comment is no cell
	} {
		s, from := &scan.Scanner{Text: text}, strings.Index(text, "NAME")
		to := from + len("NAME")
		if got := cellDelimiter(s, from, to, assign.SkipBlanks(text, assign.SkipClosers(text, to))); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
