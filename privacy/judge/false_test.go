package judge

import (
	"testing"

	"keepmum/privacy/value"
)

func TestWhatOnlyStandsWhereAValueMay(t *testing.T) {
	for _, c := range []struct {
		name string
		got  bool
		want bool
	}{
		{"the next option", optionName("--region=us-east-1"), true},
		{"dashes in front of a password", optionName("--9kQ"), false},
		{"the name again", RepeatsName("KrakenApiSecret", "kraken_api_secret"), true},
		{"its last words", RepeatsName("secret_key_password", "key-password"), true},
		{"a password with the word in it", RepeatsName("PASSWORD", "grafana_local_password"), false},
		{"an amount", price("**~$1.60"), true},
		{"a password of signs and digits", price("$48_Kiel"), false},
		{"an address", Addressed("user-active-5@test.com"), true},
		{"a password with an at sign", Addressed("Tulpe!77@feld"), false},
		{"the token of a page", pageToken([]string{"next", "token"}, "NextToken"), true},
		{"a token that opens", pageToken([]string{"refresh", "token"}, "RefreshToken"), false},
		{"the link to a session", sessionLink("https://quay.example/code/session_01KvHeYKuDnE"), true},
		{"a link that logs in", sessionLink("https://quay.example/login?session_id=01KvHeYKuDnE"), false},
		{"a UUID that was typed", value.Placeholder("11111111-1111-2222-3333-111111111111"), true},
		{"a drawn one", value.Placeholder("66f8ec73-c22d-4671-81ba-22c60b81f161"), false},
		{"what stands for the rest", value.Placeholder("tskey-client-xxx"), true},
	} {
		if c.got != c.want {
			t.Errorf("%s: got %v", c.name, c.got)
		}
	}
}
