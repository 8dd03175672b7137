package pair

import (
	"strings"
	"testing"
)

func TestRowsOfAnInsertAreReadByTheirColumns(t *testing.T) {
	checkMarked(t,
		"into users (login, password) values ('kim', '«hafen»'), ('lea', '«kran»');",
		"into users (password, age) values ('«haf''en»', 3),\n ('«kr(an»', 4)",
		"into users (id, login, passwd) values\n  (1, 'kim', '«hafenkran»'),\n  (2, 'lea', '«mondkran»');",
		"into users (login, password) values ('kim', sha2('hafen', 256))",
		"into users (login, password) values (?, ?), ('lea', '«kran»')",
		"into users (login, age) values ('kim', 'hafen')",
		"into users values ('kim', 'hafen')",
		"CREATE TABLE `users` (\n  `id` int,\n  `login` varchar(10) DEFAULT 'a,b',\n  `password` varchar(20),\n"+
			"  PRIMARY KEY (`id`)\n);\nINSERT INTO `users` VALUES (1,'kim','«hafen»'),(2,'lea','«kran»');\n"+
			"INSERT INTO `users` VALUES (3,'ben','«moor»');",
		"create table if not exists shop.users(id int, name text, password text);\n"+
			"insert into users values(1,'kim','«hafen»');",
		"create table users (name text, password text); insert into orders values ('kim', 'hafen')",
		"create table users (name text, password text, primary key (name)); insert into users values ('kim', 'hafen', 1)",
		"create table users (name text, age int); insert into users values ('kim', 'hafen')",
		"create table old_users (name text, password text); insert into users values ('kim', 'hafen')",
		"create table users (name\ttext, password\ttext, n decimal(3,1)); insert into Users values ('kim', 'hafen', 1);"+
			"insert into users values ('kim', '«hafen»', 1)",
		"create table users (\n  id int, -- the key, unique\n  -- who's it?\n  name text, /* not (null */\n"+
			"  password text -- the user's\n);\ninsert into users values (1, 'kim', '«hafen»');",
		"create table users (id int, password text);\ncreate table orders (n int, uid int references users(id));\n"+
			"insert into users values (1, '«hafen»');",
		"create temp table if not exists \"shop\".\"users\" (id int, password text);\n"+
			"insert into shop.users values (1, '«hafen»');",
		"create table orders (n int references users (id, password)); insert into users values (1, 'hafen')",
		"select users (name, password); insert into users values ('kim', 'hafen')",
		"(login, password) and then: insert into users values ('kim', 'hafen')",
		"into `users` (`login`, `user_password`) values ('kim', \"«hafen»\") where 1=1",
		"into users (login, password) values ('bardin', '%s')",
		"into users (login, password) select 'kim', '«hafen»'",
		"INSERT INTO users (password, login)\nSELECT '«ha;fen»', 'kim'\nWHERE NOT EXISTS (SELECT 1 FROM users WHERE id = 1);",
		"into users (login, password) select 'kim', '«hafen»' from dual, old; select 'a', 'hafen'",
		"into users (login, password) select login, password from old where login = 'kran'",
		"into users (login, password) select 'kim', coalesce(p, 'hafen') from old",
		"into users (login, password) select 'kim', sha2('hafen', 256)",
		"into users (login, password); select 'kim', 'hafen'",
		"into [users] ([login], [password]) values ('kim', '«hafen»')",
		`"into users (\"login\", \"password\") values ('kim', '«hafen»')"`,
		"into users (login, contraseña) values ('kim', '«hafen»')",
		"into users (login, hasło) values ('kim', '«hafen»')",
		"into users (login, clave) values ('kim', '«Moor82#hafen»'), ('lea', 'hafen')",
		"into users (login, пароль) values ('kim', '«hafen»')",
		"into users (login, 密码) values ('kim', '«hafen»')",
		"into users (password)\nvalues ('«hafen»')",
		"into users (login, public_key) values ('kim', 'hafen')",
		"f(login, password), default values (1, 'hafen')",
		`execute("into users (name, password) values (%s, %s)", ("kim", "«hafen»"))`,
		`executemany("into users (name, password) values (?, ?)", [('kim', '«hafen»'), ('lea', '«kran»')])`,
		"into users (name, password) values ('kim', '«hafen»'), -- first\n ('lea', '«kran»')",
		`"into users (\n  login,\n  password\n) values\n ('kim', '«hafen»')"`,
		"into users (id, password, "+strings.Repeat("some_column, ", 60)+"last) values (1, '«hafen»', "+
			strings.Repeat("0, ", 60)+"2)",
	)
}

// A dump has more rows than other tables, and its columns may have the names of many secrets.
func TestAllRowsOfADumpAreRead(t *testing.T) {
	rows := strings.Repeat(" ('', '', '', '', '', '', 'kim', '«hafen»'),\n", 500)
	checkMarked(t, "into users (session_token, api_token, access_token, api_key, license_key, reset_token, login, "+
		"password) values"+rows+" ('', '', '', '', '', '', 'lea', '«kran»');")
}

func TestRowsInBracketsAreReadByTheirColumns(t *testing.T) {
	checkMarked(t,
		`{"columns":["user","password"],"rows":[["kim","«Tulpe77#feld»"],["lea","«Kran9#hafen»"]]}`,
		"{\n  \"fields\": [\"id\", \"password\"],\n  \"data\": [\n    [1, \"«Tulpe77#feld»\"]\n  ]\n}",
		`[["user","db_password"],["kim","«Tulpe77#feld»"]]`,
		`{"cols":["id","secret_key"],"data":[[1,"«kq9Zr3vT8mLw2Yx7Pq4T»"],[2,null]]}`,
		`{"columns":["user","password"],"rows":[["kim","text"],["lea","varchar"]]}`,
		`{"columns":["user","password"],"rows":[["Tulpe77#feld"]]}`,
		"fields = [\"email\", \"password\"]\nlabels = [\"E-mail\", \"Tulpe77#feld\"]",
		`{"columns":["user","password"],"data":[["kim","«Moor82#hafen»"],["lea","lea.password"]]}`,
		`{"columns":["user","password"],"index":[0,1],"data":[["kim","«Tulpe77#feld»"],["lea","«Kran9#hafen»"]]}`,
		`pd.DataFrame([["kim","«Moor82#hafen»"]], columns=["user","password"])`,
		"df = DataFrame([\n  ('kim', '«Tulpe77#feld»'),\n  ('lea', '«Kran9#hafen»'),\n], columns=['user', 'password'])",
		`{"index":[0],"data":[["kim","«Moor82#hafen»"]],"columns":["user","password"]}`,
		`labels = [["E-mail", "Tulpe77#feld"]]; columns = ["email", "password"]`,
		`show([["kim", "Tulpe77#feld"]], hidden=["user", "password"])`,
		`show([["kim", "Tulpe77#feld", 3]], columns=["user", "password"])`,
		`{"fields": ["email", "password"], "labels": ["E-mail", "Tulpe77#feld"]}`,
		`only(["user", "password"]); check(["kim", "Tulpe77#feld"])`,
		`{"index":[[0,1]],"columns":["id","user","password"],"data":[[1,"kim","«Tulpe77#feld»"]]}`,
	)
}

func TestCellsBelowAHeadInHTMLAreFound(t *testing.T) {
	checkMarked(t,
		"<table><tr><th>User</th><th>Password</th></tr><tr><td>kim</td><td>«Tulpe77#feld»</td></tr></table>",
		"<tr>\n<th>Password</th>\n<th>Note</th>\n</tr>\n<tbody><tr>\n<td><code>«Tulpe77#feld»</code></td>\n<td>old</td>",
		"<tr><th>User</th><th>Password</th></tr><tr><td>Tulpe77#feld</td><td>none</td></tr>",
		"<TR><TD>User</TD><TD>Password</TD></TR>\n<TR><TD>kim</TD><TD>«Tulpe77#feld»</TD></TR>",
		"<tr><td>Password</td><td>none</td></tr><tr><td>Tulpe77#feld</td><td>none</td></tr>",
		"<tr><th>User</th><th>Password</th></tr><tr><td>kim</td><td>{{ user.password }}</td></tr>",
		"<tr><th>Password</th></tr></table><tr><td>Tulpe77#feld</td></tr>",
		"<tr><th>User</th><th>Password</th></tr><tr><td>Tulpe77#feld",
		"<tr><th>#</th><th>Password</th></tr><tr><th scope=\"row\">1</th><td>«Tulpe77#feld»</td></tr>",
		"<tr><th>User</th><th>Password</th></tr><tr><td>kim</td><td><a href=\"/reset\">Tulpe77#feld</a></td></tr>",
	)
}

func TestMembersUnderANameOfPasswordsAreRead(t *testing.T) {
	checkMarked(t,
		`{"passwords":{"kim":"«Tulpe77#feld»","lea":"«Kran9#hafen»"}}`,
		`user_passwords = ['«Tulpe77#feld»', '«Kran9#hafen»']`,
		"passwords:\n  kim: «Tulpe77#feld»\n  lea: '«Kran9#hafen»'\nhost: Otter9#lampe",
		`password: { type: "String", minLength: 8, pattern: "^[a-z]+$" }`,
		"{\n  \"passwords\": {\n    \"kim\": \"«Moor82#hafen»\"\n  }\n}",
		`{"passwords": {"kim": {"prod": "«Moor82#hafen»", "dev": "«Kran9#hafen»"}, "lea": ["«Tulpe77#feld»", null]}}`,
		"passwords = {\n  'kim': {\n    'value': '«moorhafen9#»'\n  }\n}",
		`{"passwords": {"policy": {"type": "string", "pattern": "Tulpe77#feld"}}}`,
		`{"passwords": {"kim": "«Tulpe77#feld»", "lea": {"value": "Kran9#hafen", "description": "old one"}}}`,
		"passwords = {\n kim: '«Tulpe77#feld»', // old; see wiki\n lea: '«Kran9#hafen»',\n}",
		`{"passwords": {"reset": {"template": "mails/reset.html", "sender": "kim@quay.example"}}}`,
		`password: { rules: { hint: "Tulpe77#feld" } }`,
		"passwords:\r\n  kim: «Tulpe77#feld»\r\n  lea: «Kran9#hafen»\r\n",
		"passwords:\n  min: 12\n  hash: argon2id\n",
		`users = {"kim": "Tulpe77#feld"}`,
		`password: { type: 'string', minLength: 8, example: 'Tulpe77#feld' }`,
		`"password": {"type": "string", "example": "Tulpe77#feld"}`,
		"password:\n  type: string\n  example: Tulpe77#feld\n",
		`{"passwords": {"kim": "a3f9c2e1-77b4-4c1e-9d00-112233445566"}}`,
		"passwords:\n"+strings.Repeat("  a: b\n", maxRows)+"  kim: Tulpe77#feld\n",
	)
}

func TestBothSidesOfAWordDiffAreRead(t *testing.T) {
	checkMarked(t,
		"password: [-«otterLampe7»-]{+«Tulpe77#feld»+}",
		"[-password=«otterLampe7»-]{+password=«Tulpe77#feld»+}",
		"password: [-see the wiki-]{+«Tulpe77#feld»+}",
	)
}

func TestAccountsInLiteralsAreReadByTheirNames(t *testing.T) {
	checkMarked(t,
		`basicAuth: "kim:«tulpefeld77»"`, `"auth": "kim:«tulpe-feld»"`, `vars.http_auth_pair = "quay:«Tulpe77»"`,
		`auth=kim:«Tulpe.77#x»`, `"auth": "auth:sanctum"`, `auth: "repo:read-write"`, `"auth": "npm:tulpe-feld"`,
		`auth: "sha256:9f86d081884c7d65"`, `auth: "kim:$PASS"`, `auth: kim`, `key_pair = "kim:tulpefeld77"`,
	)
}

func TestTheNthArgumentOfACall(t *testing.T) {
	for text, want := range map[string]string{
		`f("a", "b", "c")`: "b", `f(host, "b")`: "b", `f(g("a", "x"), 'b')`: "b", `f("a", b)`: "", `f("a")`: "", "f(": "",
		`f: ["a", "b"]`: "b", `f: ("a", "b")`: "b", `f: "a", "b"`: "", "f: ": "", `f("a", "")`: "",
	} {
		got := ""
		for _, s := range NthArgument(text, 2, 2) {
			got = s.In(text)
		}
		if got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}

func TestAnOldAndANewPasswordAreRead(t *testing.T) {
	checkMarked(t, `  ~ password = "«Tulpe77#feld»" -> "«Kran9=hafen»" # forces replacement`,
		`  ~ password = "«Tulpe77#feld»" -> (sensitive value)`, `password = "«Tulpe77#feld»" -> "$PW"`)
	checkMarked(t, "  PW alt: «Tulpe77#feld», PW neu: «Kran9#hafen»",
		"password new: «Tulpe77#feld»", "password new: see there")
}

func TestThePassphraseOfASectionIsTheRestOfItsLine(t *testing.T) {
	checkMarked(t,
		"[wifi-security]\nkey-mgmt=wpa-psk\npsk=«otter lampe moor»\n",
		"[wifi-security]\n*psk = «otterlampe»\n",
		"[vpn]\npassword=none at all\n",
		"run password=none otter lampe\n",
	)
}

func TestRowsThatACopyReadsBelongToItsColumns(t *testing.T) {
	checkMarked(t,
		"COPY public.members (id, mail, password, note) FROM stdin;\n7\tkim@quay.example\t«Tulpe77#»\tx\n"+
			"8\tlea@quay.example\t«kranich5985»\tPlain5985\n\\.\nSELECT 1\tSELECT\tTulpe5985\tx;\n",
		"COPY keys (name, api_token) FROM STDIN WITH (ENCODING 'UTF8');\nmail\t«q8Zt3LwV0yKc5RmX2nBd7HsJ»\r\nmap\t\\N\r\n",
		"copy members (password) from stdin;\n«tulpe-feld»\n\\.\n",
		"COPY members (id, name) FROM stdin;\n7\tTulpe7711\n\\.\n",
		"The tool reads a file (user, password) from stdin.\nkim\tTulpe\tx\n", "(password) from stdin\nTulpe7711\n",
		"COPY members (id, password) FROM stdin;", "from stdin",
	)
}
