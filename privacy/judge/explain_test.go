package judge

import (
	"os"
	"strings"
	"testing"

	"keepmum/privacy/scan"
)

func TestEveryFeatureIsExplainedInWords(t *testing.T) {
	list, err := os.ReadFile("weights.txt")
	if err != nil {
		t.Fatal(err)
	}
	for l := range strings.Lines(string(list)) {
		feature, _, _ := strings.Cut(l, "\t")
		if !strings.Contains(feature, "=") {
			continue // the biases and the thresholds
		}
		if says := inWords(feature); says == "" || strings.ContainsAny(says, "{}") && !strings.ContainsAny(feature, "{}") {
			t.Errorf("%s says %q", feature, says)
		}
	}
}

func TestFeaturesInWords(t *testing.T) {
	for feature, want := range map[string]string{
		"before.lead=password 1above|is":       `a word for a password stands 1 word before, in the line above, then one like "is"`,
		"before.account=name|/|joined#- known": `before it stands a name with digits or signs, parted by "/"; it is words and digits joined by -, of known words`,
		"value.ends=digits 2":                  "it ends with 2 digits",
		"line.begins=indented A":               "its line begins with blanks and a capital",
		"before.sign.kind=||word#":             `before it stands "|"; it is a word with digits`,
		"line.cues=pa":                         "its line speaks of a password and an account",
		"first.lead=none|hex":                  "a first look: no word for a secret stands before; it is hexadecimal digits",
		"before.lead.class.sign=none|nothing|^": "no word for a secret stands before, then none, parted by the beginning " +
			"of the line",
	} {
		if got := inWords(feature); got != want {
			t.Errorf("%s\n got %s\nwant %s", feature, got, want)
		}
	}
}

func TestTheLargestContributionsCount(t *testing.T) {
	j := scan.Judged{Features: []string{"first.odd=word|known|3", "value.again=1", "before.word=ist", "value.is=dummy"},
		Weights: []float32{-4, -1.5, 0.5, 2}}
	got := TopFeatures(j, 2)
	if len(got) != 2 || got[0].Feature != "value.is=dummy" || got[1].Weight != -1.5 {
		t.Errorf("got %+v", got)
	}
	j.RuledOut = true
	if got = TopFeatures(j, 2); len(got) != 1 || got[0].Weight != -4 {
		t.Errorf("of what the first look ruled out: %+v", got)
	}
}
