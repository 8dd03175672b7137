package value

import (
	"strings"
	"testing"
)

func TestATemplateIsFilledInElsewhere(t *testing.T) {
	property{Template,
		[]string{
			"${DB_PASS}", "$(pass show db)", "$DB_PASS", "$cfg['key']", `$cfg["key"]`, "$user->key", // of shells, PHP
			"<password>", "<your token>", "{token}", "{{ .Values.pass }}", "[password]", // of manuals, charts
			"%s", "%lu", "%-8d", "%NAME%", "%(name)s", "%{name}", // of formats
			"@vault", "@scope/pack:createUserToken", "@Microsoft.KeyVault(x)", "@PASSWORD@", "#{secret}", "&anchor",
			"__PASSWORD__",
			"$Hafen", "$Hafen2", "$hafen2044kran", "$X509Cert", "$Sha256Sum", "$HAFEN2044KRAN", "@Hafen2044", "&Hafen20kran",
			"x[REDACTED]", "<redacted>", "[MASKED]",
		},
		[]string{
			"hafenkran", "$2b$10$N9qo8uLOickgx2ZMRZoMy", "$tr0ng!Pass", "<9$kQ", "{9$kQ", "[9$kQ", "%Kq8vTz2", "@9$kQ", "#9kQ",
			"$Hafen2044kran", "@Hafen204kran", "&Hafen2044kr", "&9kQ", "__x9", "x__", "«password»",
		},
	}.check(t)
}

func TestAMaskHidesAValue(t *testing.T) {
	property{RepeatedCharacter,
		[]string{"", "********", "xxxxxxxx", "aaaaaa", "ab****cd", "Kq..........", "XXXXX-XXXXX", "••••••••", "●●●●●●●●●●"},
		[]string{"hafenkran", "ab**cd", "Kq8v....Tz2", "xylophone", "1000", "ключ", "\xff\xfe\xfd", "Abba-88"},
	}.check(t)
}

func TestAValueMaySayThatItIsEncrypted(t *testing.T) {
	const sealed = "x9Kq2vTz7LmWr3Nb8YdQw5Hs"
	const iv, tag = "--Kq2vTz7LmWr3Nb8Y", "--Kq2vTz7LmWr3Nb8YdQw5Hs==" // of Rails
	property{saysEncrypted,
		[]string{"encrypted:" + sealed, "vault:v1:" + sealed, "{cipher}" + sealed, "hmac-sha256:" + sealed,
			sealed + iv + tag},
		[]string{"", "--", sealed, "vault:" + sealed, "cipher" + sealed, sealed + tag, sealed + iv, sealed + iv + tag[1:]},
	}.check(t)
}

func TestAValueMaySayThatItIsAnExample(t *testing.T) {
	property{ExampleWord,
		[]string{"password", "changeme", "ChangeMe", "your_token_here", "my-secret", "example", "sk-example", "dummy",
			"placeholder",
			"replace-me", "insert_key", "notarealkey", "your_token_2", "dummy-key-1", "tskey-client-xxx", "__REDACTED__",
			"AKIAIOSFODNN7EXAMPLE", "todo", "contraseña"},
		[]string{"", "hafenkran", "changeme!K8", "dummy77rhino", "Kies.grube_4", "yourself", "password1!Kq", "replaced#7",
			strings.Repeat("x", 65), "example9Kq2vTz7"},
	}.check(t)
}

// The label of a field in a file of translations is one word, which may have an ending and a colon.
func TestAWordForPasswordIsALabel(t *testing.T) {
	property{LabelWord,
		[]string{"Passwort", "passwort", "PASSWORT", "Passwort:", "Heslo", "hasło", "contraseña", "Schlüssel", "Şifre",
			"senha",
			"Şifreniz", "Żeton", "ŞİFRE", "Wachtwoorden", "salasana", "jeton"},
		[]string{"", "Pass", "Passwort7", "pasSwort", "şiFre", "Schlüsselblume-9", "passwort_alt", "Hafenkran",
			"mein Passwort",
			"Passwortverwaltungen", "\xc5", "ab\xff\xfe"},
	}.check(t)
	property{foreignLabel,
		[]string{"пароль", "Пароль:", "секретный ключ", "密码", "パスワード", "비밀번호", "κωδικός", "סיסמה"},
		[]string{"", "password", "пароль77", "пароль!x", "гавань", "港口", "密码_2"},
	}.check(t)
}

// TestAPlaceholderStandsForASecret has one value for each reason, and values that people use.
func TestAPlaceholderStandsForASecret(t *testing.T) {
	property{Placeholder,
		[]string{"", "arn:aws:iam::1:role/x", "required|min:12", "nullable|string", "1.2.3", "${X}", "sk-...", "npm_…r3Xa",
			"npm_...r3Xa", "********", "encrypted:x", "00000000-0000-0000-0000-000000000000",
			"12341234-1234-1234-1234-123412341234", "changeme", "Heslo", "пароль", "токен:"},
		[]string{"hafenkran", "Kies.grube_4", "66f8ec73-c22d-4671-81ba-22c60b81f161", "Tr0ub4dor&3x", "minimum|Kq8",
			"Бобр-88", "8061e833a55f6fc0157c98b883e91fcf", "Winter…Sommer-44", "correct-horse-battery-staple"},
	}.check(t)
}
