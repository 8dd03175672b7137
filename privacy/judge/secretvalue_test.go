package judge

import (
	"testing"

	"keepmum/privacy/scan"
	"keepmum/privacy/value"
)

// TestTheFormOfAPassword lists values in the place of a password, in quotes after an equals sign.
func TestTheFormOfAPassword(t *testing.T) {
	for v, want := range map[string]bool{
		"Kies.grube_4": true, "hafenkran": true, "correct-horse-battery-staple": true, "qwertzuiop": true,
		"/run/secrets/db": false, "a long message for people": false, "app.config.password": false,
	} {
		if got := PasswordForm(v, Assignment{Sep: Equals, Quoted: true}); got != want {
			t.Errorf("%s: password %v, want %v", v, got, want)
		}
	}
}

func TestTheFormOfAToken(t *testing.T) {
	for v, want := range map[string]bool{
		"q8Zt3LwV0yKc5RmX2nBd7HsJ": true, "4711": false, "shop-1.2.3": false, "$1.60": false, "/etc/shop/token": false,
	} {
		if got := TokenForm(v, Assignment{Sep: Equals, Quoted: true}); got != want {
			t.Errorf("%s: token %v, want %v", v, got, want)
		}
	}
}

// TestTheStrengthOfTheNameDecides has one value under names of different strength.
func TestTheStrengthOfTheNameDecides(t *testing.T) {
	const text = `name = "hafenkran"`
	a := Assignment{Sep: Equals, Quoted: true, Start: len(`name = "`), End: len(text) - 1, MaxLength: scan.MaxValue}
	for k, want := range map[value.Strength]bool{value.PasswordKey: true, value.TokenKey: false, value.WeakKey: false} {
		if got := SecretValue(&scan.Scanner{Text: text}, k, a); got != want {
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
