package privacy

import "testing"

func TestWhySaysTheRuleAndTheWord(t *testing.T) {
	g := newGate(t, Options{})
	const text = "db_password=Tulpe77feld!\nhttps://kim:Gurke88feld@db.example\n"
	got, err := g.Why(text)
	if err != nil {
		t.Fatal(err)
	}
	want := []Reason{{12, 24, "password", "pass"}, {37, 48, "url-password", "://"}}
	if len(got) != len(want) {
		t.Fatalf("got %+v", got)
	}
	for i, r := range got {
		if r != want[i] {
			t.Errorf("got %+v, want %+v", r, want[i])
		}
	}
}
