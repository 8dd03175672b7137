package place

import (
	"encoding/base64"
	"strings"
	"testing"
)

func TestThePasswordOfALinkIsFound(t *testing.T) {
	checkMarked(t, inText(
		"postgres://kim:«PW»@db.example/shop", "https://kim:«hafen»@example.org", "see (https://kim:«hafen»@example.org)",
		"redis://:«hafen»@cache", "https://«KEY»@git.example/x", "amqp://kim:«a@b!Kq9»@mq",
		"ftp://kim:«Kq9/vTz7LmWr3Nb8Yd»@host",
		`"url": "mysql:\/\/kim:«hafen»@db"`, "${SCHEME}://${USER:-kim}:«hafen»@db", "https://кім:«hafen»@example.org",
		"a://kim:«%24ommer2031»@b", "a://kim:«ha(fen)31»@b",
		"a://kim:«hafen»@b, c://lea:«kran»@d",
	)...)
	checkMarked(t, inText(
		"", "://", "://@", "https://", "https://@", "https://:@x", "https://example.org/a:b@c",
		"https://example.org:8080/path@2.0",
		"https://kim@example.org", "https://kim:kim@example.org", "https://user:password@example.org",
		"https://kim:${PASS}@example.org",
		"https://kim:<password>@example.org", "https://kim:Kq7@example.org", "https://[user[:password]@]host",
		"https://kim:********@x", "https://kim:%24PASS@x", "https://kim:%24%7BPASS%7D@x", "https://kim:%3Cpass%3E@x",
		"https://kim:%20s@x", "https://kim:%PASS%@x", "https://kim:(\\w+)@x", "https://kim:$(pw kim31)@x",
		"https://kim:pass(31)@x", "https://kim:([a-z]+)31@x",
		"https://example.org:group/Repo31@2.0", "https://$HOST:$PORT/a31@b",
		"http://localhost:PORT1/api/!x@y", "http://host:Team1/docs!B@v2",
		"https://kim:\nPW@x", "git://example.org/x.git mail kim:PW@example.org",
	)...)
	// The address of something longer has no password.
	checkMarked(t, "https://kim:"+strings.Repeat("x", maxAuthority)+"@example.org")
}

func TestTheCredentialOfAHeaderIsFound(t *testing.T) {
	basic := base64.StdEncoding.EncodeToString([]byte("kim:" + pw))
	example := base64.StdEncoding.EncodeToString([]byte("user:password"))
	checkMarked(t, inText(
		"Authorization: Bearer «KEY»", "authorization: Basic «"+basic+"»", `-H "Authorization: token «KEY»"`,
		"Authorization: «PW»",
		`{"Authorization": "Bearer «KEY»"}`, `headers["Authorization"] = "Bearer «KEY»"`,
		"Authorization => 'Bearer «KEY»'",
		`\"Authorization\": \"Bearer «KEY»\"`, "Proxy-Authorization: Basic «"+basic+"»", "Authorization: Basic kim «PW»",
		"Cookie: sid=«KEY»; theme=dark", "Set-Cookie: session=«KEY»; Path=/; HttpOnly",
		"Cookie: lang=de; auth_token=«KEY»; x=«PW»",
		"Basic «"+basic+"»",
	)...)
	checkMarked(t, inText(
		"Authorization", "Authorization:", "Authorization: ", "Authorization: Bearer", "Authorization: Bearer ",
		"Authorization: Bearer <token>",
		"Authorization: Bearer ${TOKEN}", "Authorization: Bearer token", "Authorization: Basic "+example,
		"Authorization == Bearer KEY",
		"the authorization of a user", "Authorization: Sometimes KEY", `"Authorization": "Bearer " + token()`,
		"Basic "+example, "basic setup of it",
		"Cookie: theme=dark; lang=de", "Cookie: path=PW", "Cookie: sid=${SID_VALUE}", "cookie", "Cookie: ;;==;",
	)...)
}

// jwt is a made-up token of the form that its parts need.
func jwt() string {
	part := base64.RawURLEncoding.EncodeToString
	head, claims := `{"alg":"HS256","typ":"JWT"}`, `{"sub":"kim","n":77}`
	return part([]byte(head)) + "." + part([]byte(claims)) + "." + part([]byte(random+random[:8]))
}

func TestATokenOfThreePartsIsFound(t *testing.T) {
	token := jwt()
	head, _, _ := strings.Cut(token, ".")
	checkMarked(t, "«"+token+"»", "x=«"+token+"»", `"«`+token+`»"`, "id «"+token+"», more",
		"a «"+token[:len(token)-9]+"»")
	if got := mark(token[:50], found(t, token[:50], false)); got != "«"+token[:50]+"»" {
		t.Errorf("of a token that was cut off: %s", got)
	}
	checkMarked(t, "eyJ", "eyJ.", "x"+head, head+" and more", "eyj"+head[3:], strings.Repeat("eyJ", 3)+" x")
}

func TestAccountsOfCommandsAndFiles(t *testing.T) {
	checkMarked(t, inText(
		"curl -u kim:«PW» https://x.example", "curl -u 'kim:«two words»' x", `curl -u "kim:«PW»" x`,
		"curl --user=kim:«hafen» x",
		`"cmd": "curl -u \"kim:«PW»\" x"`, "lftp -u kim,«PW» x", "smbclient //x/y --user kim%«PW» -c ls",
		"db.example:5432:shop:kim:«PW»", "localhost:*:*:kim:«hafen»", // of a password file
		"tool -u kim -p «PW» x", "sshpass -p '«hafen»' ssh x", "sqlplus kim/«PW»@db", `sqlplus "kim/«hafen»@db"`,
	)...)
	checkMarked(t, inText(
		"curl -u kim https://x", "curl -u kim: x", "curl -u kim:abc x", "curl -u ${USER}:${PASS} x", "curl -u $USER:PW x",
		"docker run -u 1000:1000 x", "chown -u a::b x",
		"curl -u <user>:<password> x", "-u ", "x -u ", "x -u \\", "x -u \"", "see kim:PW", "db:5432:shop",
		"https://db:5432:a:b:PW/x",
		"tool -p PW", "tool -u kim -p 8080", "tool -u kim -p --next", "tool -u kim -p ", "mysql -u kim -p shop_db",
		"sqlplus kim", "sqlplus / as sysdba", "sqlplus kim/${PASS}@db", "sqlplus kim/abc@db",
		"sqlplus one two three four five six seven eight a/bcde@f",
	)...)
}

func TestPersonalDataIsFoundInStrictModeOnly(t *testing.T) {
	// None of these is anybody's: the card and the account are those of manuals, the addresses those of name servers.
	for _, want := range []string{
		"mail «kim@mail.example.org», please", "«kim.k+x@a-b.example»", "tel «+49 30 1234567»",
		"call «(212) 555-0123» now",
		"card «4242 4242 4242 4242»", "«DE89 3704 0044 0532 0130 00»", "IBAN: «GB82WEST12345698765432»",
		"from «8.8.8.8»:53", "at «2001:4860:4860::8888»", "ключ «kim@mail.example.org»",
		// a card and an account with a wrong check digit, addresses of nobody, versions, dates
		"card 4242 4242 4242 4243", "DE88 3704 0044 0532 0130 00", "10.0.0.1 and 192.168.1.7", "127.0.0.1", "203.0.113.9",
		"::1", "fe80::1",
		"999.8.8.8", "1.3.6.1.4.1.311.21.20.8", "kim@localhost", "@", "a@", "@b.example", "2026-11-23 10:20:30",
		"00:1a:2b:3c:4d:5e",
		"0000 0000 0000 0000", "", "\xff@\xff.\xff", "sum 12345678", "\x00",
	} {
		text := strings.NewReplacer("«", "", "»", "").Replace(want)
		if got := mark(text, found(t, text, true)); got != want {
			t.Errorf("got  %q\nwant %q", got, want)
		}
		if spans := found(t, text, false); len(spans) > 0 {
			t.Errorf("%q, and not strict: %v", text, spans)
		}
	}
}
