package pair

import (
	"strconv"
	"strings"
	"testing"

	"keepmum/privacy/scan"
)

// notations are a name and its value, as programs, settings and people write them. PW and KEY stand for made-up
// values.
var notations = []string{
	"DB_PASSWORD=«PW»", "DB_PASSWORD=«PW»\r\nDB_HOST=db\r\n", "export PGPASSWORD='«PW»'",
	"  - MYSQL_ROOT_PASSWORD=«PW»",
	"ENV API_TOKEN=«KEY»", `db_password = "«PW»"`, `password := "«PW»"`, `password => '«PW»',`, `password ?= "«PW»"`,
	`password <- "«PW»"`, "password: «PW»", "password: '«PW»'", `"password": "«PW»",`, `'password' : '«PW»'`,
	`{"auth_token":"«KEY»"}`, `\"password\":\"«PW»\"`, `&quot;password&quot;:&quot;«PW»&quot;`,
	"<password>«PW»</password>", "<ns:password>«PW»</ns:password>", `<password type="text">«PW»</password>`,
	"<password><![CDATA[«PW»]]></password>", `<property name="password">«PW»</property>`,
	`<property name="password" value="«PW»"/>`, "<key>password</key>\n<string>«PW»</string>",
	"<th>Password</th><td>«PW»</td>",
	`{"name": "DB_PASSWORD", "value": "«PW»"}`, "- name: DB_PASSWORD\n  value: «PW»",
	"Server=db;PWD={«PW»};Database=shop",
	"Server=db;Password=«PW»;Database=shop", "password=«PW»&user=kim", "tool --password «PW»",
	"tool --password=«PW» next",
	"java -Dpassword=«PW» -jar x.jar", `setPassword("«PW»")`, `if (password == "«PW»") {`, `password != "«PW»"`,
	"${DB_PASSWORD:-«PW»}", `var token string = "«KEY»"`, `token: str = "«KEY»"`, `TOKEN: &'static str = "«KEY»"`,
	`const apiKey: Readonly<string> = "«KEY»"`,
	`jwtSecret := []byte("«PW»")`, `const secret = new TextEncoder().encode("«PW»")`, `getenv("PASSWORD") || "«PW»"`,
	"password (staging): «PW»", "Password.......: «PW»", "\"password\"\n  : \"«PW»\"", "? password\n: «PW»",
	"password: >-\n  «PW»", "password:: «PW»", "the password for staging is «PW»", "the password is «PW».",
	`password: Some("«PW»")`, "password: !!str «PW»", "password = [[«PW»]]", "my password is: `«PW»`",
	`"ParameterKey": "DbPassword", "ParameterValue": "«PW»"`, "+ name: DB_PASSWORD\n+ value: «PW»",
	"password has been changed to «PW»",
	`<Parameter Name=&quot;password&quot; Value=&quot;«PW»&quot;/>`, `creds = "kim:«PW»"`, "the token-«KEY»",
	"user kim, pass: «PW»", "[\"password\"]=>\n  string(11) \"«PW»\"\n",
	"[\"password\":protected]=>\n  string(11) \"«PW»\"\n", "[password:App\\User:private] => «PW»\n",
	"    Password    REG_SZ    «PW»\r\n",
	"    ApiToken    REG_EXPAND_SZ    «KEY»",
}

// bare is a notation without its marks, and with its values.
func bare(n string) string {
	return plain(strings.NewReplacer("«PW»", pw, "«KEY»", key).Replace(n))
}

func TestTheValueOfANameIsFoundInEachNotation(t *testing.T) {
	for _, n := range notations {
		want := strings.NewReplacer("«PW»", "«"+pw+"»", "«KEY»", "«"+key+"»").Replace(n)
		checkMarked(t, want, "first line\n"+want, strings.Repeat("some other line\n", 300)+want+"\n\nlast line\n")
	}
}

// "pass" and "secret" have several meanings: what follows them says which.
func TestWhatFollowsANameSaysWhatItMeans(t *testing.T) {
	checkMarked(t,
		`pass = "«hafenkran»"`, "user=kim pass=«violet77rhino»", "pass: «violet77rhino»", `secret = "«moss heron walrus»"`,
		`password = "«moss heron walrus»"`, "credentials: kim:«D0ku.Ablage»", "session-«8061e833a55f6fc0157c98b883e91fcf»",
		"pass: 17, fail: 3", "all tests pass", "they pass: see below", "secret: PayloadU8,", "token: SessionTicket,",
		"login: kim:abc",
		"token-getHarbourNameOfQuay", "secret-santa-list-2024", "credentials: http://quay",
	)
}

// What was found is replaced by a placeholder; where that stands there is nothing more to find.
func TestAPlaceholderIsNoValue(t *testing.T) {
	for _, n := range notations {
		text := bare(n)
		clean := scan.Replace(text, read(t, text), func(s scan.Span) string { return "[REDACTED:" + s.Rule + "#3f9a]" })
		if again := read(t, clean); len(again) > 0 {
			t.Errorf("%q: %v is found again", clean, mark(clean, again))
		}
	}
}

func TestTheKindOfANameIsTheRuleOfItsValue(t *testing.T) {
	for text, want := range map[string]string{
		"DB_PASSWORD=" + pw: scan.RulePassword, "passphrase: " + pw: scan.RulePassword,
		"API_TOKEN=" + key:            scan.RuleSecret,
		`access_token: "` + key + `"`: scan.RuleSecret,
	} {
		spans := read(t, text)
		if len(spans) != 1 || spans[0].Rule != want {
			t.Errorf("%s: %+v, want one %s", text, spans, want)
		}
		if name, _, _ := strings.Cut(strings.ReplaceAll(text, ":", "="), "="); KeyRule(name) != want {
			t.Errorf("the rule of %s is %s", name, KeyRule(name))
		}
	}
}

func TestWhatIsNoValueStays(t *testing.T) {
	checkMarked(t,
		"", "p", "password", "password=", "password: ", "=password", `password="`, `password=""`, "password\n",
		"DB_PASSWORD=\nX="+pw,
		"password: String", "password = os.environ[\"DB_PASSWORD\"]", "password=${DB_PASS}", "password: <password>",
		"password: changeme", "password: ********", "password = get_password()", "password: Optional[str] = None",
		"${DB_PASSWORD:?is not set}", "${DB_PASSWORD:+is set}",
		"--no-password   never ask", "--password PASSWORD   what to log in with", // help
		"--- PASS: TestLogin8 (0.02s)", "[PASS] Login_v2#4",
		"PASSWORD_MIN_LENGTH=12", "token_count = 123456", "tokenizer: bert-base-v2", "keyboard: us-intl-2",
		"public_key="+key, "cache key: "+key, "checksum/secret: "+key, "primary key: "+key, // public, or no secret
		"echo $password "+pw, "use %password "+pw, ".password .x7#Tulpe", "level=password x="+pw,
		// uses, selectors, log lines
		"std::password::"+pw, "field_password: Heslo", `"password", "`+pw+`": 1`,
		"the password must contain a digit", "enter your password to continue",
	)
}

// In UTF-8 that is cut or broken, in other alphabets, and beside NULs the same value is found.
func TestBytesThatAreNoTextHideNoValue(t *testing.T) {
	for _, around := range [][2]string{
		{"\xff\xfe ", " \xff"}, {"\x00\n", "\n\x00"}, {"ключ ", " ключ"}, {"密码 ", "\n密码"}, {"é\r\n", "\r\né"}, {"\ufeff",
			"\n"},
	} {
		checkMarked(t, around[0]+"DB_PASSWORD=«"+pw+"»"+around[1])
	}
	checkMarked(t, "password: «Größe77#Füße»", `password = "«Žluťoučký-88#Kůň»"`)
}

func TestALiteralThatNeverClosesEndsSomewhere(t *testing.T) {
	for _, open := range []string{`password = "`, "password = `", `password = """`, `password: '`, `password = R"(`,
		"<password>",
		"<password><![CDATA[", `setPassword("`, "${DB_PASSWORD:-", `\"password\":\"`} {
		for _, size := range []int{1, 20, scan.MaxValue, 3 * scan.MaxValue} {
			text := open + strings.Repeat("q8Zt3LwV", size/8+1)
			for _, s := range read(t, text) {
				if s.End-s.Start > scan.MaxValue {
					t.Errorf("%q and %d bytes: %d of them are one value", open, size, s.End-s.Start)
				}
			}
		}
	}
}

// A reader that followed each value to its end would read the rest of a text again and again.
func TestAFloodOfNamesIsReadInLinearWork(t *testing.T) {
	for _, unit := range []string{`password="`, "password=", "password:\n", `"password", `, "password is ",
		"<password>",
		"password|",
		"`password`\t", "pass-word-token_", "password[](", "password = `", "${password:-", "tokentoken", "secret=a;",
		"key.key.", "password#=", "token#: `", "<password#>", "password#=\"x"} {
		const times = 8000
		var flood strings.Builder
		for n := range times {
			flood.WriteString(strings.ReplaceAll(unit, "#", strconv.Itoa(n))) // no two of them have the same around
		}
		text := flood.String()
		read(t, text)
		const most = 64 // bytes of a value that are followed once there were too many
		if limit := 4*len(text) + 2*scan.MaxValue + most*work.names; work.followed > limit {
			t.Errorf("%q: %d bytes followed in %d", unit, work.followed, len(text))
		}
		if words := times * (strings.Count(unit, "key") + strings.Count(unit, "token") + 1); work.names > words {
			t.Errorf("%q: %d names among %d words", unit, work.names, words)
		}
	}
}

func FuzzNames(f *testing.F) {
	for _, n := range notations {
		f.Add(bare(n))
	}
	for _, text := range []string{"", "\xff", "default", `variable "db_password" { default = `,
		"user,password\nkim," + pw,
		"| password |\n|---|\n| " + pw + " |", "contraseña=" + pw, "clave:", "пароль: x"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 1<<14 {
			return
		}
		for _, s := range read(t, text) {
			if s.End-s.Start > scan.MaxValue+scan.MaxName {
				t.Errorf("a value of %d bytes", s.End-s.Start)
			}
		}
		for i := 1; i < len(work.marked); i++ {
			if work.marked[i].From <= work.marked[i-1].To {
				t.Errorf("stretches touch: %v", work.marked)
			}
		}
	})
}
