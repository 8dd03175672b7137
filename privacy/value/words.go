package value

import "strings"

// LettersAndDigits reports whether a value is letters with some digits, as in passwords that people make up, and not a
// name with a number at the end.
func LettersAndDigits(v string) bool {
	n := CountKinds(v)
	return n.Other == 0 && n.Digits >= 2 && n.Lower+n.Upper >= 4 && !n.Hex && AlnumPassword(v)
}

// RandomLetters reports whether a value of only letters is spelt unlike any word or name in code: typed on a keyboard
// or generated as a password. Names such as changePassword stay below the threshold, keyboard runs are above it.
func RandomLetters(v string) bool {
	return len(v) >= 8 && len(v) <= 64 && Identifier(v) && !strings.Contains(v, "_") && CrossEntropy(v) > KeyboardRun
}

// PathLike reports whether a value is a path or an address, not a secret.
func PathLike(v string) bool {
	if strings.Contains(v, "://") {
		return true
	}
	if BeginsWithAny(v, "/", "./", "~/", "../") {
		return !Random(v)
	}
	return strings.Count(v, "/") >= 2 && !HexKey(v[strings.LastIndexByte(v, ':')+1:]) && CrossEntropy(v) < DrawnAtAll &&
		!KeyWithSlashes(v)
}

// KeyWithSlashes reports whether a value is a long base64 key, in which a slash is a digit like any other.
func KeyWithSlashes(v string) bool {
	n := CountKinds(v)
	if len(v) < 24 || n.Runs < 3 || n.Upper < 3 || n.Lower < 3 {
		return false
	}
	return n.Other == strings.Count(v, "=")+strings.Count(v, "+")+strings.Count(v, "/")
}

// maxGroup limits the length of a group; longer ones are not groups.
const maxGroup = 24

// GroupEnd returns the end of the group that starts at an offset.
func GroupEnd(text string, at int) int {
	for stop := min(len(text), at+maxGroup); at < stop && Alphanumeric(text[at]); {
		at++
	}
	return at
}

// AlnumPassword reports whether a value looks like a password that somebody chose: letters and digits, but not a name
// with a number at the end and not an algorithm.
func AlnumPassword(v string) bool {
	if !AlnumForm(v) {
		return false
	}
	n := CountKinds(v)
	numbered := n.Digits == 1 && Digit(v[len(v)-1])
	lettered := n.Runs == 1 && n.Lower+n.Upper == 1
	return !numbered && !lettered
}

// AlnumForm reports whether a value is letters and digits without symbols from code, and does not name an algorithm.
func AlnumForm(v string) bool {
	if len(v) < 8 || len(v) > 64 || !Mixed(v) {
		return false
	}
	if strings.ContainsAny(v, " (){}[]<>\"'`/\\=;|,:") || UUIDLike(v) || CodeLike(v) {
		return false
	}
	return !ContainsAny(strings.ToLower(v), "sha1", "sha2", "sha3", "sha5", "md5", "base32", "base58", "base64", "bcrypt",
		"argon2", "pbkdf2", "utf8", "utf-", "aes", "hs256", "rs256", "ed25519", "x509", "p256", "oauth2", "http", "ipv",
		"i18n", "l10n")
}

// saysEncrypted reports whether a value says itself that Vault, Spring or dotenvx encrypted or hashed it, or has three
// parts like the credentials of Rails.
func saysEncrypted(v string) bool {
	if rest, tag, ok := cutLast(v, "--"); ok && len(tag) == 24 && strings.HasSuffix(tag, "==") {
		_, iv, sealed := cutLast(rest, "--")
		return sealed && len(iv) == 16
	}
	return BeginsWithAny(v, "encrypted:", "vault:v1:", "{cipher}", "hmac-sha256:")
}

// cutLast is [strings.Cut] at the last separator.
func cutLast(v, sep string) (before, after string, found bool) {
	if i := strings.LastIndex(v, sep); i >= 0 {
		return v[:i], v[i+len(sep):], true
	}
	return v, "", false
}

// The letters of ASCII.
const (
	SmallLetters = "abcdefghijklmnopqrstuvwxyz"
	Capitals     = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	Letters      = SmallLetters + Capitals
)
