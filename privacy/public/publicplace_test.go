package public

import (
	"strings"
	"testing"

	"keepmum/privacy/assign"
	"keepmum/privacy/scan"
	"keepmum/privacy/value"
)

const longFingerprint = "8061E833A55F6FC0157C98B883E91FCFEEB1A71A"

// markedPart returns a text without the marks «», and where they were.
func markedPart(text string) (s *scan.Scanner, from, to int) {
	from, to = strings.Index(text, "«"), strings.Index(text, "»")-len("«")
	return &scan.Scanner{Text: strings.NewReplacer("«", "", "»", "").Replace(text)}, from, to
}

func TestAPlaceThatManyPeopleSee(t *testing.T) {
	const key = "«" + randomKey + "»"
	for text, want := range map[string]bool{
		"DKIM-Signature: v=1; bh=" + key: true, "bh=x; d=quay.example; b=" + key: true, "d=quay.example; b=" + key: false,
		"Authorization: Basic " + key: true, "basic " + key: true, "Bearer " + key: false,
		"«/nix/store/" + randomKey + "»": true, "«/var/folders/zz/" + randomKey + "»": true, "ipfs:" + key: true,
		"ipfs " + key:                          false,
		key + "@developer.gserviceaccount.com": true, key + "@quay.example": false,
		"keys: cache.nixos.org-1:«" + body[:43] + "=»": true, "keys: cache.nixos.org:«" + body[:43] + "=»": false,
		"checksum: " + key: true, "password: " + key: false, key: false,
	} {
		s, from, to := markedPart(text)
		if got := Place(s, from, to); got != want {
			t.Errorf("%s: %v", text, got)
		}
	}
}

func TestANameBeforeAPublicValue(t *testing.T) {
	for before, want := range map[string]bool{
		"https://quay.example/?a=1&gclid=": true, "https://quay.example/?a=1&sid=": false, "X-Gm-Gg: ": true,
		"sec-websocket-accept: ": true, "x-amzn-trace-id: ": true,
		`{"kty": "RSA", "n": "`: true, "n: ": false, `"name": "`: false, `"thoughtSignature": "`: true,
		`"session": {"id": "`: false, "session trace_id: ": true, "id: ": true, "checksums ": false, "x (=": false, "": false,
		"=": false, "etag=": true, "secret_id: ": false, "user_uuid: ": true, "client_id: ": false,
	} {
		if got := publicNameBefore(before); got != want {
			t.Errorf("%q: %v", before, got)
		}
	}
	if idName(nil) || idName([]string{"secret", "id"}) || !idName([]string{"kid"}) {
		t.Error("the last word says whether a name is that of an id")
	}
	if !value.EndsFold("basic ", "Basic ") || value.EndsFold("asic ", "Basic ") {
		t.Error("a text may be as long as its end, and not shorter")
	}
}

func TestFingerprintsOfKeysThatSignPackages(t *testing.T) {
	for text, want := range map[string]bool{
		"gpg: «" + longFingerprint + "»": true, "gpg: «" + longFingerprint[:16] + "»": true,
		"gpg: «0x" + longFingerprint[:16] + "»": true, "gpg: «" + longFingerprint[:20] + "»": false,
		"gpg: «" + strings.ToLower(longFingerprint) + "»":  false,
		"[user]\n\tsigningkey = «" + longFingerprint + "»": true, "git: signingKey: '«" + longFingerprint + "»": true,
		"made with RSA key «" + longFingerprint + "»": true, "release key: «" + longFingerprint + "»": true,
		"the door key «" + longFingerprint + "»": false, "with rsa «" + longFingerprint + "»": false,
		"validpgpkeys=('A'\n'«" + longFingerprint + "»')":             true,
		"validpgpkeys=('A')\nx='«" + longFingerprint + "»'":           false,
		"validpgpkeys=()\nvalidpgpkeys=('«" + longFingerprint + "»')": true,
		"«" + longFingerprint + "»":                                   false,
	} {
		s, from, to := markedPart(text)
		if got := fingerprint(s, from, s.Text[from:to]); got != want {
			t.Errorf("%s: %v", text, got)
		}
	}
}

func TestABlockIsPublicByItsHeadOrItsTail(t *testing.T) {
	const key = "«" + body + "»"
	for text, want := range map[string]bool{
		"-----BEGIN CERTIFICATE-----\n" + body + "\n" + key + "\n":            true, // cut off
		"-----BEGIN CERTIFICATE REQUEST-----\n" + key:                         true,
		"-----BEGIN PRIVATE KEY-----\n" + key:                                 false,
		body + "\n" + key + "\n-----END CERTIFICATE-----":                     true,
		key + "\n-----END PRIVATE KEY-----":                                   false,
		key + ", and\n-----END CERTIFICATE-----":                              false,
		"-----BEGIN CERTIFICATE-----\nVersion: 4 (of 4)\n" + key + "\n":       false,
		"-----BEGIN CERTIFICATE-----\n" + strings.Repeat(body+"\n", 70) + key: false, // no block is as long
	} {
		s, from, _ := markedPart(text)
		if got := inPublicBlock(s, from); got != want {
			t.Errorf("%.60q: %v", text, got)
		}
	}
	for text, want := range map[string]bool{
		"<ds:X509Certificate>" + key: true, "<DigestValue>\n" + key: true, "<CipherValue>see (" + key: false,
		"<Value>" + key: false, "<a><SignatureValue>" + key: true, "<SignatureValue></SignatureValue>" + key: false,
	} {
		s, from, _ := markedPart(text)
		if got := inPublicElement(s, from); got != want {
			t.Errorf("%.60q: %v", text, got)
		}
	}
}

// TestWhatTheJudgeAloneFoundIsGivenUpSooner has findings of the judge, whose places say that they are something else.
func TestWhatTheJudgeAloneFoundIsGivenUpSooner(t *testing.T) {
	for text, want := range map[string]bool{
		"getHarbourName\n«addHarbourKey2»\nmoss\n": true, "-rw-r--r-- 1 kim kim 20 Mar 9 08:12 «libkrane5-3»": true,
		"they wrote\n«addHarbourKey2»\nmoss\n": false, "the «libkrane5-3» opens it": false,
	} {
		s, from, to := markedPart(text)
		for _, judged := range []bool{true, false} {
			s.Spans = []scan.Span{{Start: from, End: to, Rule: scan.RulePassword, Judged: judged}}
			if Veto(s); (len(s.Spans) == 0) != (want && judged) {
				t.Errorf("%q, judged %v: %v is left", text, judged, s.Spans)
			}
		}
	}
}

func TestALongFindingIsNotJudgedByItsForm(t *testing.T) {
	for size, want := range map[int]int{2 * assign.MaxJudged: 0, 2*assign.MaxJudged + 2: 1} {
		s := &scan.Scanner{Text: strings.Repeat("0b", size/2)}
		s.Spans = []scan.Span{{End: size, Rule: scan.RuleSecret}}
		if Veto(s); len(s.Spans) != want {
			t.Errorf("%d bytes: %d are left", size, len(s.Spans))
		}
	}
}
