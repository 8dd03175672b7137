package known

import (
	"slices"
	"strings"
	"testing"

	"keepmum/privacy/scan"
)

// A line of a private block teaches what looks like a value, what follows a name, and a whole line of few words.
func TestWhatIsRememberedOfAPrivateLine(t *testing.T) {
	for line, want := range map[string][]string{
		"Maple River":                            {"Maple River"},
		"one two three four":                     {"one two three four"},
		"the long road to the far harbor":        nil, // a sentence
		"short":                                  nil,
		"'quoted words',":                        {"quoted words"},
		"name: heron":                            {"name: heron"},
		"please use code = heron for the door":   nil,
		"what opens the door is code=heron99":    {"heron99"},
		"keep code=heron99 for me and the rest":  {"heron99"},
		"tell them that Tulpe77#feld is right":   {"Tulpe77#feld"},
		"call me on 4915112345 any time soon":    {"4915112345"},
		"it reads (qwxzkjvbpqxz) on the label":   {"qwxzkjvbpqxz"},
		"use moss-heron-walrus-fog for all that": {"moss-heron-walrus-fog"},
		"гавань и журавль":                       {"гавань и журавль"},
		"":                                       nil, " ": nil, "=": nil, ":": nil, "\xff": nil, "$HOME": nil,
		strings.Repeat("x ", 70): nil,
	} {
		var h Harvester
		if h.Private(line); !slices.Equal(h.Values, want) {
			t.Errorf("%q: %q, want %q", line, h.Values, want)
		}
	}
}

func TestANameOfAnEnvironmentIsKeptWithoutItsValue(t *testing.T) {
	for line, want := range map[string]string{
		"DB_PASSWORD=hafen":            "DB_PASSWORD=" + ExcludedOutput,
		"export DB_PASSWORD='hafen'\r": "export DB_PASSWORD=" + ExcludedOutput,
		"declare -x DB_PASSWORD=\"a\"": "declare -x DB_PASSWORD=" + ExcludedOutput,
		"  - DB_PASSWORD: hafen":       "  - DB_PASSWORD:" + ExcludedOutput,
		`"password": "hafen",`:         `"password":` + ExcludedOutput,
		"DB_PASSWORD=":                 "DB_PASSWORD=",
		"data: {":                      "data: {",
		"hafen":                        ExcludedOutput,
		"=hafen":                       ExcludedOutput,
		"q8Zt3LwV0yKc5RmX2nBd7HsJ=x":   ExcludedOutput, // the name itself is random
		"x y=hafen":                    ExcludedOutput,
		"ключ=hafen":                   ExcludedOutput,
		"":                             "", " ": " ",
		ExcludedOutput:                  ExcludedOutput,
		"DB_PASSWORD=" + ExcludedOutput: "DB_PASSWORD=" + ExcludedOutput,
	} {
		kept, lost := NameOnly(line)
		if kept != want {
			t.Errorf("%q: kept %q, want %q", line, kept, want)
		}
		if body := strings.TrimRight(line,
			"\r"); kept == body && lost != 0 || kept != body && (lost <= 0 || lost > len(body)) {
			t.Errorf("%q: %d bytes are lost", line, lost)
		}
		if again, lost := NameOnly(kept); again != kept || lost != 0 {
			t.Errorf("%q: kept %q, then %q and lost %d", line, kept, again, lost)
		}
	}
}

func TestAValueInsideAWord(t *testing.T) {
	for text, want := range map[string]bool{
		"VALUE": true, "a VALUE b": true, "-VALUE-": true, "_VALUE_": true, "-pVALUE": true, "xVALUE": false,
		"VALUE9": false,
		"pVALUE": false, "--pVALUE": true, "éVALUEé": true, "\xffVALUE\xff": true,
	} {
		at := strings.Index(text, "VALUE")
		if got := StandsAlone(text, at, at+len("VALUE")); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

func TestWordsThatNobodyWritesByChance(t *testing.T) {
	for v, want := range map[string]bool{
		"moss heron walrus fog": true, "moss-heron-walrus-fog": true, "Moss.Heron.Walrus.Fog": true,
		"": false, "moss heron fog": false, "moss-heron-walrus": false, "your password is missing": false,
		"a-b-c-d":                  false,
		"app-config-store-service": false, strings.Repeat("moss ", 20): false,
	} {
		if got := Phrase(v); got != want {
			t.Errorf("%q is a passphrase: %v", v, got)
		}
	}
	for v, want := range map[string]bool{
		"qwxzkjvbpqxz": true, "xKqvZtLwVyKcRmXn": true, "": false, "qwxzkjvb": false, "getHarbourName": false,
		"qwxzkjvbpqx7":           false,
		strings.Repeat("qz", 10): false, strings.Repeat("qwxzkjvbp", 20): false, "qwxzkjvbpqxé": false,
	} {
		if got := JumbledLetters(v); got != want {
			t.Errorf("%q is jumbled: %v", v, got)
		}
	}
}

func FuzzHarvested(f *testing.F) {
	for _, text := range []string{"", "=", "DB_PASSWORD=hafen", "a: \"b\\\"", "password ", "postgres://a:b1c2d3@h/x",
		"Maple River", "\xff=\xff",
		"00000000: 4442 5f50", "H4sIAAAAAAAA", "x='", "- export declare -x A="} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var h Harvester
		line, _, _ := strings.Cut(text, "\n")
		h.Private(line)
		for n, v := range append(Harvest(text), h.Values...) {
			if len(v) < scan.MinSecret || n >= 2*scan.MaxHarvest {
				t.Fatalf("%d bytes are value %d", len(v), n)
			}
		}
		kept, lost := NameOnly(line)
		if again, _ := NameOnly(kept); again != kept || lost < 0 || lost > len(line) {
			t.Errorf("%q: %q, then %q, %d lost", line, kept, again, lost)
		}
		set := NewKeyedSet([]byte("key"))
		if set.AddMark([]byte(text)) && set.Count != 1 {
			t.Errorf("a mark is %d values", set.Count)
		}
		if _, err := set.Find(text); err != nil {
			t.Error(err)
		}
	})
}
