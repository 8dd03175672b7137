package keyname

import (
	"slices"
	"strings"
	"testing"
	"testing/quick"
)

func TestNamesInManyStyles(t *testing.T) {
	for want, names := range map[Strength][]string{
		Password: {
			"PASSWORD", "Password", "passwords", "dbPasswd", "DB-PASSWORD", "db.password", "mysql_pwd", "sudoPassphrase",
			"userpassword", "MYSQLPWD", "storepass", "rootpw", "passsword", "pasword", "passwrod", "mot de passe", "senha",
			"hasło_haslo",
			"jelszo", "wachtwoord", "wlan_key", "wpa-key", "wireless_wlan0_key", "pre-shared-key", "PresharedKey",
			"sessionSecret",
			"client_secret", "jwtSecrets", "secret_phrase", "pass_word", "proxyPassword", "newPassword", "password_confirmation",
			"password_prod", "PASSWORD_TEST_VALUE", "vault_pw", "psk",
		},
		Token: {
			"token", "tokens", "access_token", "accessToken", "apikey", "api-key", "API_KEYS", "secret", "SECRET_KEY",
			"private_key",
			"authtoken", "deploy_key", "masterKey", "encryption.key", "credentials", "creds", "secret_access_key_id",
			"password_sha256",
			"password_md5", "chave_secreta", "chave_api_x", "wallet_seed", "mnemonic", "auth_salt", "github_pat", "totp",
			"pepper",
			"signingkey", "pass", "tokenValue", "secretKEy",
		},
		Weak: {
			"authorization", "cookie", "session", "sessionId", "webhook_id", "some_key", "houseKey", "random_seed", "license",
			"jwt",
			"clave llave", "schluessel schluessel", "pat", "api", "login", "strangekey", "phpsessid",
		},
		NotSecret: {
			"", "_", "name", "id", "user", "key_id", "primary_key", "foreignKey", "publicKey", "hotkey", "cacheKey",
			"page_token",
			"max_tokens", "next token", "compass", "bypass", "proxy_pass", "two_pass", "keepass", "passage", "word", "phrase",
			"salt",
			"hashed_secret", "monkey", "turkey", "author", "tokenizer", "passenger", "secretary", "path", "double_sha",
			"value", "sha256",
			"\x00", "\xff\xfe", "日本語", "123", "chiave",
		},
	} {
		for _, name := range names {
			if got := Of(name); got != want {
				t.Errorf("%s: %d, want %d", name, got, want)
			}
		}
	}
}

// TestTheStyleOfANameDoesNotMatter compares snake_case, kebab-case, dots and CAPITALS.
func TestTheStyleOfANameDoesNotMatter(t *testing.T) {
	for last := range names().rules {
		for _, before := range []string{"db", "client", "next", "api", "public", "my"} {
			want := Of(before + "_" + last)
			for _, name := range []string{before + "-" + last, before + "." + last, strings.ToUpper(before + "_" + last),
				"x_" + before + "_" + last} {
				if got := Of(name); got != want {
					t.Errorf("%s: %d, and %s_%s: %d", name, got, before, last, want)
				}
			}
		}
	}
}

func TestIgnoredWordsChangeNothing(t *testing.T) {
	for word := range names().ignored {
		for name, want := range map[string]Strength{"client_secret": Password, "api_key": Token, "cookie": Weak} {
			if got := Of(name + "_" + word); got != want {
				t.Errorf("%s_%s: %d, want %d", name, word, got, want)
			}
		}
	}
}

func TestTheFirstLineThatFitsDecides(t *testing.T) {
	table := readTable("# words\nno key after public\ntoken key after api secret\nweak key\npassword word after " +
		"*\ntoken one after -\nignored old\n")
	for _, c := range []struct {
		last, before string
		want         int // index of the rule, -1 for none
	}{{"key", "public", 0}, {"key", "secret", 1}, {"key", "", 2}, {"word", "any", 0}, {"word", "", -1}, {"one", "", 0},
		{"one", "two", -1}} {
		got := slices.IndexFunc(table.rules[c.last], func(r rule) bool {
			return r.after == nil || r.after[c.before] || r.after["*"] && c.before != ""
		})
		if got != c.want {
			t.Errorf("%s after %q: rule %d, want %d", c.last, c.before, got, c.want)
		}
	}
	if !table.ignored["old"] || len(table.rules["old"]) > 0 {
		t.Errorf("%+v", table)
	}
}

func TestWordsThatNoLineReaches(t *testing.T) {
	for last, rules := range names().rules {
		if last != "pass" && strings.HasSuffix(last, "s") && last != "requirepas" {
			t.Errorf("%s: names are compared in the singular", last)
		}
		for i, r := range rules {
			if r.after == nil && i < len(rules)-1 {
				t.Errorf("%s: the lines after the one for all names are never read", last)
			}
		}
	}
}

func TestWordsLoseNoLetter(t *testing.T) {
	check := func(name string) bool {
		joined := strings.Join(Words(name, nil), "")
		var letters strings.Builder
		for i := range len(name) {
			if c := name[i] | 0x20; c >= 'a' && c <= 'z' {
				letters.WriteByte(c)
			}
		}
		return joined == letters.String()
	}
	if err := quick.Check(check, nil); err != nil {
		t.Error(err)
	}
}

// FuzzOf checks that any name has a strength, whatever is far before its end.
func FuzzOf(f *testing.F) {
	for _, s := range []string{"", "a", "DB_PASSWORD", "\x00", "\xff", strings.Repeat("Ab", 100), "s", "ss", "key",
		"pass"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, name string) {
		if got := Of(name); got > Password {
			t.Fatalf("%q: %d", name, got)
		}
		if got := Of(strings.Repeat(name+"_", 3) + strings.Repeat("x", 128) + "_client_secret"); got != Password {
			t.Fatalf("%q before a secret: %d", name, got)
		}
	})
}
