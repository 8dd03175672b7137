package known

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"net/url"
	"slices"
	"strings"
	"testing"
	"testing/quick"
	"time"

	"keepmum/privacy/scan"
)

// TestAnyValueIsFoundInAnyEncodingAtAnyOffset draws values and what is around them.
func TestAnyValueIsFoundInAnyEncodingAtAnyOffset(t *testing.T) {
	found := func(value, before, after []byte) bool {
		v := string(value) + "-Kies.grube_4"
		set := NewValueSet([]byte("key"), 0x9e3779b97f4a7c15)
		AddForms(set, v)
		inside := string(before) + v + string(after)
		for _, text := range []string{
			inside, hex.EncodeToString([]byte(inside)), base64.StdEncoding.EncodeToString([]byte(inside)),
			base64.RawURLEncoding.EncodeToString([]byte(inside)), url.QueryEscape(inside), url.PathEscape(inside),
		} {
			places, err := set.Find(text)
			if err != nil || len(places) == 0 {
				t.Logf("%q is not found in %q", v, text)
				return false
			}
		}
		return true
	}
	if err := quick.Check(found, &quick.Config{MaxCount: 300}); err != nil {
		t.Error(err)
	}
}

func TestFormsAreDifferentAndLongEnough(t *testing.T) {
	for _, v := range []string{"", "abc", "hunter2", "Kies.grube_4", "a\"b\\c\n", "\xff\xfe\xfd\xfc\xfb\xfa", "гавань",
		"it's 7"} {
		forms := Forms(v)
		if forms[0].Text != v {
			t.Errorf("the first form of %q is %q", v, forms[0].Text)
		}
		for n, f := range forms[1:] {
			if len(f.Text) < scan.MinSecret || slices.Contains(forms[:n+1], f) {
				t.Errorf("form %d of %q is %q", n+1, v, f.Text)
			}
		}
	}
}

// Characters next to base64 hold bits of the value: they go with it. Elsewhere nothing but the value goes.
func TestTheCharactersBesideBase64Go(t *testing.T) {
	const v = "Kies.grube_4"
	set := NewValueSet([]byte("key"), 1)
	AddForms(set, v)
	for shift := range 3 {
		plain := "abcdef"[:shift+3] + v + "xyz"
		coded := base64.StdEncoding.EncodeToString([]byte(plain))
		places, err := set.Find("x " + coded + " y")
		if err != nil || len(places) == 0 {
			t.Fatalf("shift %d: %v, %v", shift, places, err)
		}
		from, to := places[0][0]-len("x "), places[0][1]-len("x ")
		left := coded[:from&^3] // whole groups, which decode on their own
		if raw, _ := base64.StdEncoding.DecodeString(left); strings.ContainsAny(string(raw),
			"K.4") || to < len(coded)-4-len("xyz") {
			t.Errorf("shift %d: %q and %q are left of %q", shift, coded[:from], coded[to:], plain)
		}
	}
	if places, _ := set.Find("xx" + v + "yy"); !slices.Equal(places, [][2]int{{2, 2 + len(v)}}) {
		t.Errorf("of the value itself: %v", places)
	}
}

// A text in which too many places look like a value is no text without it.
func TestTooManyCandidatesAreAnError(t *testing.T) {
	set := NewValueSet([]byte("key"), 1)
	set.Add(Form{Text: "aaaaaa" + "?" + "aaaaaa"})
	_, err := set.Find(strings.Repeat("a", 2*scan.MaxHashes))
	if !errors.Is(err, errTooMany) {
		t.Errorf("the error is %v", err)
	}
	m := NewMemory()
	m.Learn("s", []string{"aaaaaa?aaaaaa"})
	if _, err := m.Spans("s", strings.Repeat("a", 2*scan.MaxHashes)); err == nil {
		t.Error("a session found nothing in such a text")
	}
}

func TestAPackedFileIsReadUpToALimit(t *testing.T) {
	packed := func(text string) []byte {
		var out bytes.Buffer
		w := gzip.NewWriter(&out)
		if _, err := w.Write([]byte(text)); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		return out.Bytes()
	}
	const line = "DB_PASSWORD=Kies.grube_4\n"
	coded := func(raw []byte) string { return base64.StdEncoding.EncodeToString(raw) }
	archive := "etc/app.env\x00\x000000644\x00" + line + "\x00\x00\x00"
	cut := packed(line + strings.Repeat("q8Zt3LwV0yKc5RmX2nBd7HsJ ", 40))
	for name, c := range map[string]struct {
		text string
		want bool
	}{
		"an archive":       {coded([]byte(archive)), true},
		"a packed archive": {coded(packed(archive)), true},
		"one in lines": {strings.Join([]string{coded(packed(archive))[:40], coded(packed(archive))[40:]}, "\r\n"),
			true},
		"one without an end": {coded(cut[:len(cut)-12]), true},
		"one in hex":         {hex.EncodeToString(packed(line)), true},
		"behind the limit":   {coded(packed(strings.Repeat("\n", scan.MaxHarvested) + line)), false},
		"only its start":     {coded([]byte("\x1f\x8b")), false},
		"no base64":          {"!" + coded([]byte(line)), false},
	} {
		if got := slices.Contains(Harvest(c.text), "Kies.grube_4"); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// The files are looked at no more than once a second, whatever is asked.
func TestAVaultLooksAtItsFilesOnceASecond(t *testing.T) {
	now := time.Unix(1_800_000_000, 0)
	v := NewVault("", []string{"DB_PASSWORD=Kies.grube_4"})
	v.Now = func() time.Time { return now }
	looked := 0
	files := func() []string { looked++; return nil }
	for _, c := range []struct {
		later time.Duration
		want  int
	}{{0, 1}, {0, 1}, {VaultRefresh - 1, 1}, {1, 2}, {VaultRefresh, 3}} {
		now = now.Add(c.later)
		if v.fresh(v.Own, files, v.env); looked != c.want {
			t.Errorf("%v later they were looked at %d times, not %d", c.later, looked, c.want)
		}
	}
	if places, err := v.fresh(v.Own, files, v.env).Find("x Kies.grube_4 y"); err != nil || len(places) != 1 {
		t.Errorf("%v, %v", places, err)
	}
}

func TestADirectoryMayHaveNoFiles(t *testing.T) {
	for _, dir := range []string{"", ".", "relative/dir", `\\server\share`, "//server/share", "/does/not/exist"} {
		if files := projectFiles(dir, "/home/kim"); len(files) > 0 {
			t.Errorf("%q: %q", dir, files)
		}
	}
	for name, want := range map[string]bool{
		".env": true, ".env.local": true, "prod.env": true, "x.tfvars": true, "service-account-7.json": true,
		"secrets.yaml": true,
		".env.example": false, ".env.sample": false, ".env.template": false, "environment": false, "service.json": false,
		"": false,
	} {
		if got := isEnvFile(name); got != want {
			t.Errorf("%s: %v", name, got)
		}
	}
	var none *Vault
	if spans, err := none.Spans("/x", "a long enough text"); spans != nil || err != nil {
		t.Errorf("no vault knows %v, %v", spans, err)
	}
}
