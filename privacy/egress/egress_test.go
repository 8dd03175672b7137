package egress_test

import (
	"strings"
	"testing"

	"keepmum/privacy/egress"
)

func TestWhatLooksLikeASecretIsFound(t *testing.T) {
	for name, text := range map[string]string{
		"assignment":            `DB_PASSWORD=correcthorse1`,
		"plain word in quotes":  `password: "blueberry"`,
		"escaped JSON":          `{\"api_key\": \"a8f3k29dk3\"}`,
		"yaml block":            "db_password: |\n  Tr3e-house!\nnext: 1",
		"arrow":                 `"clientSecret" => "fj20fj2l"`,
		"spoken":                "the password is hunter2! and nothing else",
		"url":                   "postgres://app:s3cr3tive@db.internal/prod",
		"url in a header":       "https://oauth2:zx81zx81zx81@git.example/x.git",
		"flag":                  "curl -u admin:lighthouse99 https://x.example",
		"token flag":            "deploy --token q1w2e3r4t5",
		"private key":           "-----BEGIN EC PRIVATE KEY-----",
		"end of a private key":  "-----END OPENSSH PRIVATE KEY-----",
		"jwt":                   "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.x",
		"known prefix":          "glpat-AbCdEfGhIjKlMnOpQrSt",
		"header":                "Authorization: Bearer abc123def456",
		"cookie":                "Cookie: sid=8f7e6d5c4b",
		"signed url":            "https://acc.blob.example/c?sv=1&sig=Zm9vYmFyYmF6",
		"bare hex":              "value 9f86d081884c7d659a2feaa0c55ad015",
		"bare mixed token":      "found 7p3kZZl4AblV7vY7AZQ3VZprkYSgy3c2 in the log",
		"uuid after a name":     "access token 123e4567-e89b-12d3-a456-426614174000",
		"digits after a name":   "client_id: 8195513847023883",
		"password hash":         "$2b$12$abcdefghijklmnopqrstuv",
		"hex dump":              "0000: 534c 4143 4b5f 424f 545f 544f 4b45 ",
		"beside a placeholder":  "[REDACTED:github-pat#3f9a] and API_TOKEN=abc123def4",
		"inside fake brackets":  "[REDACTED:x\nAPI_TOKEN=abc123def4]",
		"plain word, unquoted":  "password = blueberry\n",
		"password in a phrase":  `the default password of the box is "blueberry"`,
		"quoted after a space":  "credentials { password 'blueberry' }",
		"licence":               "ABCDEFG-HIJKLMN-OPQRSTU-VWXYZAB",
		"password with letters": "auth failed for token Blue!berry77: 401",
	} {
		t.Run(name, func(t *testing.T) {
			if len(egress.Scan(text)) == 0 {
				t.Errorf("nothing found in %q", text)
			}
		})
	}
}

func TestOrdinaryWorkIsLetThrough(t *testing.T) {
	for name, text := range map[string]string{
		"prose":               "Changed withTax in src/price.js to integer cents; the tests passed.",
		"code about tokens":   "func (s *Store) RefreshToken(ctx context.Context, token string) error {",
		"call":                "token := os.Getenv(\"API_TOKEN\")",
		"reference":           "password: ${DB_PASSWORD}",
		"member of a value":   "password = user.password",
		"type of a field":     "password: string;",
		"member":              "secret = process.env.SECRET",
		"lifetime":            "AUTH_TOKEN_TTL=3600",
		"commit":              "commit 4f3fab9d2b6c1f0e4f3fab9d2b6c1f0e4f3fab9d",
		"git log":             "4f3fab9d2b6c1f0e4f3fab9d2b6c1f0e4f3fab9d fix the rounding",
		"image digest":        "image: app@sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
		"integrity":           `"integrity": "sha512-oRmMnSRh0dHzA0QkXZ2r5cVb1l3Jd8x6bQ0Zz1oRmMnSRh0dHzA0QkXZ2r5cVb1l3Jd8x6bQ0Zz1oRmMnSRh0d==",`,
		"go.sum":              "golang.org/x/net v0.59.0 h1:bVX5PIVgQkXZ2r5cVb1l3Jd8x6bQ0Zz1oRmMnSRh0dH=",
		"pseudo version":      "golang.org/x/oauth2 v0.0.0-20260727124030-b80ff77dac4f",
		"uuid alone":          "request 123e4567-e89b-12d3-a456-426614174000 took 3 ms",
		"camel case":          "TestClientAuthRestrictedPublicKeyAlgos failed in NewSingleHostReverseProxy",
		"path":                "/home/dev/shop/internal/payments/v2/handlers_test.go:214",
		"test output":         "--- FAIL: TestTokenExpiry/case_12 (0.03s)",
		"time":                "2026-11-20T22:16:03.123Z ERROR dial tcp 10.0.0.7:5432: connection refused",
		"placeholder":         "DB_PASSWORD=[REDACTED:key-value#3f9a]",
		"excluded":            "[EXCLUDED:/home/dev/shop/.env]",
		"url with a mask":     "postgres://app:[REDACTED:url-password#12f0]@db/prod",
		"kubernetes":          "valueFrom: {secretKeyRef: {name: api, key: token}}",
		"plain url":           "https://pkg.go.dev/net/http#Transport",
		"numbers of versions": "node v22.14.0, go1.26.8, [email protected]",
	} {
		t.Run(name, func(t *testing.T) {
			for _, f := range egress.Scan(text) {
				t.Errorf("%s at %d..%d of %q", f.Rule, f.Start, f.End, text)
			}
		})
	}
}

func TestAFindingPointsAtTheValue(t *testing.T) {
	text := "x [CUT:12 bytes] über DB_PASSWORD=correcthorse1 y"
	found := egress.Scan(text)
	if len(found) == 0 {
		t.Fatal("nothing found")
	}
	if got := text[found[0].Start:found[0].End]; got != "correcthorse1" {
		t.Errorf("the finding points at %q", got)
	}
}

// A flood of names must cost what a flood of anything costs: every window is
// looked at once.
func TestNamesWithoutEndAreCountedOnce(t *testing.T) {
	one := len(egress.Scan(strings.Repeat("key ", 100) + "a1b2c3d4e5f6a7b8"))
	many := len(egress.Scan(strings.Repeat("key ", 20_000) + "a1b2c3d4e5f6a7b8"))
	if one != many {
		t.Errorf("%d findings after 100 names, %d after 20,000", one, many)
	}
}

func FuzzScan(f *testing.F) {
	f.Add("password: \"blueberry\" [REDACTED:x#1] \xff\x00")
	f.Add(strings.Repeat("token=", 50))
	f.Fuzz(func(t *testing.T, text string) {
		for _, found := range egress.Scan(text) {
			if found.Start < 0 || found.End > len(text) || found.Start >= found.End {
				t.Fatalf("%s at %d..%d of %d bytes", found.Rule, found.Start, found.End, len(text))
			}
		}
		// What the first gate left in place of a secret is never doubtful on its own.
		if got := egress.Scan("[REDACTED:" + strings.Map(plainOnly, text) + "]"); len(text) < 300 && len(got) > 0 {
			t.Fatalf("a placeholder was flagged by %s", got[0].Rule)
		}
	})
}

func plainOnly(r rune) rune {
	if r == ']' || r == '\n' || r > 0x7e || r < 0x20 {
		return -1
	}
	return r
}
