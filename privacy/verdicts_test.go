package privacy

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"keepmum/privacy/verdict"
)

func bookOf(t *testing.T) (*verdict.Book, string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "verdicts.json")
	return verdict.Open(path, []byte("a key of the tests")), path
}

func cleaned(g *Gate, text string) string {
	c, _ := g.Text(text)
	return c.String()
}

func TestAVerdictCountsAtOnce(t *testing.T) {
	book, _ := bookOf(t)
	g := newGate(t, Options{Verdicts: book})
	const public, told = "db_password=Tulpe77feld!\nagain Tulpe77feld!\n", "we call it blue lamp street, all of us"
	if got := cleaned(g, public); strings.Contains(got, "Tulpe77") {
		t.Fatalf("found without a verdict: %q", got)
	}
	if _, err := book.Say("Tulpe77feld!", false); err != nil {
		t.Fatal(err)
	}
	if got := cleaned(g, public); got != public {
		t.Errorf("no secret, and taken out: %q", got)
	}
	if _, err := book.Say("blue lamp street", true); err != nil {
		t.Fatal(err)
	}
	got := cleaned(g, told)
	if strings.Contains(got, "lamp") || !strings.Contains(got, "[REDACTED:"+verdict.Rule+"#") {
		t.Errorf("a secret, and kept: %q", got)
	}
	if again := cleaned(g, got); again != got {
		t.Errorf("cleaned twice: %q", again)
	}
	if why, err := g.Why(public); err != nil || len(why.Reasons) > 0 {
		t.Errorf("why %+v, %v", why, err)
	}
}

func TestAVerdictDoesNotReachWhatIsSure(t *testing.T) {
	book, _ := bookOf(t)
	g := newGate(t, Options{Verdicts: book, Patterns: []Pattern{{Name: "ticket", Regex: `ACME-[0-9]{4}`}}})
	pem := "-----BEGIN PRIVATE KEY-----\nMIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgevZzL1gdAFr88hb2\n-----END " +
		"PRIVATE KEY-----"
	for _, v := range []string{fakePAT, pem, "ACME-1234"} {
		if _, err := book.Say(v, false); err != nil {
			t.Fatal(err)
		}
		if got := cleaned(g, "token = "+v); strings.Contains(got, v) {
			t.Errorf("kept: %q", got)
		}
	}
	for _, v := range []string{fakePAT, pem} {
		if err := g.CheckPublic(v); !errors.Is(err, ErrSure) {
			t.Errorf("%.12q may be public: %v", v, err)
		}
	}
	if err := g.CheckPublic("Tulpe77feld!"); err != nil {
		t.Error(err)
	}
	// A value that the user calls public and that holds a token is no way around it either.
	if _, err := book.Say("user:"+fakePAT, false); err != nil {
		t.Fatal(err)
	}
	if got := cleaned(g, "password = user:"+fakePAT); strings.Contains(got, fakePAT) {
		t.Errorf("kept: %q", got)
	}
}

func TestVerdictsThatCannotBeReadWithholdTheText(t *testing.T) {
	book, path := bookOf(t)
	g := newGate(t, Options{Verdicts: book})
	if err := os.WriteFile(path, []byte("nothing"), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := cleaned(g, "a harmless text"); got != "[WITHHELD:verdicts]" {
		t.Errorf("got %q", got)
	}
}
