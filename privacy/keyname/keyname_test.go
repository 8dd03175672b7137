package keyname

import (
	"slices"
	"testing"
)

func TestHowSureANameIs(t *testing.T) {
	for want, names := range map[Strength][]string{
		Password: {"password", "DB_PASSWORD", "dbPassword", "passwort", "pasword", "adminPw", "root_password_old",
			"wifi key", "clientSecret"},
		Token: {"token", "API_KEY", "apiKey", "aws_secret_access_key", "hash_salt", "keyId_secret", "PASS"},
		Weak:  {"cookie", "session_id", "strangeKey", "license"},
		NotSecret: {"", "name", "primaryKey", "next_page_token", "max_tokens", "salt", "monkey", "compass", "key_id",
			"render_pass"},
	} {
		for _, name := range names {
			if got := Of(name); got != want {
				t.Errorf("%s: %d, want %d", name, got, want)
			}
		}
	}
}

func TestTheWordsOfAName(t *testing.T) {
	for name, want := range map[string][]string{"dbPassword": {"db", "password"}, "HTTPProxy_URL2": {"http", "proxy",
		"url"}, "a-b.c": {"a", "b", "c"}, "": nil} {
		if got := Words(name, nil); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}
