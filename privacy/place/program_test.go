package place

import (
	"slices"
	"strings"
	"testing"

	"keepmum/longtest"
	"keepmum/privacy/assign"
	"keepmum/privacy/scan"
	"keepmum/privacy/value"
)

func TestLiteralsInCallsThatLogIn(t *testing.T) {
	checkMarked(t, inText(
		`req.SetBasicAuth("kim", "«PW»")`, `auth=("kim", "«hafen77»")`, "client.login('kim', '«PW»')",
		`WiFi.begin("quay", "«hafen77»");`,
		`new NetworkCredential("kim", "«hafen77»", "corp")`, `.auth("«PW»")`,
		"await login(\"kim@mail.example\",\n  \"«PW»\")",
		`new AuthenticationToken("kim", "«Hafen!kran»")`, `b.basic_auth("kim", Some("«hafen-kranich»"))`,
		`new mysqli("db", "kim", "«PW»", "shop")`, `epgsql:connect("db", "kim", "«hafen+kran77»", [])`,
		`new PDO("mysql:host=db", "root", "«PW»")`,
		`PlainAuth("", "kim@mail.example", "«PW»", "mail")`,
	)...)
	checkMarked(t, inText(
		`req.SetBasicAuth(user, pass)`, `auth=("kim", "changeme")`, `login("github", "PW")`, `.login("kim")`, "auth=(",
		`basic_auth("kim", Some("user-token"))`, `s.connect("unix", "quay", "upper-layer")`,
		`auth=("`, `auth=("kim", "`,
		`credentials("one", "two", "three", "four", "PW")`, `new PDO("mysql:host=db", user, pass)`, `connect("PW")`,
		`mysqli("db", "kim", "${PASS}")`,
	)...)
}

func TestWordsOfCommands(t *testing.T) {
	checkMarked(t, inText(
		"htpasswd -bc users.txt kim «hafen77»", "redis-cli -a «PW» ping", "redis-cli -a '«two words»' ping",
		"mysql -p«PW» shop", "mysql -p«H4fen=kran» shop", "mysql -p«@Hafen2044kran» shop", "openssl -k «PW» x",
		`ConvertTo-SecureString "«hafen77»" -AsPlainText`, "ConvertTo-SecureString «hafen77» -AsPlainText -Force",
	)...)
	checkMarked(t, inText(
		"htpasswd -c users.txt kim hafen77", "redis-cli -a $PASS ping", "redis-cli -a", "redis-cli ", "redis-cli -a ''",
		"mysql -p shop", "mysql -port=localhost shop", "mysql -p@Hafen shop",
		"ConvertTo-SecureString $value -AsPlainText", "ConvertTo-SecureString \"$(x)yz\"", "redis-cli -a <password>",
		"redis-cli\n-a PW",
	)...)
}

func TestAMemberMayBeMarkedAsSecret(t *testing.T) {
	checkMarked(t, inText(
		`{"name": "DB_PASSWORD", "value": "«PW»"}`, `{"value": "«PW»", "type": "SecureString"}`,
		`{"key": "api_password", "value": "Bearer «KEY»"}`,
		`{"sensitive": true, "value": "«hafen77»"}`, `{"db_password": {"value": "«PW»"}}`,
		`{"masked":true,"value":"«hafenkran»"}`,
		"- value: «PW»\n  name: DB_PASSWORD", "db_password:\n  value: «PW»",
		`{\"name\":\"DB_PASSWORD\",\"value\":\"«PW»\"}`,
		`{"name": "Cookie", "value": "sid=«KEY»; theme=dark"}`, `{"secret":true,"value":"«PW»"}`,
	)...)
	checkMarked(t, inText(
		`{"name": "colour", "value": "PW"}`, `{"value": "PW"}`, `{"name": "DB_PASSWORD", "value": ""}`,
		`{"name": "DB_PASSWORD", "value": "${X}"}`,
		`{"name": "DB_PASSWORD", "value": "see the safe"}`, `{"name": "DB_PASSWORD", "value": "/run/secrets/db"}`,
		`"value"`, `"value": "`,
		`{"name": "DB_PASSWORD"}, {"value": "PW"}`, `{"sensitive": false, "value": "PW"}`, "value: PW\nother: x",
		`{"value": {"name": "DB_PASSWORD"}}`,
	)...)
}

func TestOutputBelowACommandThatPrintsSecrets(t *testing.T) {
	checkMarked(t,
		"$ pass show work/db\n«hafenkran»\nuser: kim", "$ pass show work/db\r\n«hafenkran77»\r\n",
		"kim@quay:~$ pass show work/db\n«hafenkran»\n", "[kim@quay ~]$ pass show work/db\n«hafenkran»\nkim@quay:~$ ls\n",
		"root@quay:# $ pass show work/db\n«hafenkran»\n$ ls",
		"$ gh auth token\n«"+random+"»",
	)
	checkMarked(t, "$ ls\nhafenkran77\n", "$ pass show work/db", "$ pass show work/db\n", "$ pass show work/db\n\n",
		"$ pass show work/db\n$ ls\nhafenkran77",
		"it costs 7$ pass show work/db\nno secret here", "$ pass show work/db\n/etc/passwd\n")
}

func TestLinesOnStandardInputAreEachAPassword(t *testing.T) {
	for text, want := range map[string][]string{
		"": nil, "hafen": {"hafen"}, "kim:hafen\nlea:kran": {"hafen", "kran"}, `kim:hafen\nlea:kran`: {"hafen", "kran"},
		"a b c": {"a b c"},
		"abc":   nil, "-flag": nil, "%s\n": nil, "\"quoted\"": nil, "hafen…": nil, "http://quay": {"//quay"},
		":hafen":                 {":hafen"},
		strings.Repeat("x", 128): nil, "ключ-слово": {"ключ-слово"},
	} {
		var lines []string
		for _, v := range want {
			lines = append(lines, `password: "`+v+`"`)
		}
		if got := StdinPasswords(text); !slices.Equal(got, lines) {
			t.Errorf("%.20q: %q, want %q", text, got, lines)
		}
	}
}

func TestATokenThatNothingNamesIsRandom(t *testing.T) {
	for text, want := range map[string]bool{
		random: true, body: true, "sha256:KEY": false, "66f8ec73-c22d-4671-81ba-22c60b81f161": false,
		"getHarbourNameOfQuay2": false,
		strings.Repeat("x", 30): false, strings.Repeat(random, 9): false, "": false,
	} {
		text = strings.Replace(text, "KEY", random, 1)
		s := &scan.Scanner{Text: text, Set: readers()}
		from := strings.IndexByte(text, ':') + 1
		if Unknown(s, from, len(text)); (len(s.Spans) == 1) != want {
			t.Errorf("%.30q: %v", text, s.Spans)
		}
	}
}

func TestTheNextLineStartsBehindABreak(t *testing.T) {
	for text, want := range map[string]int{"": 0, "a": 1, "a\nb": 2, "a\r\nb": 3, "\n": 1} {
		if got := value.NextLine(text, 0); got != want {
			t.Errorf("%q: %d, want %d", text, got, want)
		}
	}
}

// A flood of the words that set readers off is read in bounds, and each stretch is found once.
func TestAFloodOfPlacesIsReadInBounds(t *testing.T) {
	const times = 1500
	for i, tr := range triggers() {
		if !longtest.Every(7, i) {
			continue
		}
		for _, word := range tr.Words[:1] {
			for _, unit := range []string{word, word + "x", word + ` "a:` + pw + `" `, word + "\n"} {
				text := strings.Repeat(unit, times)
				spans := readers().Read(text, scan.Options{})
				if len(spans) > 2*times {
					t.Errorf("%q: %d spans in %d repeats", unit, len(spans), times)
				}
				covered := 0
				for _, s := range spans {
					covered += s.End - s.Start
				}
				if covered > 4*len(text)+maxLooks*scan.MaxValue {
					t.Errorf("%q: spans of %d bytes in %d", unit, covered, len(text))
				}
			}
		}
	}
	readers().Read(strings.Repeat(`{"name":"db_password","value":"x"}`, times), scan.Options{})
	if marks < assign.MaxMarks || marks > 2*times {
		t.Errorf("%d members", marks)
	}
}

func FuzzPlaces(f *testing.F) {
	for _, tr := range triggers() {
		for _, word := range tr.Words[:min(len(tr.Words), 4)] {
			f.Add(word, false)
			f.Add(word+` "kim:`+pw+`"`, false)
		}
	}
	for _, text := range []string{"", "\xff", pem("RSA PRIVATE KEY", body+"\n"), "kim@mail.example.org", "8.8.8.8",
		"[1,2,3]", "4242 4242 4242 4242",
		"kind: Secret\ndata:\n  a: |\n    b", `{"kty":"EC","d":"` + body + `"}`, "DE89 3704 0044 0532 0130 00"} {
		f.Add(text, true)
	}
	f.Fuzz(func(t *testing.T, text string, strict bool) {
		if len(text) < 1<<14 {
			found(t, text, strict)
		}
		for _, line := range StdinPasswords(text) {
			if strings.Contains(line, "\n") {
				t.Errorf("more than a line: %q", line)
			}
		}
	})
}
