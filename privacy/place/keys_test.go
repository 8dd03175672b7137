package place

import (
	"fmt"
	"strings"
	"testing"
)

// pem is a block with a body.
func pem(kind, body string) string {
	return fmt.Sprintf("-----BEGIN %s-----\n%s-----END %s-----", kind, body, kind)
}

func TestTheBodyOfAPrivateKeyIsFound(t *testing.T) {
	lines := strings.Repeat(body+"\n", 4)
	for _, kind := range []string{"PRIVATE KEY", "RSA PRIVATE KEY", "EC PRIVATE KEY", "OPENSSH PRIVATE KEY",
		"ENCRYPTED PRIVATE KEY"} {
		for name, text := range map[string]string{
			"a file":                pem(kind, lines),
			"with CRLF":             strings.ReplaceAll(pem(kind, lines), "\n", "\r\n"),
			"a literal":             `key = "` + strings.ReplaceAll(pem(kind, lines), "\n", `\n`) + `"`,
			"indented":              strings.ReplaceAll(pem(kind, lines), "\n", "\n    "),
			"a diff":                strings.ReplaceAll("\n"+pem(kind, lines), "\n", "\n+"),
			"on one line":           strings.ReplaceAll(pem(kind, lines), "\n", " "),
			"without its last line": strings.TrimSuffix(pem(kind, lines), "-----END "+kind+"-----"),
			"without its first":     strings.TrimPrefix(pem(kind, lines), "-----BEGIN "+kind+"-----\n"),
			"cut in a line":         pem(kind, lines)[:len(pem(kind, lines))-len(kind)-len("-----END -----")-20],
		} {
			spans := found(t, text, false)
			rest := mark(text, spans)
			for _, s := range spans {
				rest = strings.ReplaceAll(rest, text[s.Start:s.End], "")
			}
			if strings.Contains(rest, body[:20]) {
				t.Errorf("%s, %s: %q is left", kind, name, rest)
			}
		}
	}
}

// The key that all who are in a virtual network share is called by another name.
func TestTheStaticKeyOfOpenVPNIsFound(t *testing.T) {
	text := pem("OpenVPN Static key V1", strings.Repeat("8061e833a55f6fc0157c98b883e91fcf\n", 16))
	_, cut, _ := strings.Cut(text, "\n")
	for _, text := range []string{text, cut} { // without its first line, too
		if rest := mark(text, found(t, text, false)); strings.Count(rest, "«") != 1 || strings.Index(rest,
			"8061") < strings.Index(rest, "«") {
			t.Errorf("%q", rest)
		}
	}
}

func TestWhatIsNoPrivateKeyStays(t *testing.T) {
	lines := strings.Repeat(body+"\n", 4)
	checkMarked(t,
		pem("PUBLIC KEY", lines), pem("CERTIFICATE", lines), pem("PRIVATE KEY", "…\n"), pem("PRIVATE KEY", "<key>\n"),
		pem("PRIVATE KEY", ""),
		"-----BEGIN ", "-----BEGIN PRIVATE KEY-----", "-----END PRIVATE KEY-----", "PRIVATE KEY-----", "-----begin",
		"-----BEGIN RSA PRIVATE KEY",
		"a file that begins with -----BEGIN PRIVATE KEY----- holds a key", strings.Repeat("-", 60),
	)
}

func TestABodyWithoutItsFirstLineIsThatOfAKey(t *testing.T) {
	lines := strings.Repeat(body+"\n", 3)
	for _, start := range []string{"MIIEpAIBAAKCAQEA", "MIIEvQIBADANCAQA", "MHcCAQEEIA", "MC4CAQAwBQYDK2VwBCIEIA",
		"b3BlbnNzaC1rZXktdjEAAAAA"} {
		text := "key:\n" + start + lines
		if spans := found(t, text, false); len(spans) == 0 || !strings.HasPrefix(text[spans[0].Start:],
			start) || spans[0].End < len(text)-1 {
			t.Errorf("%s: %v of %d bytes", start, spans, len(text))
		}
	}
	checkMarked(t, "MIIDXTCCAkWgAwIBAgIJAKL0UG+mRkSv\n"+lines, "MII", "mii", "b3BlbnNzaC1rZXktdjE",
		"MIIEpAIBAAKCAQEA") // a certificate; only starts
}

func TestNumbersOfAKeyAsTheyArePrinted(t *testing.T) {
	hex := strings.Repeat("    00:8b:3f:a1:c2:9d:44:71:e0:5b:6c:d8:92:10:af:\n", 4)
	checkMarked(t, "privateExponent:\n«"+hex+"»publicExponent: 65537 (0x10001)",
		"prime1: (1024 bit)\r\n«"+strings.ReplaceAll(hex, "\n", "\r\n")+"»end")
	checkMarked(t, "privateExponent:", "privateExponent:\n", "privateExponent: see below\n"+hex,
		"privateExponent:\nno numbers\n", "modulus:\n"+hex,
		"prime1:\n    00:8b:3f\n")
}

func TestMembersOfAKeyInJSON(t *testing.T) {
	checkMarked(t, inText(
		`{"kty":"RSA","n":"BODY","e":"AQAB","d":"«BODY»","p": "«BODY»"}`, `{"kty": "oct", "k": "«BODY»"}`,
		`{"keys":[{"kty":"EC","d":"«BODY»"},{"kty":"EC","d":"«BODYBODY»"}]}`, `{"d":"«BODY»","kty":"EC"}`,
	)...)
	checkMarked(t, inText(`{"kty":"RSA","n":"BODY","e":"AQAB"}`, `"kty"`, `{"kty":"EC","d":""}`, `{"kty":"EC","d":7}`,
		`{"d":"BODY"}`)...)
}

func TestTheDataOfASecretOfKubernetes(t *testing.T) {
	checkMarked(t, inText(
		"kind: Secret\nmetadata:\n  name: shop\ndata:\n  user: «a2ltLWs3Nzc=»\n  pass: «SGFmZW4ua3Jhbg==»\ntype: Opaque",
		"stringData:\n  any-key: «PW»\nkind: Secret",
		"kind: Secret\nstringData:\n  a: |\n    «BODY\n    BODY»\n  b: '«hafenkran»'",
		"kind: Secret\ndata:\n  a: «hafenkran»\n---\nkind: ConfigMap\ndata:\n  a: hafenkran",
		`{"kind":"Secret","data":{"user":"«a2ltLWs3»","pass":"«SGFm»"},"type":"Opaque"}`,
		`{"stringData": {"a": "«hafenkran»"}, "kind": "Secret"}`,
		`"{\"kind\":\"Secret\",\"stringData\":{\"a\":\"«hafenkran»\",\"b\":\"«Hafen.Moor82»\"}}\n"`,
		`"{\"data\":{\"a\":\"«aGFmZW5rcmFu»\"},\"kind\":\"Secret\"}"`, `"{\"stringData\": {\"a\": \"«hafenkran»\"}}"`,
		`"{\"kind\":\"ConfigMap\",\"data\":{\"a\":\"hafenkran\"}}"`,
		`"{\"kind\":\"Secret\",\"data\":null}" {"a":"hafenkran"}`,
	)...)
	checkMarked(t, inText(
		"kind: Secret", "kind: Secret\ndata:", "kind: Secret\ndata:\n  a:\n  b: <password>\n",
		"kind: SecretList\ndata:\n  a: hafenkran",
		"kind: ConfigMap\ndata:\n  a: PW", "kind: Secret\ndata:\n  a: ENC[AES256_GCM,data:BODY]",
		"kind: Secret\nmetadata:\n  a: hafenkran",
		"kind: Secret\nstringData:\n  a: |\n    "+strings.ReplaceAll(pem("CERTIFICATE", body+"\n"), "\n", "\n    "),
		`{"kind":"Secret"}`, `{"kind":"Secret","data":{`, `{"kind":"Secret","data":{}}`,
		`{"kind":"Pod","data":{"a":"hafenkran"}}`,
	)...)
}

func TestListsOfBytesAreText(t *testing.T) {
	list := func(format, text string) string {
		var out []string
		for _, c := range []byte(text) {
			out = append(out, fmt.Sprintf(format, c))
		}
		return strings.Join(out, ", ")
	}
	filler := strings.Repeat("some other line\n", 20)
	secret := "x https://kim:" + pw + "@db y"
	for _, format := range []string{"%d", "0x%02x"} {
		for _, want := range []string{"[" + list(format, "https") + "]", "key = [«" + list(format,
			"https-token-"+ghToken) + "»]"} {
			text := strings.NewReplacer("«", "", "»", "").Replace(want)
			if got := mark(filler+text, found(t, filler+text, false)); got != filler+want {
				t.Errorf("got  %q\nwant %q", got[len(filler):], want)
			}
		}
	}
	if spans := found(t, filler+list("%d", secret[:10])+"\n1, 2, 3, 400, 500, 77777\n"+strings.Repeat("1, 2, 3, ", 400),
		false); len(spans) > 0 {
		t.Errorf("of counts: %v", spans)
	}
}

// ghToken is made up, and has the form of a token of a vendor.
const ghToken = "ghp_x7Qm2Lw9Rt4Zp1Vb6Nc3Ks8Jd5Hf0Gy2Ua4E"

func TestAKeyPairIsAFileOfNumbers(t *testing.T) {
	numbers := make([]string, keyBytes)
	for i := range numbers {
		numbers[i] = fmt.Sprint((i*37 + 11) % 256)
	}
	pair := strings.Join(numbers, ",")
	for want, in := range map[string]string{"[«" + pair + "»]": "[" + pair + "]",
		" [«" + pair + "»]\r\n": " [" + pair + "]\r\n"} {
		if got := mark(in, found(t, in, false)); got != want {
			t.Errorf("got %s", got)
		}
	}
	for _, text := range []string{"[" + pair + ",7]", "[" + strings.Repeat("7,", 63) + "7]", "[" + strings.Replace(pair,
		"11", "311", 1) + "]", pair} {
		if spans := found(t, text, false); len(spans) > 0 {
			t.Errorf("%s: %v", text, spans)
		}
	}
}
