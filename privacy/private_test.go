package privacy

import (
	"strings"
	"testing"
)

func TestWhatIsPrivateIsKnownAgain(t *testing.T) {
	for name, c := range map[string]struct{ block, value string }{
		"letters and digits":   {"kQ3vT9xLm2RzW8pYb", "kQ3vT9xLm2RzW8pYb"},
		"letters":              {"hTqWvXzLkRmPbNc", "hTqWvXzLkRmPbNc"},
		"small letters":        {"qvxzkjwphfbtgmrldsnc", "qvxzkjwphfbtgmrldsnc"},
		"digits":               {"830471926553", "830471926553"},
		"hex":                  {"9f3b62c1a07d48e5b6c2d1f0938a7e44", "9f3b62c1a07d48e5b6c2d1f0938a7e44"},
		"symbols":              {"tR4!x#Wq9*zLm+p2", "tR4!x#Wq9*zLm+p2"},
		"a word":               {"sunflower", "sunflower"},
		"a passphrase":         {"maple-river-candle-window", "maple-river-candle-window"},
		"words":                {"maple river candle window", "maple river candle window"},
		"a name":               {"Gruber Fahrzeugbau", "Gruber Fahrzeugbau"},
		"a setting":            {"APP_THING=hTqWvXzLkRmPbNc", "hTqWvXzLkRmPbNc"},
		"a quoted setting":     {`export APP_THING="pumpkin"`, "pumpkin"},
		"in a sentence":        {"the staging thing is hTqWvXzLkRmPbNc, keep it", "hTqWvXzLkRmPbNc"},
		"digits in a sentence": {"the staging thing is 830471926553, keep it", "830471926553"},
		"small letters in one": {"the staging thing is qvxzkjwphfbtgmrldsnc, keep it", "qvxzkjwphfbtgmrldsnc"},
		"what detectors find":  {"for all of us here the password is Sommer-Regen-77 you know", "Sommer-Regen-77"},
		"on a line of many": {"first this\nand then a longer line of text\nhTqWvXzLkRmPbNc\nthe end",
			"hTqWvXzLkRmPbNc"},
		"a block in a block":      {"a <private>hTqWvXzLkRmPbNc</private> b", "hTqWvXzLkRmPbNc"},
		"with invisible letters":  {"hTqWv\u200bXzLkRmPbNc", "hTqWvXzLkRmPbNc"},
		"with letters of a clone": {"Grüber Straße 12", "Grüber Straße 12"},
	} {
		for _, mode := range []Mode{ModeSafe, ModeNone} {
			if name == "what detectors find" && mode == ModeNone {
				continue
			}
			g := newGate(t, Options{Mode: mode})
			for _, r := range []Raw{
				{Fields: map[string]string{"text": "log in with <private>" + c.block + "</private> please"}},
				{Tool: "Bash", Input: decoded(t, `{"command":"x"}`), Output: map[string]any{"stdout": "a <private>" + c.block}},
				{Fields: map[string]string{"text": "<private>" + c.block + "</private>"}},
			} {
				g.Event(Raw{Session: "other " + name})
				r.Session = name
				g.Event(r)
				for _, said := range []string{"I logged in with " + c.value + " and it works.", "curl -d '" + c.value + "' host"} {
					got := g.Event(Raw{Session: name, Speaker: Agent, Fields: map[string]string{"text": said}})
					if text := got.Fields["text"].String(); strings.Contains(text, c.value) {
						t.Errorf("%s, mode %s: %q", name, mode, text)
					}
				}
				if mode == ModeNone {
					got := g.Event(Raw{Session: "another", Fields: map[string]string{"text": c.value}})
					if text := got.Fields["text"].String(); text != c.value {
						t.Errorf("%s in another session: %q", name, text)
					}
				}
			}
		}
	}
}

func TestOrdinaryWordsOfAPrivateSentenceAreNotTakenOut(t *testing.T) {
	g := newGate(t, Options{})
	g.Event(Raw{Session: "s", Fields: map[string]string{"text": "<private>tell nobody that the well-known maintainer " +
		"of getUserName talks about the acquisition of the company\nproduction\n</private> ok"}})
	const said = "The maintainer reviewed the acquisition code of getUserName, which is well-known in production."
	if got := g.Event(Raw{Session: "s", Fields: map[string]string{"text": said}}).Fields["text"].String(); got != said {
		t.Errorf("got %q", got)
	}
}

func TestATagCountsAsAReaderSeesIt(t *testing.T) {
	const hidden = "the northgate merger"
	g := newGate(t, Options{})
	for name, text := range map[string]string{
		"blanks":             "a < private >@</ private >",
		"blanks in the end":  "a <private >@< / private >",
		"colour":             "a <\x1b[1mprivate\x1b[0m>@</private>",
		"zero width":         "a <pri\u200bvate>@</private>",
		"byte order mark":    "a <\ufeffprivate>@</private>",
		"soft hyphen":        "a <pri\u00advate>@</pri\u00advate>",
		"full width":         "a ＜private＞@＜/private＞",
		"escaped for prose":  `a \<private\>@\</private\>`,
		"escaped for JSON":   `a \u003cprivate\u003e@\u003c/private\u003e`,
		"escaped for HTML":   "a &lt;private&gt;@&lt;/private&gt;",
		"escaped slash":      `a <private>@<\/private>`,
		"closed in itself":   "a <private/>@</private>",
		"square brackets":    "a [private]@[/private]",
		"colour, not closed": "a <\x1b[1mprivate>@",
		"doubtful end":       "a <private>b [/private] @</private>",
	} {
		got, _ := g.Text(strings.ReplaceAll(text, "@", hidden))
		if strings.Contains(got.String(), hidden) || !strings.HasPrefix(strings.ReplaceAll(got.String(), `\`, ""),
			"a [REDACTED:private]") {
			t.Errorf("%s: %q", name, got)
		}
	}
}

func TestWhatOnlyResemblesATagIsKept(t *testing.T) {
	g := newGate(t, Options{})
	for _, text := range []string{
		"[private] ls /private/tmp", "see &lt;private&gt; in the docs", "a <private/> element", "if a < private_count > b",
		"#private", "[private]\nkey = 1\n[public]",
	} {
		if got, _ := g.Text(text); got.String() != text {
			t.Errorf("%q: %q", text, got)
		}
	}
}

func TestABlockMayBeginInOneStreamAndEndInTheOther(t *testing.T) {
	const hidden = "the northgate merger"
	g := newGate(t, Options{})
	for _, out := range []string{
		`{"stdout":"a <private>","stderr":"@</private> b"}`, `{"stderr":"a <private>","stdout":"@</private> b"}`,
		`{"stdout":"a <private>@","stderr":"x</private> b"}`,
	} {
		got := g.Event(Raw{Session: "s", Tool: "Bash", Output: decoded(t, strings.ReplaceAll(out, "@", hidden))})
		if text := got.Output.Text().String(); strings.Contains(text, hidden) || !strings.Contains(text, "a ") ||
			!strings.Contains(text, " b") {
			t.Errorf("%s: %q", out, text)
		}
	}
}

func TestTheWordThatKeepsASessionPrivate(t *testing.T) {
	for _, prompt := range []string{
		"#private", "#private our client", "  #Private our client", "\n#private", "\r\n#PRIVATE\r\nx", "\u00a0#private x",
		"\x00#private x",
		"\ufeff#private x", "\u200b#private x", "\u200c#private", "\u2060#private x", "\u00ad#private x",
		"\u200e#private x", "#pri\u00advate x", "#pri\u200bvate x",
		"\x1b[1m#private\x1b[0m x", "\x1b[200~#private x", "#private: x", "#private, x", "#private. x", "#private - x",
		"#private!", "# private x", "# Private",
		"**#private** x", "`#private` x", `"#private" x`, "“#private” x", "'#private'", "> #private x", "- #private x",
		"\\#private x", "＃private x", "＃ｐｒｉｖａｔｅ x", "(#private) x",
	} {
		if !Declared(prompt) {
			t.Errorf("not heeded: %q", prompt)
		}
	}
	for _, prompt := range []string{
		"", "private", "#privateer is a word", "#private_key is a field", "#private-beta is a channel", "## private",
		"what does #private do?", "fix #12, private", "#privé", "#private/x.go",
	} {
		if Declared(prompt) {
			t.Errorf("heeded: %q", prompt)
		}
	}
}
