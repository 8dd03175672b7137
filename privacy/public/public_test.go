package public

import (
	"slices"
	"strings"
	"testing"

	"keepmum/privacy/assign"
	"keepmum/privacy/scan"
	"keepmum/privacy/value"
)

// Made up: a key of each form, and none that opens anything.
const (
	randomKey = "q8Zt3LwV0yKc5RmX2nBd7HsJ"
	hexKey    = "8061e833a55f6fc0157c98b883e91fcf"
	uuid      = "66f8ec73-c22d-4671-81ba-22c60b81f161"
	body      = "x9Kq2vTz7LmWr3Nb8YdQw5Hs1Jc6Fp4Gx9Kq2vTz7LmWr3Nb8YdQw5Hs1Jc6Fp4G"
)

func TestAFormThatGivesNoAccess(t *testing.T) {
	age := "age1" + strings.Repeat("q2z7", 14) + "x"
	nkey := strings.Repeat("Q2Z7", 14)[1:]
	for v, want := range map[string]bool{
		"GHSA-7rjr-3q55-vv33": true, "GHSA-7rjr-3q55": false, "CVE-7rjr-3q55-vv33": false,
		"pk_live_" + randomKey: true, "pk_test_" + randomKey: true, "pk_" + randomKey: false,
		"20261123/eu-west-1/s3/aws4_request": true,
		"GPLv2+":                             true, "LGPLv3-only"[:6]: true, "GPLv2!Kq": false,
		strings.Repeat("0b", 16): true, "000102030405060708090a0b0c0d": true, "0f0e0d0c0b0a090807060504": false,
		hexKey:   false,
		"0x7f3a": true, "1:4.13+dfsg1-4ubuntu3": true, "4.13-1": true, "4.13": false, "4.13-Kq": false,
		"builder-token-x7k2p": true, "builder-token-a7e2i": false, "-token-x7k2p": true, "token-x7k2p": false,
		"MFkwEwYHKoZIzj0CAQYI" + body: true, "MEUCIQ" + body: true, "MIIEpAIBAAKCAQEA" + body: false,
		age: true, age[:50]: false, age[:40] + "!" + age[41:]: false,
		"cache.nixos.org-1:" + body[:43] + "=": true, "cache-1:" + body[:43] + "=": false, // a name is a host
		"A" + nkey: true, "S" + nkey: false, // private ones start with S
		"-----BEGIN PUBLIC KEY-----MFkw": true, strings.Repeat("0b", 12): true, strings.Repeat("0b", 11): false,
		"000102030405060708090a0b0cff": false, "builder-token_x7k2p": false,
		"1:4.13": false, "1:4.13+dfsg1": true, "4.13+dfsg1": false, "a:4.13+dfsg1": false, ".5-1": false, "db.prod-1": false,
		"4.13-1Kq": false, "4.13-": false, "4.13-k": false,
		"cache.nixos.org-a:" + body[:43] + "=": false, "cache.nixos.org-1:" + body[:45] + "=": false,
		"cache.nixos.org-1:" + body[:44]: false, "cache.nixos.org-1:" + body[:42] + "!=": false, "A" + nkey[:54] + "q": false,
		"464/tcp": true, "53/udp": true, "464/tcpx": false, "a/tcp": false,
		"": false, "\xff": false, "Kies.grube_4": false,
	} {
		if got := Form(v); got != want {
			t.Errorf("%.40q: %v", v, got)
		}
	}
}

func TestANameThatMeansSomethingPublic(t *testing.T) {
	for name, want := range map[string]bool{
		"public_key": true, "pubkey": true, "password_hash": true, "token_digest": true, "keyFingerprint": true,
		"encrypted_key": true,
		"sealedKey":     true, "websocket_key": true, "checksum": true,
		"websocketAccept": true, "websocket_url": false, "api_key": false, "key": false,
		"encrypted_password": false, "hash_salt": false, "password": false, "republic": false, "sealed_password": false,
		"": false,
	} {
		var room [value.MaxWords]string
		if got := Name(value.NameWords(name, room[:0])); got != want {
			t.Errorf("%s: %v", name, got)
		}
	}
	for text, want := range map[string]bool{
		"primary NAME": true, "the cache NAME": true, "public NAME": true, "checksum/NAME": true,
		"api NAME": false, "NAME": false, "x/NAME": false, "monkey NAME": false, "primary\nNAME": false,
	} {
		text = strings.Replace(text, "NAME", "key", 1)
		s, from := &scan.Scanner{Text: text}, len(text)-len("key")
		if got := KeyName(s, from, []string{"key"}); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

func TestOnlyTheLoneWordKeyIsMadePublicByTheWordBeforeIt(t *testing.T) {
	for _, words := range [][]string{{"key", "id"}, {"name"}, nil} {
		if KeyName(&scan.Scanner{Text: "primary key"}, len("primary "), words) {
			t.Errorf("%q is public", words)
		}
	}
}

func TestAnIdIsNoSecret(t *testing.T) {
	for _, c := range []struct {
		name, v string
		want    bool
	}{
		{"sessionId", uuid, true}, {"token_id", uuid, true}, {"tokenID", "req_" + randomKey, true},
		{"clientToken", uuid,
			true},
		{"aws_app_id", uuid, true}, {"key_app_id", hexKey, false},
		{"secret_id", uuid, false}, {"secretId", uuid, false}, {"token", uuid, false}, {"client_token", uuid, false},
		{"tokenid", randomKey, false}, {"id", uuid, false}, {"appid", hexKey, false},
		{"appid", "Kies.grube_4", false}, {"key_app_id", hexKey[:31] + "k", true}, {"key_app_id", hexKey[:30], true},
		{"clientToken", randomKey, false}, {"my_clientToken", uuid, false},
	} {
		if got := NamedID(c.name, c.v); got != c.want {
			t.Errorf("%s=%s: %v", c.name, c.v, got)
		}
	}
	for v, want := range map[string]bool{
		"cus_" + randomKey: true, "toolu_" + randomKey: true, "msg_01": true, "sk_" + randomKey: false,
		"cus" + randomKey: false,
		"cus_a-b":         false, "": false, "_": false,
	} {
		if got := ID(v); got != want {
			t.Errorf("%q: %v", v, got)
		}
	}
}

func TestTheSessionOfAnAgent(t *testing.T) {
	const link = "https://quay.example/code/session_01KvHeYKuDnE"
	for _, c := range []struct {
		words []string
		sep   assign.Sep
		v     string
		want  bool
	}{
		{[]string{"session"}, assign.Colon, uuid, true}, {[]string{"claude", "session"}, assign.Colon, link, true},
		{[]string{"sessions"}, assign.Blank, uuid, true},
		{[]string{"session"}, assign.Colon, link, false}, {[]string{"claude", "session"}, assign.Blank, link, false},
		{[]string{"claude", "session"}, assign.Colon, "https://quay.example/code/berth_01KvHeYKuDnE", false},
		{[]string{"claude", "session"}, assign.Colon, "https://session_01KvHeYKuDnE", false},
		{[]string{"session"}, assign.Equals, uuid, false}, // of a cookie
		{[]string{"session"}, assign.Colon, randomKey, false}, {[]string{"token"}, assign.Colon, uuid, false},
		{nil, assign.Colon, uuid, false},
		{[]string{"claude", "session"}, assign.Colon, "http" + link[5:], false},
		{[]string{"claude", "session"}, assign.Colon,
			link + "?t=1", false},
	} {
		if got := AgentSession(c.words, assign.Assignment{Sep: c.sep}, c.v); got != c.want {
			t.Errorf("%v %s: %v", c.words, c.v, got)
		}
	}
}

// TestAFindingMayBePublic has a finding between «»; a reader found it, the judge alone where judged.
func TestAFindingMayBePublic(t *testing.T) {
	const block = "-----BEGIN %-----\n" + body + "\n«" + body + "»\n-----END %-----\n"
	of := func(kind string) string { return strings.ReplaceAll(block, "%", kind) }
	cases := []struct {
		name, text string
		public     bool
	}{
		{"a public key", of("PUBLIC KEY"), true}, {"a certificate", of("CERTIFICATE"), true}, {"a signature",
			of("PGP SIGNATURE"), true},
		{"a private key", of("RSA PRIVATE KEY"), false},
		{"a certificate without its head", of("CERTIFICATE")[len("-----BEGIN CERTIFICATE-----\n"):], true},
		{"behind a block with text between", of("CERTIFICATE")[:30] + " and text: «" + randomKey + "»", false},
		{"a signature in XML", "<ds:SignatureValue>" + body + "«" + body + "»</ds:SignatureValue>", true},
		{"another element", "<Password>«" + body + "»</Password>", false},
		{"the fingerprint of a key", "gpg: using RSA key «8061E833A55F6FC0157C98B883E91FCFEEB1A71A»", true},
		{"one of a package", "validpgpkeys=('«8061E833A55F6FC0157C98B883E91FCFEEB1A71A»')", true},
		{"hex that nothing calls a fingerprint", "use «8061E833A55F6FC0157C98B883E91FCFEEB1A71A»", false},
		{"a name that a compiler wrote", "at «_ZN4llvm8ScopStmtE»", true},
		{"one of Rust", "«_ZN10hafen_kran7harbour17h0123456789abcdefE»", true},
		{"a name among others", "getHarbourName\nsetHarbourName\n«addHarbourKey2»\ndelHarbourName\nlistHarbours\n", true},
		{"a word among words", "moss\nheron\n«addHarbourKey2»\nquay\ncrane\n", false},
		{"a vector of a test", `{key: "«` + hexKey + `»", nonce: "` + hexKey + `", plaintext: "00ff"}`, true},
		{"a key beside one name of a test", `{key: "«` + hexKey + `»", nonce: "` + hexKey + `"}`, false},
		{"proof of a domain", `<meta name="site-verification" content="«` + randomKey + `»">`, true},
		{"an account in a directory", "objectSid:: «" + randomKey + "»", true},
		{"the link to a session", "see https://quay.example/code/«session_01KvHeYKuDnE»", true},
		{"an advisory", "see «GHSA-7rjr-3q55-vv33»", true},
		{"a temporary file", "open /var/folders/zz/«" + randomKey + "»", true},
		{"alone", "«" + randomKey + "»", false}, {"a password", "password=«Kies.grube_4»", false},
	}
	for _, c := range slices.Clone(cases) {
		c.name, c.text = c.name+", CRLF", strings.ReplaceAll(c.text, "\n", "\r\n")
		cases = append(cases, c)
	}
	for _, c := range cases {
		from, to := strings.Index(c.text, "«"), strings.Index(c.text, "»")-len("«")
		text := strings.NewReplacer("«", "", "»", "").Replace(c.text)
		for _, rule := range []string{scan.RulePassword, scan.RuleSecret, scan.RuleRandom} {
			s := &scan.Scanner{Text: text, Spans: []scan.Span{{Start: from, End: to, Rule: rule}}}
			if Veto(s); (len(s.Spans) == 0) != c.public {
				t.Errorf("%s, %s: %v is left", c.name, rule, s.Spans)
			}
		}
		// What a vendor's rule found is sure, and so is what was found elsewhere.
		s := &scan.Scanner{Text: text, Spans: []scan.Span{{Start: from, End: to, Rule: "github-pat"},
			{Start: from, End: to, Rule: scan.RulePassword, Value: "moss"}}}
		if Veto(s); len(s.Spans) != 2 {
			t.Errorf("%s: of two sure findings %v are left", c.name, s.Spans)
		}
	}
}

func TestTheNameBeforeWhatTheJudgeFoundMayBePublic(t *testing.T) {
	for before, want := range map[string]bool{
		"checksum: ": true, `"etag": "`: true, "client_ip=": false, "?gclid=": true, "?token=": false,
		`"public_key": "`: true,
		"sha=":            true, "build_id: ": true, "session_id: ": false, "salt: ": true, "password: ": false,
		"the digest ":        false,
		`digest := []byte("`: true, `digest: aws.String("`: true, "Sec-WebSocket-Key: ": true,
	} {
		s := &scan.Scanner{Text: before + randomKey}
		s.Spans = []scan.Span{{Start: len(before), End: len(s.Text), Rule: scan.RulePassword, Judged: true}}
		if Veto(s); (len(s.Spans) == 0) != want {
			t.Errorf("%q: %v is left", before, s.Spans)
		}
	}
}

// TestPublicForms lists what gives no access, whatever its name.
func TestPublicForms(t *testing.T) {
	for v, want := range map[string]bool{
		"GHSA-4hjh-wcwx-xvwj": true, "pk_test_51H8xYzAbCdEf": true, "GPLv2+": true, "0x7ffd3a2b": true,
		"1:4.13+dfsg1-4ubuntu3": true, "default-token-x7k2p": true,
		"Kies.grube_4": false, "q8Zt3LwV0yKc5RmX2nBd7HsJ": false,
	} {
		if got := Form(v); got != want {
			t.Errorf("%s: public %v, want %v", v, got, want)
		}
	}
}

func TestNamesOfPublicValues(t *testing.T) {
	for name, want := range map[string]bool{
		"publicKey": true, "file_hash": true, "db_password": false, "hash_salt": false,
		"nextPageToken": true, "X-Trace-Key": true, "siteKey": true, "token": false, "key": false, "data_key": false,
		"refreshToken": false,
	} {
		if got := Name(value.NameWords(name, nil)); got != want {
			t.Errorf("%s: public %v, want %v", name, got, want)
		}
	}
}

func TestALinkToASessionOpensNothing(t *testing.T) {
	for link, want := range map[string]bool{
		"https://quay.example/code/session_01KvHeYKuDnE":     true,
		"https://quay.example/login?session_id=01KvHeYKuDnE": false,
	} {
		if got := sessionLink(link); got != want {
			t.Errorf("%s: %v", link, got)
		}
	}
}
