package judge

import (
	"testing"

	"keepmum/privacy/scan"
	"keepmum/privacy/value"
)

// secretAfter judges a literal after an equals sign.
func secretAfter(k value.Strength, name, v string) bool {
	text := name + ` = "` + v + `"`
	at := len(name) + len(` = "`)
	a := Assignment{Sep: Equals, Quoted: true, Start: at, End: at + len(v), MaxLength: scan.MaxValue}
	return SecretValue(&scan.Scanner{Text: text}, k, name, a)
}

func TestWhatIsAPasswordAfterItsName(t *testing.T) {
	for v, want := range map[string]bool{
		"Kies.grube_4": true, "hafenkran": true, "correct-horse-battery-staple": true, "qwertzuiop": true,
		"/run/secrets/db": false, "a long message for people": false, "app.config.password": false,
	} {
		if got := secretAfter(value.PasswordKey, "password", v); got != want {
			t.Errorf("%s: password %v, want %v", v, got, want)
		}
	}
}

func TestWhatIsATokenAfterItsName(t *testing.T) {
	for v, want := range map[string]bool{
		"q8Zt3LwV0yKc5RmX2nBd7HsJ": true, "4711": false, "v1.2.3": false, "$1.60": false, "/etc/shop/token": false,
	} {
		if got := secretAfter(value.TokenKey, "token", v); got != want {
			t.Errorf("%s: token %v, want %v", v, got, want)
		}
	}
}

// A generator of salts also draws blanks; a message has blanks, too, but not every sort of sign.
func TestASaltWithBlanksIsASecret(t *testing.T) {
	for v, want := range map[string]bool{
		"k7}wQE2*RA yV[r:9Y@G.K:|g1 F8KQNzs[fTf b)y)EVNQ": true, "please ask the team for it before you start": false,
	} {
		if got := secretAfter(value.TokenKey, "auth_salt", v); got != want {
			t.Errorf("%s: secret %v, want %v", v, got, want)
		}
	}
}

// TestTheStrengthOfTheNameDecides has one value under names of different strength.
func TestTheStrengthOfTheNameDecides(t *testing.T) {
	for k, want := range map[value.Strength]bool{value.PasswordKey: true, value.WeakKey: false} {
		if got := secretAfter(k, "name", "hafenkran"); got != want {
			t.Errorf("strength %d: secret %v, want %v", k, got, want)
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
		if got := PublicForm(v); got != want {
			t.Errorf("%s: public %v, want %v", v, got, want)
		}
	}
}

func TestNamesOfPublicValues(t *testing.T) {
	for name, want := range map[string]bool{
		"publicKey": true, "file_hash": true, "db_password": false, "hash_salt": false,
	} {
		if got := PublicName(value.NameWords(name, nil)); got != want {
			t.Errorf("%s: public %v, want %v", name, got, want)
		}
	}
}

func TestPassphrases(t *testing.T) {
	for v, want := range map[string]bool{
		"correct-horse-battery-staple": true, "moss_anvil_heron": true, "two-words": false, "the-name-of-the-user": false,
	} {
		if got := JoinedPassphrase(v); got != want {
			t.Errorf("%s: passphrase %v, want %v", v, got, want)
		}
	}
}
