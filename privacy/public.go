package privacy

import (
	"encoding/hex"
	"strings"
)

// unpublic drops what was found but is there for everybody to see.
func (s *scanner) unpublic() {
	kept := s.spans[:0]
	for _, sp := range s.spans {
		if !s.public(sp) {
			kept = append(kept, sp)
		}
	}
	s.spans = kept
}

// public reports whether the form or the place of a finding says that it opens
// nothing, whatever the name beside it. What a vendor's rule knows stays found.
func (s *scanner) public(sp span) bool {
	if sp.value != "" || sp.rule != rulePassword && sp.rule != ruleSecret && sp.rule != ruleRandom || sp.end-sp.start > maxJudged*2 {
		return false
	}
	v := s.text[sp.start:sp.end]
	return sp.rule == ruleRandom && sortedID(v) || s.introduced(sp.start) || publicForm(v) || s.ciphertext(sp.start) || s.fingerprint(sp.start, v) || s.minified(sp.start, v) || s.headed(sp.start, sp.end) || s.handshake(sp.start, sp.end) || s.symbol(sp.start, sp.end) ||
		sp.rule == ruleRandom && uuidLike(v) && strings.HasPrefix(s.text[sp.end:], ".config")
}

// appIdentifier reports whether a value is the id of an app of Apple: a team and a
// name that begins with a domain turned round.
func appIdentifier(v string) bool {
	team, bundle, _ := strings.Cut(v, ".")
	return len(team) == 10 && strings.Trim(team, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789") == "" && strings.IndexByte(bundle, '.') > 0 && strings.Trim(bundle, letters+"0123456789.-") == ""
}

// publicForm reports whether a value can only be something that opens nothing:
// a licence, a hashed host, a pointer, a link to lines, a release of a package, a mangled name, the public
// half of a key, the address of a content.
func publicForm(v string) bool {
	if countedUp(v) || strings.HasPrefix(v, "GHSA-") && len(v) == len("GHSA-xxxx-xxxx-xxxx") || strings.HasPrefix(v, "pk_live_") || strings.HasPrefix(v, "pk_test_") || derPublic(v) {
		return true
	}
	return strings.Contains(v, "GPLv") && strings.Trim(v, "ALGPvorlate0123456789+._-") == "" || strings.HasPrefix(v, "|1|") && strings.Count(v, "|") == 3 || hexNumber(v) || chainAddress(v) || strings.Contains(v, ".tgz#") || linesLinked(v) || appIdentifier(v) || packageRelease(v) || mangled(v) || publicHalf25519(v) || contentAddress(v)
}

// countedUp reports whether a value is bytes in hex that are all the same, or each
// one more than the one before: 0b0b0b…, 010203…, as test vectors have them.
func countedUp(v string) bool {
	if len(v) < 24 || !hexDigit(v[0]) {
		return false
	}
	b, err := hex.DecodeString(v)
	if err != nil || b[1]-b[0] > 1 {
		return false
	}
	for i := 2; i < len(b); i++ {
		if b[i]-b[i-1] != b[1]-b[0] {
			return false
		}
	}
	return true
}

// chainAddress reports whether a value has the form of an account or a contract of
// Ethereum: a key is longer.
func chainAddress(v string) bool {
	return len(v) == 42 && v[0] == '0' && v[1] == 'x' && hexDashes(v[2:]) && !strings.Contains(v, "-")
}

// derPublic reports whether base64 begins as a public key or a signature does.
func derPublic(v string) bool {
	for _, head := range []string{"MFkwEwYHKoZIzj0CAQYI", "MHYwEAYHKoZIzj0CAQYF", "MIIBIjANBgkqhkiG9w0BAQEFAAOC", "MIICIjANBgkqhkiG9w0BAQEFAAOC", "MIGfMA0GCSqGSIb3DQEBAQUAA4GN", "MCowBQYDK2VwAyEA", "MEUCIQ", "MEUCIG", "MEQCIG", "MEYCIQ"} {
		if strings.HasPrefix(v, head) {
			return true
		}
	}
	return false
}

// sortedID reports whether a token is a ULID: a time, and what tells two of one
// moment apart.
func sortedID(v string) bool {
	return len(v) == 26 && strings.HasPrefix(v, "01") && strings.Trim(v, "0123456789ABCDEFGHJKMNPQRSTVWXYZ") == ""
}

// introduced reports whether what stands before a value says that it opens
// nothing: the name of an account in a directory, proof of a domain's owner.
func (s *scanner) introduced(at int) bool {
	before := s.text[max(0, at-40):at]
	if s.inPublicBlock(at) || s.signedBelow(at) || s.askedByShell(at) {
		return true
	}
	for _, end := range []string{"objectSid:: ", "objectGUID:: ", "accessor ", `-verification" content="`, `data-sitekey="`, "/badge.svg?token="} {
		if strings.HasSuffix(before, end) {
			return true
		}
	}
	return false
}

// askedByShell reports whether a value stands in the question with which PowerShell
// asks for a secret: Read-Host -AsSecureString 'New password for …'.
func (s *scanner) askedByShell(at int) bool {
	line := s.text[lineStart(s.text, at, 120):at]
	i := strings.Index(line, "Read-Host ")
	return i >= 0 && strings.IndexByte(line[i:], ';') < 0 && strings.Contains(lowerASCII(line[i:]), "-assecurestring")
}

// signedBelow reports whether the line above a value says that it is a signature
// or a public key of minisign or signify.
func (s *scanner) signedBelow(at int) bool {
	if at < 2 || s.text[at-1] != '\n' {
		return false
	}
	above := s.text[lineStart(s.text, at-1, 200) : at-1]
	return strings.HasPrefix(above, "trusted comment: ") || strings.HasPrefix(above, "untrusted comment: ") && (strings.Contains(above, "signature") || strings.Contains(above, "public key") || strings.Contains(above, "verify with"))
}

// inPublicBlock reports whether an offset lies in the block of a public key, a
// certificate or a signature: nothing but base64 stands between its head and there.
func (s *scanner) inPublicBlock(at int) bool {
	const head, base64 = "-----BEGIN ", letters + "0123456789+/=\r\n"
	before := s.text[max(0, at-maxPublicBlock):at]
	if !strings.Contains(before, head) {
		return false
	}
	kind, body, ok := strings.Cut(before[strings.LastIndex(before, head)+len(head):], "-----")
	if !ok || strings.Trim(body, base64) != "" {
		return false
	}
	return strings.Contains(kind, "PUBLIC KEY") || strings.HasSuffix(kind, "CERTIFICATE") || strings.HasSuffix(kind, "SIGNATURE")
}

const maxPublicBlock = 4 << 10 // bytes of such a block

// linesLinked reports whether a value ends with the lines of a file: .go#L88-L104.
func linesLinked(v string) bool {
	file, lines, ok := strings.Cut(v, "#L")
	return ok && strings.Contains(file, ".") && plainWords(strings.Trim(file, "0123456789")) && lines != "" && digit(lines[0]) && strings.Trim(lines, "0123456789-LC") == ""
}

// packageRelease reports whether a value is the version of a package of Debian:
// 1:4.13+dfsg1-4ubuntu3.
func packageRelease(v string) bool {
	epoch := len(v) > 2 && v[1] == ':' && digit(v[0])
	if epoch {
		v = v[2:]
	}
	number, revision, ok := strings.Cut(v, "-")
	dots := strings.IndexByte(number, '.')
	if dots <= 0 || !integer(number[:dots]) || strings.Trim(v, "abcdefghijklmnopqrstuvwxyz0123456789.+~-") != "" {
		return false
	}
	return ok && revision != "" && digit(revision[0]) || epoch && strings.ContainsAny(v, "+~")
}

// mangled reports whether a value ends with the hash of a mangled name of Rust.
func mangled(v string) bool {
	const hash = len("17h") + 16 + len("E")
	if i := strings.Index(v, "17h"); i >= 0 && len(v)-i >= hash {
		return hexDashes(v[i+3:i+hash-1]) && v[i+hash-1] == 'E'
	}
	return false
}

// publicHalf25519 reports whether a value is a public key as age and Nix write it;
// their private keys begin otherwise or are twice as long.
func publicHalf25519(v string) bool {
	const age, nix = len("age1") + 58, 44
	if len(v) >= age-1 && len(v) <= age+1 && strings.HasPrefix(v, "age1") {
		return countKinds(v).other == 0
	}
	name, key, ok := strings.Cut(v, ":")
	i := strings.LastIndexByte(name, '-')
	return ok && i > 0 && strings.Contains(name[:i], ".") && integer(name[i+1:]) && len(key) == nix && strings.HasSuffix(key, "=") && longestBase64(key) == nix
}

// contentAddress reports whether a part of a path is the hash of what it leads to.
func contentAddress(path string) bool {
	const size = 59
	if len(path) < size {
		return false
	}
	for part := range strings.SplitSeq(path[:min(len(path), maxJudged)], "/") {
		if len(part) == size && (strings.HasPrefix(part, "bafy") || strings.HasPrefix(part, "bafk")) && strings.Trim(part, "abcdefghijklmnopqrstuvwxyz234567") == "" {
			return true
		}
	}
	return false
}

// ciphertext reports whether a value is, or is a part of, what nobody can read
// without a key that is not there: of Vault, of Spring, of Pulumi, of SealedSecrets.
func (s *scanner) ciphertext(at int) bool {
	from := at
	for from > 0 && at-from < 48 && s.text[from-1] > ' ' && strings.IndexByte("\"'`", s.text[from-1]) < 0 {
		from--
	}
	token := s.text[from:min(len(s.text), at+80)]
	switch {
	case saysSealed(token):
		return true
	case strings.HasPrefix(token, "v1:"):
		before := strings.TrimRight(s.text[max(0, from-16):from], " \"'")
		return strings.HasSuffix(before, "encryptionsalt:") || strings.HasSuffix(before, "secure:") || strings.HasSuffix(before, "secure\":")
	case strings.HasPrefix(token, "Ag") && longestBase64(token) >= 64:
		return strings.Contains(s.text[max(0, from-16<<10):from], "encryptedData")
	}
	return false
}

// saysSealed reports whether a value says of itself that Vault, Spring or dotenvx
// encrypted or hashed it, or is in three parts, as Rails keeps its credentials.
func saysSealed(v string) bool {
	if rest, tag, ok := cutLast(v, "--"); ok && len(tag) == 24 && strings.HasSuffix(tag, "==") {
		_, iv, sealed := cutLast(rest, "--")
		return sealed && len(iv) == 16
	}
	return strings.HasPrefix(v, "encrypted:") || strings.HasPrefix(v, "vault:v1:") || strings.HasPrefix(v, "{cipher}") || strings.HasPrefix(v, "hmac-sha256:")
}

// cutLast is [strings.Cut] at the last separator.
func cutLast(v, sep string) (before, after string, found bool) {
	if i := strings.LastIndex(v, sep); i >= 0 {
		return v[:i], v[i+len(sep):], true
	}
	return v, "", false
}

// fingerprint reports whether a value is the name of a key of OpenPGP.
func (s *scanner) fingerprint(at int, v string) bool {
	v = strings.TrimPrefix(v, "0x")
	if len(v) != 16 && len(v) != 40 || strings.Trim(v, "0123456789ABCDEF") != "" {
		return false
	}
	line := s.text[lineStart(s.text, at, 96):at]
	if near := s.text[max(0, at-400):at]; strings.Contains(near, "validpgpkeys=(") && strings.IndexByte(near[strings.LastIndex(near, "validpgpkeys=("):], ')') < 0 {
		return true // of a package of Arch
	}
	if strings.HasPrefix(line, "gpg: ") || strings.HasPrefix(line, "gpg:  ") {
		return true
	}
	before := strings.TrimRight(lowerASCII(line), " =:\"'")
	if strings.HasSuffix(before, "signingkey") {
		return true
	}
	kind, ok := strings.CutSuffix(before, " key")
	return ok && in(kind[strings.LastIndexByte(kind, ' ')+1:], " with rsa dsa eddsa ecdsa ed25519 elgamal gpg pgp openpgp signing release archive ")
}

// minified reports whether a value is a small number or a boolean of an object
// in code without blanks, with what follows it: {password:0,token:1}.
func (s *scanner) minified(at int, v string) bool {
	if at < 2 || s.text[at-1] != ':' || !wordByte(s.text[at-2]) {
		return false
	}
	name, _ := nameAt(s.text, at-1)
	if name == 0 || s.text[name-1] != '{' && s.text[name-1] != ',' {
		return false
	}
	rest := strings.TrimLeft(v, "!0123456789")
	switch n := len(v) - len(rest); {
	case n == 0 || n > 3 || rest == "":
		return false
	case rest[0] == ',':
		next := 1
		for next < len(rest) && wordByte(rest[next]) {
			next++
		}
		return next > 1 && next < len(rest) && rest[next] == ':'
	default:
		return rest[0] == '}' && (len(rest) == 1 || strings.IndexByte("}),;", rest[1]) >= 0)
	}
}

// handshake reports whether a value is the id of a session as openssl prints
// it, which is of no use without the keys below it.
func (s *scanner) handshake(at, to int) bool {
	return strings.HasSuffix(s.text[:at], "    Session-ID: ") && strings.Contains(s.text[to:min(len(s.text), to+200)], "\n    Session-ID-ctx:")
}

// headed reports whether a value stands in a column of a table, aligned by
// blanks or between bars, whose head says that it is for everybody.
func (s *scanner) headed(at, to int) bool {
	if at == 0 || to-at < 8 || strings.IndexByte(" |\t\n", s.text[at-1]) < 0 || to < len(s.text) && strings.IndexByte(" |\t\r\n", s.text[to]) < 0 {
		return false
	}
	start := lineStart(s.text, at, maxColumn)
	if at-start == maxColumn {
		return false
	}
	bars := strings.Count(s.text[start:at], "|")
	for line, rows := start, 0; line > 1 && rows < maxRows; rows++ {
		above := lineStart(s.text, line-1, 2*maxColumn)
		row := strings.TrimRight(s.text[above:line-1], " \r")
		if strings.Count(row, "|") < bars || row == "" {
			return false
		}
		if (bars > 0 || strings.Contains(row, "  ")) && openHead(cellOf(row, bars, at-start)) {
			return true
		}
		line = above
	}
	return false
}

const maxColumn = 160 // bytes of a line before a value in a table

// cellOf returns the cell of a row behind so many bars, or where no bars are,
// the one that begins at a column.
func cellOf(row string, bars, column int) string {
	if bars > 0 {
		for range bars {
			row = row[strings.IndexByte(row, '|')+1:]
		}
		cell, _, _ := strings.Cut(row, "|")
		return strings.TrimSpace(cell)
	}
	if column >= len(row) || column > 0 && row[column-1] != ' ' {
		return ""
	}
	cell, _, _ := strings.Cut(row[column:], "  ")
	return strings.TrimSpace(cell)
}

// openHead reports whether the head of a column says that its cells are public.
func openHead(cell string) bool {
	if len(cell) > 32 || !plainWords(cell) {
		return false
	}
	var room [maxWords]string
	words := nameWords(cell, room[:0])
	return openly(words) || openName(words)
}

// openName reports whether the words of a name say that it is of an id, of a
// digest or of the public half of something.
func openName(words []string) bool {
	if len(words) == 0 {
		return false
	}
	last, before := words[len(words)-1], ""
	if len(words) > 1 {
		before = words[len(words)-2]
	}
	switch last {
	case "id", "ids", "uid", "uuid", "guid":
		return !in(before, " session sess secret cookie login auth client ")
	case "kid", "keyid", "cid", "etag", "peer", "digest":
		return true
	}
	return false
}

// clickIDs tell the networks of advertisements which of them somebody followed.
const clickIDs = " gclid gbraid wbraid dclid fbclid msclkid ttclid twclid yclid igshid srsltid epik _gl _ga "

// openPlace reports whether what stands before a run says that it is public: an
// id, the public half of a key, a link that many hold.
func (s *scanner) openPlace(from, to int) bool {
	before := s.text[max(0, from-96):from]
	if strings.HasSuffix(before, " bh=") || strings.HasSuffix(before, " b=") && strings.Contains(s.text[max(0, from-400):from], "bh=") {
		return true // of DKIM
	}
	if strings.HasPrefix(s.text[from:to], "/nix/store/") || strings.HasSuffix(before, "ipfs:") || keyRecord(before) || signedXML(before) || hashedHost(before) {
		return true
	}
	if openKeyBefore(before) || publicHalf25519(before[strings.LastIndexAny(before, " \n\t\"'")+1:]+s.text[from:to]) {
		return true
	}
	name := strings.TrimRight(before, "\"'` \\")
	sep := len(name) - 1
	if sep < 1 || name[sep] != ':' && name[sep] != '=' {
		return s.shared(from, to)
	}
	name = strings.TrimRight(name[:sep], "\"'` \\")
	at, _ := nameAt(name, len(name))
	if at > 0 && (name[at-1] == '?' || name[at-1] == '&') {
		return in(name[at:], clickIDs) // else a link by which somebody may be let in
	}
	if in(lowerASCII(name[at:]), " x-google-smtp-source x-gm-message-state x-gm-gg x-gm-features ") {
		return true // of a mail on its way
	}
	if member := name[at:]; in(member, " n x y signature thoughtSignature ") && (before[sep-1] == '"' || before[sep-1] == '\'') {
		return true // of a JSON Web Key; a signature shows what nobody can do again
	}
	var room [maxWords]string
	words := nameWords(name[at:], room[:0])
	return openName(words) && !(len(words) == 1 && strings.Contains(lowerASCII(before), "session")) || s.shared(from, to)
}

// openKeyBefore reports whether a text ends with "public key is", or another kind
// of keys that give nothing away.
func openKeyBefore(before string) bool {
	before = strings.TrimRight(strings.TrimSuffix(strings.TrimRight(before, " "), " is"), " :=\"'")
	kind, ok := strings.CutSuffix(lowerASCII(before), " key")
	return ok && in(kind[strings.LastIndexAny(kind, " \n\t(\"")+1:], openKeys)
}

// signedXML reports whether a text ends with the tag of what XML is encrypted or
// signed with, of which nothing is the private half.
func signedXML(before string) bool {
	tag, ok := strings.CutSuffix(before, "Value>")
	return ok && (strings.HasSuffix(tag, "Cipher") || strings.HasSuffix(tag, "Digest") || strings.HasSuffix(tag, "Signature"))
}

// hashedHost reports whether a text ends with how the name of a host begins that
// ssh keeps as a hash: |1|, or that and a salt.
func hashedHost(before string) bool {
	i := strings.LastIndex(before, "|1|")
	return i >= 0 && (i+3 == len(before) || before[len(before)-1] == '|' && len(before)-i == len("|1||")+28)
}

// keyRecord reports whether a text ends with how a DNSKEY begins: 257 3 13.
func keyRecord(before string) bool {
	words := strings.Fields(before)
	n := len(words)
	return n > 2 && words[n-2] == "3" && in(words[n-3], " 256 257 ") && integer(words[n-1])
}

// sharedHosts keep documents under ids that stand in links everybody may pass on.
const sharedHosts = " figma.com www.figma.com notion.so www.notion.so docs.google.com drive.google.com sheets.google.com slides.google.com miro.com linear.app codepen.io codesandbox.io loom.com www.loom.com vercel.com "

// shared reports whether a run is a part of the path of a link to such a host.
func (s *scanner) shared(from, to int) bool {
	at := from
	for at > 0 && from-at < 200 && s.text[at-1] > ' ' && strings.IndexByte("\"'`<>?#=&", s.text[at-1]) < 0 {
		at--
	}
	_, path, ok := strings.Cut(s.text[at:to], "https://")
	if !ok {
		return false
	}
	host, path, _ := strings.Cut(path, "/")
	return path != "" && in(host, sharedHosts) || strings.HasPrefix(s.text[to:], ".vercel.app") // what is deployed there
}
