package privacy

import (
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"keepmum/longtest"
)

func pemOf(t *testing.T, kind string, der []byte, err error) string {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	return string(pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der}))
}

// privateKeys are keys of several kinds, as PEM.
func privateKeys(t *testing.T) map[string]string {
	t.Helper()
	big, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	curve, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	_, small, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	pkcs8, err8 := x509.MarshalPKCS8PrivateKey(big)
	ec, errEC := x509.MarshalECPrivateKey(curve)
	ed, errEd := x509.MarshalPKCS8PrivateKey(small)
	return map[string]string{
		"PKCS#1":  pemOf(t, "RSA PRIVATE KEY", x509.MarshalPKCS1PrivateKey(big), nil),
		"PKCS#8":  pemOf(t, "PRIVATE KEY", pkcs8, err8),
		"EC":      pemOf(t, "EC PRIVATE KEY", ec, errEC),
		"Ed25519": pemOf(t, "PRIVATE KEY", ed, errEd),
	}
}

// listed is a text as a list of its lines, each after a prefix.
func listed(text, prefix string) (out []any) {
	for line := range strings.Lines(text) {
		out = append(out, prefix+strings.TrimSuffix(line, "\n"))
	}
	return out
}

func TestAPrivateKeyIsFoundInAListOfLines(t *testing.T) {
	type m = map[string]any
	much := strings.Repeat("a line of a program\n", 20_000)
	keys := privateKeys(t)
	for i, kind := range slices.Sorted(maps.Keys(keys)) {
		key := keys[kind]
		numbered := []any{}
		for i, line := range listed(key, "") {
			numbered = append(numbered, m{"line": json.Number(fmt.Sprint(i + 1)), "text": line})
		}
		patch := func(prefix string) any {
			lines := append([]any{" x"}, listed(key, prefix)...)
			return m{"structuredPatch": []any{m{"oldStart": json.Number("1"), "lines": lines}}}
		}
		ended := []any{}
		for line := range strings.Lines(key) {
			ended = append(ended, line)
		}
		carried, err := json.Marshal(m{"lines": listed(key, "")})
		if err != nil {
			t.Fatal(err)
		}
		for shape, output := range map[string]any{
			"added lines":        patch("+"),
			"removed lines":      patch("-"),
			"lines of context":   patch(" "),
			"a list":             m{"lines": listed(key, "")},
			"a list alone":       listed(key, "    "),
			"a notebook":         m{"cells": []any{m{"source": ended}}},
			"lines with numbers": m{"matches": numbered},
			"much before it":     m{"lines": append(listed(much, "+"), listed(key, "+")...)},
			"JSON in a text":     string(carried),
		} {
			if shape == "much before it" && !longtest.Every(4, i) {
				continue
			}
			g := newGate(t, Options{})
			got := g.Event(Raw{Session: "s", Tool: "Edit", Input: m{"file_path": "deploy.yml"}, Output: output})
			text := got.Output.JSON().String()
			lines := strings.Split(strings.TrimSpace(key), "\n")
			for _, line := range lines[1 : len(lines)-1] {
				if strings.Contains(text, line) {
					t.Errorf("%s as %s: a line is kept: %.300s", kind, shape, text)
					break
				}
			}
		}
	}
}

// TestTheLastLineOfAKeyIsFound: of this key the other lines are found by themselves, and are gone before the lines
// are read together.
func TestTheLastLineOfAKeyIsFound(t *testing.T) {
	const key = `-----BEGIN EC PRIVATE KEY-----
MHcCAQEEIDupplu6WBCp01mfacaF5shHOyV2QEVq3XtbRzejfaGDoAoGCCqGSM49
AwEHoUQDQgAEqQoNd5WuXtqDpOonON8NeczgS0zPFwIcLqK6ThWKodXwJyZJnQp5
mGBkA6Ha92O9k0pVyWcGfp/nTsDPoyvvww==
-----END EC PRIVATE KEY-----
`
	got := newGate(t, Options{}).Event(Raw{Session: "s", Tool: "Edit", Output: map[string]any{"lines": listed(key, "")}})
	if text := got.Output.JSON().String(); strings.Contains(text, "mGBkA6Ha92O9") {
		t.Error(text)
	}
}

func TestAPrivateKeyOnOneLineIsFoundBehindOtherWords(t *testing.T) {
	for kind, key := range privateKeys(t) {
		lines := strings.Split(strings.TrimSpace(key), "\n")
		body := strings.Join(lines[1:len(lines)-1], " ")
		got, _ := newGate(t, Options{}).Text("switch to branch " + body)
		for _, line := range lines[1 : len(lines)-1] {
			if strings.Contains(got.String(), line) {
				t.Errorf("%s: a line is kept: %.200s", kind, got)
				break
			}
		}
	}
}

func TestLinesOfAListThatHoldNoSecretAreKept(t *testing.T) {
	lines := listed("package main\n\nfunc main() {\n\tprintln(\"hello\")\n}\n", "+")
	g := newGate(t, Options{})
	got := g.Event(Raw{Session: "s", Tool: "Edit", Output: map[string]any{"lines": lines}})
	want, err := json.Marshal(map[string]any{"lines": lines})
	if err != nil {
		t.Fatal(err)
	}
	if got.Output.JSON().String() != string(want) || len(got.Findings) != 0 {
		t.Errorf("%s became %s", want, got.Output.JSON())
	}
}
