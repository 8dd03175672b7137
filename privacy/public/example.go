package public

import (
	"strings"

	"keepmum/privacy/value"
)

// ExampleLogin reports whether an account and its password are examples from documentation.
func ExampleLogin(account, secret string) bool {
	return secret == account || value.ExampleWord(secret) || value.Template(secret) || value.RepeatedCharacter(secret) ||
		value.InList(strings.ToLower(secret), examplePasswords)
}

// examplePasswords are passwords used in documentation.
const examplePasswords = " password pass passwd pwd secret changeme xxx test user username mypassword passwort " +
	"kennwort contrasena senha wachtwoord "

// ExampleBasic reports whether base64 encodes an account and a password from documentation.
func ExampleBasic(encoded string) bool {
	account, secret, ok := strings.Cut(value.DecodeBase64(strings.TrimRight(encoded, "=")), ":")
	return ok && secret != "" && ExampleLogin(account, secret)
}
