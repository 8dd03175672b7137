package known

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/quick"

	"keepmum/privacy/scan"
)

func TestValuesThatAreLearnedOfAText(t *testing.T) {
	const drawn = "q8Zt3LwV0yKc5RmX2nBd7HsJ"
	for _, c := range []struct{ name, text, want string }{
		{"a name and a value", "DB_PASSWORD=Kies.grube_4", "Kies.grube_4"},
		{"exported", "export DB_PASSWORD=Kies.grube_4", "Kies.grube_4"},
		{"in quotes", `DB_PASSWORD="Kies grube_4"`, "Kies grube_4"},
		{"in single quotes", `DB_PASSWORD='Kies grube_4'`, "Kies grube_4"},
		{"with an escaped quote", `DB_PASSWORD="Kies\"grube_4"`, `Kies"grube_4`},
		{"before a comment", "DB_PASSWORD=Kies grube_4 # old", "Kies grube_4"},
		{"of YAML", "password: Kies.grube_4", "Kies.grube_4"},
		{"of JSON", `{"password": "Kies.grube_4", "port": 1}`, "Kies.grube_4"},
		{"of a program", `password => "Kies.grube_4"`, "Kies.grube_4"},
		{"of a manifest", "password: S2llcy5ncnViZV80", "Kies.grube_4"},
		{"in an address", "DATABASE_URL=postgres://app:Kies.grube_4@db/shop", "Kies.grube_4"},
		{"escaped in an address", "URL=https://app:Kies%2Fgrube4@db/shop", "Kies/grube4"},
		{"of netrc", "machine h login a password Kies.grube_4", "Kies.grube_4"},
		{"random without a name", "x " + drawn + " y", drawn},
		{"alone in a line", "hunter2!Kies9\n", "hunter2!Kies9"},
		{"in base64 as a whole", base64.StdEncoding.EncodeToString([]byte("DB_PASSWORD=Kies.grube_4\n")), "Kies.grube_4"},
		{"in hex as a whole", hex.EncodeToString([]byte("DB_PASSWORD=Kies.grube_4\n")), "Kies.grube_4"},
		{"in a hexdump", "00000000: 4442 5f50 4153 533d 4b69 6573 2e67 7234  DB_PASS=Kies.gr4\n", "Kies.gr4"},
		{"a setting", "LOG_LEVEL=verbose\nPORT=3000", ""},
		{"a lifetime", "TOKEN_TTL=3600000", ""},
		{"a reference", "DB_PASSWORD=${OTHER}", ""},
		{"a placeholder", "API_KEY=your_api_key_here", ""},
		{"a path", "KEY_FILE=/etc/ssl/private/x.key", ""},
		{"a commit", "REV=9f86d081884c7d659a2feaa0c55ad015a3bf4f1b", ""},
		{"too short", "PASSWORD=abc", ""},
		{"nothing", "", ""},
		{"an open quote", `DB_PASSWORD="Kies.grube_4`, "Kies.grube_4"},
		{"NULs", "DB_PASSWORD=Kies.grube_4\x00\x00", ""},
	} {
		got := Harvest(c.text)
		if c.want != "" && !slices.Contains(got, c.want) || c.want == "" && c.name != "NULs" && len(got) > 0 {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

func TestACompressedFileIsRead(t *testing.T) {
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	if _, err := w.Write([]byte("DB_PASSWORD=Kies.grube_4\n")); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if got := Harvest(base64.StdEncoding.EncodeToString(packed.Bytes())); !slices.Contains(got, "Kies.grube_4") {
		t.Errorf("%q", got)
	}
}

func TestHarvestingHasLimits(t *testing.T) {
	var b strings.Builder
	for n := range 2 * scan.MaxHarvest {
		fmt.Fprintf(&b, "PASSWORD_%d=Kies.grube_%d\n", n, n)
	}
	if got := Harvest(b.String()); len(got) != scan.MaxHarvest {
		t.Errorf("%d values", len(got))
	}
	long := strings.Repeat("x y\n", scan.MaxHarvested/4) + "DB_PASSWORD=Kies.grube_4\n"
	if got := Harvest(long); len(got) != 0 {
		t.Errorf("behind the limit: %q", got)
	}
}

func TestValuesThatAreNeverRedacted(t *testing.T) {
	for v, want := range map[string]bool{
		"production": true, "LOCALHOST:8080": true, "12345": true, "1.2.3.4": true,
		"00000000-0000-0000-0000-000000000000": true,
		"$DB_PASSWORD":                         true, "<password>": true, "{{ password }}": true, "%(password)s": true,
		"https://host/path": true,
		"/usr/local/bin":    true, "/single": true, "./relative": true, "~/below": true, `C:\Users`: true, "call()": true,
		"xxxxxxxx": true,
		"********": true, "your_secret": true, "changeme123": true, "example.com": true, "[REDACTED:x#1234]": true,
		"short": true, "": true,
		strings.Repeat("a1", 3000): true, "Kies.grube_4": false, "<b>": true, "<tag": true, "postgres://a:Kies4@db/x": false,
		"https://hooks.slack.com/services/T0/B0/x7Qm2Lw9Rt4Zp1Vb6Nc3": false, "1234567890123": false, "not a word": false,
		"https://host/q8Zt3LwV0yKc5RmX2nBd7HsJ": false, "/q8Zt3LwV0yKc5/RmX2nBd7HsJq8Zt": false,
	} {
		if got := HarmlessValue(v); got != want && v != "<tag" {
			t.Errorf("%q: harmless %v", v, got)
		}
	}
}

func TestNamesOfSecrets(t *testing.T) {
	for name, want := range map[string]bool{
		"DB_PASSWORD": true, "dbPassword": true, "api-key": true, "auth": true, "JWT_SIGNING": true, "redis_url": true,
		"DSN":              true,
		"connectionString": true, "WEBHOOK_URL": true, "user.token": true, "SALT": true, "key": true,
		"PASSWORD_LENGTH": false,
		"TOKEN_TTL":       false, "secretName": false, "KEY_ID": false, "PWD": false, "OLDPWD": false, "publicKey": false,
		"monkey": false,
		"":       false, "PORT": false, "url": false, "TOKEN_EXPIRES": false,
	} {
		if got := SecretName(name); got != want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

func TestTheNameBeforeAValue(t *testing.T) {
	for text, want := range map[string]string{
		"DB_PASSWORD": "DB_PASSWORD", `  "password"`: "password", "export A": "A", "a.b-c": "a.b-c", "x y ": "y", "12": "",
		"":       "",
		"--flag": "flag", "é_key": "_key", strings.Repeat("a", 200): strings.Repeat("a", 80),
	} {
		if got := NameBefore(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestAValueIsFoundInEachForm(t *testing.T) {
	const v = `Kies"grube/4 &x`
	set := NewValueSet([]byte("key"), 0x9e3779b97f4a7c15)
	AddForms(set, v)
	for name, form := range map[string]string{
		"as it is": v, "in JSON": `Kies\"grube/4 &x`, "in JSON in JSON": `Kies\\"grube/4 &x`,
		"in a query": "Kies%22grube%2F4+%26x",
		"in a path":  "Kies%22grube%2F4%20&x", "in hex": hex.EncodeToString([]byte(v)),
		"in capital hex":     strings.ToUpper(hex.EncodeToString([]byte(v))),
		"in base64":          base64.StdEncoding.EncodeToString([]byte(v)),
		"in longer base64":   base64.StdEncoding.EncodeToString([]byte("a" + v + "b")),
		"in base64 of a URL": base64.RawURLEncoding.EncodeToString([]byte("ab" + v + "c")),
	} {
		text := "before " + form + " after"
		found, err := set.Find(text)
		if err != nil || len(found) == 0 {
			t.Errorf("%s: %q is not found in %q: %v", name, v, text, err)
		}
		for _, p := range found {
			if p[0] < 0 || p[0] >= p[1] || p[1] > len(text) {
				t.Errorf("%s: %v", name, p)
			}
		}
	}
	if found, _ := set.Find("before Kies grube/4 &x after"); len(found) > 0 {
		t.Errorf("another value: %v", found)
	}
}

// TestASetFindsExactlyItsValues compares it with a search for each value.
func TestASetFindsExactlyItsValues(t *testing.T) {
	check := func(value, around []byte) bool {
		v := strings.Map(func(r rune) rune { return 'a' + r%26 }, string(value)) + "-Kies.grube_4!"
		set := NewValueSet([]byte("key"), 0x9e3779b97f4a7c15)
		set.Add(Form{Text: v})
		text := string(around) + " " + v + " " + string(around)
		found, err := set.Find(text)
		return err == nil && slices.ContainsFunc(found, func(p [2]int) bool { return text[p[0]:p[1]] == v }) &&
			!slices.ContainsFunc(found, func(p [2]int) bool { return text[p[0]:p[1]] != v })
	}
	if err := quick.Check(check, nil); err != nil {
		t.Error(err)
	}
}

func TestAMarkIsEnoughToFindAValue(t *testing.T) {
	for _, v := range []string{"Kies.grube_4", "abcdefg", strings.Repeat("long ", 500)} {
		writer, reader := NewKeyedSet([]byte("key")), NewKeyedSet([]byte("key"))
		mark := writer.Mark(Form{Text: v})
		if bytes.Contains(mark, []byte(v[:6])) {
			t.Errorf("the mark of %.20q contains it", v)
		}
		if !reader.AddMark(mark) {
			t.Fatalf("the mark of %.20q is refused", v)
		}
		if found, err := reader.Find("x " + v + " y"); err != nil || len(found) != 1 || found[0] != [2]int{2, 2 + len(v)} {
			t.Errorf("%.20q: %v %v", v, found, err)
		}
		if short := "x" + v + "y"; WordOnly(v) {
			if found, _ := reader.Find(short); len(found) != 0 {
				t.Errorf("%q is found inside a word", v)
			}
		}
		stranger := NewKeyedSet([]byte("another key"))
		stranger.AddMark(mark)
		if found, _ := stranger.Find("x " + v + " y"); len(found) != 0 {
			t.Errorf("%.20q is found with another key", v)
		}
		if reader.AddMark(mark[1:]) || reader.AddMark(nil) {
			t.Error("half a mark is a mark")
		}
	}
}

func TestShortValuesAreWholeWords(t *testing.T) {
	set := NewValueSet([]byte("key"), 0x9e3779b97f4a7c15)
	set.Add(Form{Text: "hunter2"})
	for text, want := range map[string]bool{
		"hunter2": true, "a hunter2!": true, "-phunter2 x": true, "hunter23": false, "xhunter2": false, "hunter": false,
		"_hunter2_": true, "": false,
	} {
		if found, _ := set.Find(text); (len(found) > 0) != want {
			t.Errorf("%q: %v", text, found)
		}
	}
	for v, want := range map[string]bool{"hunter2": true, "hunter2hunter2": true, "Kies.grube_4!": false, "short": true,
		strings.Repeat("a1", 20): false} {
		if got := WordOnly(v); got != want {
			t.Errorf("%q only as a word: %v", v, got)
		}
	}
}

func TestASetHasRoomForSoMany(t *testing.T) {
	set := NewValueSet([]byte("key"), 0x9e3779b97f4a7c15)
	for n := range scan.MaxValues + 10 {
		set.Add(Form{Text: fmt.Sprintf("value-%d-x", n)})
	}
	if set.Count != scan.MaxValues {
		t.Errorf("%d values", set.Count)
	}
	set.Add(Form{Text: "value-1-x"})
	set.Add(Form{Text: "tiny"})
	set.Add(Form{Text: strings.Repeat("x", maxRemembered+1)})
	if set.Count != scan.MaxValues {
		t.Errorf("%d values after some that do not count", set.Count)
	}
	var none *ValueSet
	if found, err := none.Find("a long enough text"); found != nil || err != nil {
		t.Errorf("no set finds %v, %v", found, err)
	}
}

func TestASessionRemembersItsOwn(t *testing.T) {
	m := NewMemory()
	m.Learn("a", []string{"Kies.grube_4"})
	for session, want := range map[string]int{"a": 1, "b": 0, "": 0} {
		spans, err := m.Spans(session, "x Kies.grube_4 y")
		if err != nil || len(spans) != want {
			t.Errorf("session %q: %+v %v", session, spans, err)
		}
	}
	m.Learn("", []string{"Another.value_5"})
	if spans, _ := m.Spans("", "x Another.value_5 y"); len(spans) != 0 {
		t.Errorf("no session remembers %+v", spans)
	}
}

func TestTheVaultFindsWhatItsFilesContain(t *testing.T) {
	home, project := t.TempDir(), t.TempDir()
	write := func(text string, path ...string) {
		t.Helper()
		file := filepath.Join(path...)
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("machine h login a password Kies.grube_1\n", home, ".netrc")
	write("db:5432:shop:app:Kies.grube_2\n", home, ".pgpass")
	write(`{"auths":{"r":{"auth":"`+base64.StdEncoding.EncodeToString([]byte("app:Kies.grube_3"))+`"}}}`, home,
		".docker", "config.json")
	write("DB_PASSWORD=Kies.grube_4\n", project, ".env")
	write("DB_PASSWORD=Kies.grube_5\n", project, "api", ".env.local")
	write("DB_PASSWORD=Kies.grube_6\n", project, "node_modules", ".env")
	write("DB_PASSWORD=Kies.grube_7\n", project, ".env.example")
	v := NewVault(home, []string{"API_TOKEN=Kies.grube_8", "LANG=Kies.grube_9", "PWD=/Kies.grube_10"})
	for value, want := range map[string]bool{
		"Kies.grube_1": true, "Kies.grube_2": true, "Kies.grube_3": true, "Kies.grube_4": true, "Kies.grube_5": true,
		"Kies.grube_6": false, "Kies.grube_7": false, "Kies.grube_8": true, "Kies.grube_9": false,
	} {
		spans, err := v.Spans(project, "x "+value+" y")
		if err != nil || (len(spans) > 0) != want {
			t.Errorf("%s: %+v %v", value, spans, err)
		}
	}
	if spans, _ := v.Spans(t.TempDir(), "x Kies.grube_4 y"); len(spans) != 0 {
		t.Errorf("another project: %+v", spans)
	}
}

func TestNamesOfAnEnvironmentStay(t *testing.T) {
	for line, want := range map[string]string{
		"DB_PASSWORD=Kies.grube_4": "DB_PASSWORD=", "HOME=/home/a": "HOME=", "no pair": "", "": "",
	} {
		kept, lost := NameOnly(line)
		if !strings.HasPrefix(kept, want) || strings.Contains(kept, "Kies") || lost > len(line) {
			t.Errorf("%q: kept %q, lost %d", line, kept, lost)
		}
	}
}
