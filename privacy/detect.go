package privacy

import "strings"

// detectors are the parts of the gate that know structures instead of shapes.
func detectors() []trigger {
	return []trigger{
		{words: secretWords, ids: []string{"password", "secret-value", "random-token"}, run: (*scanner).name},
		{words: []string{"://"}, ids: []string{"url-password"}, run: (*scanner).url},
		{words: []string{"-----begin", "private key-----", "key block-----"}, ids: []string{"private-key"}, run: (*scanner).pem},
		{words: keyBodies, run: (*scanner).keyBody},
		{words: []string{"authorization", "cookie"}, ids: []string{"http-credential"}, run: (*scanner).header},
		{ids: []string{ruleEmail, rulePhone, ruleCard, ruleIBAN, ruleIP}},
		{words: []string{"eyj"}, ids: []string{"jwt"}, run: (*scanner).jwt},
		{words: []string{" -u ", "-u \"", "-u '", "-u=", "--user ", "--user=", "proxy-user ", "http -a ", "https -a ", "--auth "}, run: (*scanner).account},
		{words: []string{"kind: secret", "kind: \"secret\""}, run: (*scanner).manifest},
		{words: commands(), run: (*scanner).command},
		{words: stdinReaders, run: (*scanner).piped},
		{words: []string{"chpasswd:", "chpasswd <<"}, run: (*scanner).passwordList},
		{words: []string{" on >", "resetpass >", "nopass >"}, run: (*scanner).aclPassword},
		{words: []string{"password is generated for "}, run: (*scanner).generated},
		{words: accountCalls, run: (*scanner).accountCall},
		{words: connectCalls, run: (*scanner).connectCall},
		{words: []string{"@tcp(", "@unix("}, run: (*scanner).dialled},
		{words: []string{":thin:", "sqlplus ", "expdp ", "impdp ", "sqlldr "}, run: (*scanner).slashed},
		{words: []string{"send \"", "send -- \""}, run: (*scanner).sent},
		{words: []string{"default"}, run: (*scanner).inherited},
		{words: []string{" / "}, run: (*scanner).pair},
		{words: foreignWords, run: (*scanner).foreign},
		{words: []string{".fill(", ".type(", "sendkeys(", "send_keys(", "presssequentially(", ".setvalue(", ".sendline(", "fill_in ", "buildconfigfield("}, run: (*scanner).entered},
		{words: []string{"type=\"password\"", "type='password'"}, run: (*scanner).masked},
		{words: []string{"values (", "values("}, run: (*scanner).inserted},
		{words: []string{"?code=", "&code="}, run: (*scanner).granted},
		{words: []string{"wifi:"}, run: (*scanner).wifi},
		{words: []string{"snmp-server community "}, run: (*scanner).community},
		{words: []string{"mnemonic", "seed phrase", "recovery phrase", "seed_phrase"}, run: (*scanner).phrase},
		{words: []string{"identified by ", "_password by ", "_password as "}, run: (*scanner).identified},
		{words: []string{" -p ", " -p'", " -p\""}, run: (*scanner).flagged},
		{words: []string{":5432:", ":5433:", ":6432:", ":*:*:"}, run: (*scanner).pgpass},
		{words: []string{"%3d", "%3a", "%22", "%27", "&#", `\u00`, `\x3d`, `\x22`, `\x3a`}, run: (*scanner).escape},
		{words: []string{`" + "`, `' + '`, `"+"`, `'+'`, `" . "`, `' . '`, `" & "`, "\" +\n", "' +\n", "\" \\\n", "' \\\n"}, run: (*scanner).joint},
		{words: []string{"00000000", "0000000 "}, run: (*scanner).dump},
	}
}

// stretch is the part of a text that another reading is made of.
type stretch struct{ from, to int }

// around adds what lies around an offset; stretches that meet become one.
func around(parts []stretch, at, size int) []stretch {
	from, to := max(0, at-viewReach), min(size, at+viewReach)
	if last := len(parts) - 1; last >= 0 && from <= parts[last].to {
		parts[last].to = to
		return parts
	}
	return append(parts, stretch{from, to})
}

// viewReach is how far around an encoding or a joint a secret is looked for.
const viewReach = 1024

// dump notes that there is a hexdump.
func (s *scanner) dump(int) { s.hexdump = true }

// joint notes a place where code joins two literals.
func (s *scanner) joint(end int) { s.joints = around(s.joints, end, len(s.text)) }

// escape notes an encoded character that hides a separator.
func (s *scanner) escape(end int) { s.escapes = around(s.escapes, end, len(s.text)) }

// secretWords give away the names of secrets.
var secretWords = []string{
	"passw", "pwd", "pass", "secret", "token", "key", "auth", "cred", "bearer", "private",
	"signing", "session", "jwt", "login", "psw", "license", "webhook", "hmac", "access", "_pat", "-pat",
	" pw", "\npw", "_pw", "_psk", "-psk", " psk", "\"psk", "\npsk", "\tpsk", "kennwort", "wachtwoord", "senha",
}

const (
	rulePassword = "password"
	ruleSecret   = "secret-value"
	ruleRandom   = "random-token"
)

// name judges the name around a secret word, and what is near it.
func (s *scanner) name(end int) {
	if end <= s.named {
		return
	}
	from, to := nameAt(s.text, end)
	s.named = to
	if to < len(s.text) && s.text[to] == '(' && to+1 < len(s.text) && s.text[to+1] == ')' {
		return
	}
	a, ok := assigned(s.text, from, to, s.reach())
	s.followed += a.end - a.start
	if ok {
		var room [maxWords]string
		words := nameWords(s.text[from:to], room[:0])
		if openly(words) {
			s.nearEnd = max(s.nearEnd, a.end)
			return
		}
		if s.assign(from, to, words, a) {
			return
		}
	}
	s.aloof(from, to)
	if !s.glued(end, to) {
		s.nearby(from, to)
	}
}

// aloof looks for the value of a name that does not follow it directly.
func (s *scanner) aloof(from, to int) {
	s.foretold(from)
	delimiter, eol := s.heads(from, to)
	numbered, said := s.hints(to)
	if numbered {
		s.grouped(to)
	}
	if delimiter == 0 && eol < 0 && !said && !strings.HasPrefix(s.text[to:], "\"\n") {
		return
	}
	var room [maxWords]string
	words := nameWords(s.text[from:to], room[:0])
	k := s.strength(words, from, to)
	if said && k == weakKey && in(words[len(words)-1], " login ") {
		s.told(to)
	}
	if k < tokenKey || openly(words) {
		return
	}
	s.replied(to)
	if delimiter != 0 {
		s.column(from, delimiter, k)
	} else if eol >= 0 {
		s.below(from, eol, k)
	}
	if said {
		s.told(to)
	}
}

// assign takes the value out that belongs to the name at [from, to), if it is secret.
func (s *scanner) assign(from, to int, words []string, a assignment) bool {
	strong := s.strength(words, from, to)
	if strong == notSecret {
		return false
	}
	if strong == passwordKey {
		if end := s.passphrase(s.text[from:to], a); end > 0 {
			s.add(a.start, end, rulePassword)
			return true
		}
	}
	a.loose = a.loose && !s.flag(a)
	a.line = s.configLine(from, a)
	if !s.secretValue(strong, a) || refersTo(s.text[from:to], s.text[a.start:a.end]) || namedID(s.text[from:to], s.text[a.start:a.end]) {
		return false
	}
	rule := ruleSecret
	if strong == passwordKey {
		rule = rulePassword
	}
	s.add(a.start, a.end, rule)
	for _, m := range a.more {
		s.add(m.start, m.end, rule)
	}
	return true
}

// openly reports whether a name says that its value is for everybody's eyes.
func openly(words []string) bool {
	for _, w := range words {
		if in(w, " public pub pubkey hash digest checksum fingerprint thumbprint integrity ") {
			return true
		}
	}
	return false
}

// refersTo reports whether a value is another thing of the same long name.
func refersTo(name, value string) bool {
	return len(name) >= 12 && strings.Contains(value, name)
}

// namedID reports whether a value is an id that is called one.
func namedID(name, value string) bool {
	n := len(name)
	return n > 2 && strings.EqualFold(name[n-2:], "id") && uuidLike(value) && !strings.EqualFold(strings.ReplaceAll(name, "_", ""), "secretid")
}

// glued finds a value that is joined to its name by a dash: token-3f9a….
func (s *scanner) glued(end, to int) bool {
	if to-end < 16 {
		return false
	}
	at := end
	for {
		i := strings.IndexAny(s.text[at:to], "-_")
		if i < 0 {
			return false
		}
		at += i + 1
		part := s.text[at:to]
		if next := strings.IndexAny(part, "-_"); next >= 0 {
			part = part[:next]
		}
		if strings.ContainsAny(part, "0123456789") {
			break
		}
	}
	v := s.text[at:to]
	if !uuidLike(v) && !hexKey(v) && !(random(v) && len(v) >= 24) {
		return false
	}
	s.add(at, to, ruleRandom)
	return true
}

// reach is how far the next value is followed: less once so much has been
// followed that only a flood explains it.
func (s *scanner) reach() int {
	if s.followed > 4*len(s.text)+maxValue {
		return 64
	}
	return maxValue
}

// strength judges a name in its place: what a sentence says counts less than
// what an assignment says.
func (s *scanner) strength(words []string, from, to int) strength {
	k := wordsStrength(words, s.text[from:to])
	if k > weakKey || from < 2 || s.text[from-1] != ' ' {
		return k
	}
	// "db password", "api key": the words stand apart.
	before, end := nameAt(s.text, from-1)
	return max(k, keyStrength(s.text[before:end]+"_"+s.text[from:to]))
}

// secretValue decides whether a value is secret, given how sure its name is.
func (s *scanner) secretValue(k strength, a assignment) bool {
	v := s.text[a.start:min(a.end, a.start+maxJudged)]
	if len(a.more) > 0 && a.end-a.start < maxJudged {
		for _, m := range a.more {
			v += s.text[m.start:min(m.end, m.start+maxJudged)]
		}
	}
	if k >= tokenKey && spelledOut(v) {
		return true
	}
	if len(v) < 6 || !a.quoted && codeLike(v) || strings.Count(v, `\`) > 2 || a.loose && integer(v) {
		return false
	}
	if !s.fits(k, v, a) || dummy(v) || selector(v) {
		return false
	}
	bare := strings.Trim(v, `'"`)
	return len(bare) == len(v) || !dummy(bare)
}

// fits reports whether a value has the form of a secret of its name's strength.
func (s *scanner) fits(k strength, v string, a assignment) bool {
	switch {
	case a.sep == blank && !s.flag(a):
		return s.spoken(k, v, a)
	case k == weakKey:
		return random(v) || keyLike(v)
	case k == passwordKey && a.sep == compare:
		return mixed(v) && !strings.Contains(v, " ")
	case a.sep == column, a.sep == call, a.sep == comma, a.sep == compare:
		return chosen(v) || len(v) >= 16 && !wordy(v) || k == passwordKey && (a.quoted && unlikeWords(v) || (a.quoted || a.sep == column) && picked(v))
	case k == passwordKey:
		return passwordText(v, a)
	}
	return tokenValue(v, a) || s.flag(a) && picked(v)
}

// spoken decides about a value with nothing but words before it.
func (s *scanner) spoken(k strength, v string, a assignment) bool {
	switch {
	case k == passwordKey && (a.quoted || a.told || s.netrc(a.start) || s.directive(a)):
		return !strings.Contains(v, " ") && !pathLike(v) && !described(v) && (mixed(v) || chosen(v) || unlikeWords(v) || a.told && innerCapital(v))
	case k == passwordKey && picked(v) && s.lineEnd(a.end), k == tokenKey && a.told && picked(v):
		return true
	case k >= tokenKey && s.directive(a):
		return !strings.Contains(v, " ") && !pathLike(v) && len(v) >= 10 && (mixed(v) || unlikeWords(v))
	case k >= tokenKey:
		return chosen(v) || len(v) >= 16 && mixed(v) && (random(v) || hexKey(v) || !wordy(v))
	}
	redis := a.start > 4 && s.text[a.start-5:a.start] == "AUTH " && s.directive(a) && (chosen(v) || picked(v))
	return redis || random(v) || keyLike(v)
}

// directive reports whether name and value are all there is in a line, but for
// the word of a command: "requirepass VALUE", "ENV DB_PASSWORD VALUE".
func (s *scanner) directive(a assignment) bool {
	if !s.lineEnd(a.end) {
		return false
	}
	before := strings.Fields(s.text[lineStart(s.text, a.start, 96):a.start])
	return len(before) == 1 || len(before) == 2 && in(strings.ToLower(before[0]), " env set export arg setenv setx config - ")
}

// lineEnd reports whether nothing follows in a line.
func (s *scanner) lineEnd(at int) bool {
	return at >= len(s.text) || s.text[at] == '\n' || s.text[at] == '\r'
}

// netrc reports whether a value stands in a line or block of a netrc file.
func (s *scanner) netrc(at int) bool {
	before := s.text[max(0, at-160):at]
	i := strings.LastIndex(before, "login ")
	return i >= 0 && strings.Count(before[i:], "\n") <= 1
}

// flag reports whether a value follows a command line flag.
func (s *scanner) flag(a assignment) bool {
	i := a.start
	for i > 0 && (s.text[i-1] == ' ' || s.text[i-1] == '"' || s.text[i-1] == '\'') {
		i--
	}
	from, _ := nameAt(s.text, i)
	return from >= 2 && s.text[from-1] == '-' && (s.text[from-2] == '-' || s.text[from-2] == ' ')
}

func tokenValue(v string, a assignment) bool {
	if integer(v) && len(v) < 16 {
		return false
	}
	if i := strings.LastIndexByte(v, '-'); i > 0 && versionLike(v[i+1:]) {
		return false // an artifact: name-1.2.3
	}
	if a.sep == blank && strings.HasPrefix(v, "-") {
		return false
	}
	if !a.quoted && a.loose && identifier(v) && !random(v) {
		return len(v) >= 20 && mixed(v) && !wordy(v)
	}
	return len(v) >= 8 && (!wordy(v) || chosen(v)) && !pathLike(v)
}

// passwordText decides about what people choose.
func passwordText(v string, a assignment) bool {
	if strings.ContainsAny(v, "\n\t") || strings.Count(v, " ") > 1 || pathLike(v) {
		return false
	}
	if !plainWords(v) {
		if !a.quoted && a.loose && identifier(v) {
			return chosen(v) || mixed(v) && countKinds(v).runs > 1
		}
		return !strings.Contains(v, " ") || chosen(strings.ReplaceAll(v, " ", ""))
	}
	if strings.ContainsAny(v, " ./:,_-") || strings.Contains(strings.ToLower(v), "pass") {
		return false
	}
	if unlikeWords(v) && (a.quoted || !a.loose) {
		return true
	}
	return a.line || !a.quoted && !a.loose && a.sep == equals
}

// unlikeWords reports whether a value of letters alone is spelt as no word and
// no name in code is: what somebody typed, or a machine drew, as a password.
// Names such as changePassword stay below the bound, keyboard runs are above it.
func unlikeWords(v string) bool {
	const bound = 5.2
	return len(v) >= 8 && len(v) <= 64 && identifier(v) && !strings.Contains(v, "_") && surprise(v) > bound
}

// configLine reports whether a name and its value are a line of a file of
// settings, or a member of JSON with quoted name and value: not code.
func (s *scanner) configLine(from int, a assignment) bool {
	if a.sep == colon && a.quoted && from > 0 && s.text[from-1] == '"' && a.end < len(s.text) && s.text[a.end] == '"' {
		return true
	}
	if a.sep != colon && a.sep != equals || a.quoted {
		return false
	}
	if !s.lineEnd(a.end) {
		return false
	}
	start := lineStart(s.text, from, 96)
	return strings.TrimLeft(s.text[start:from], " \t-") == "" && strings.IndexByte(s.text[from:a.start], '(') < 0
}

// pathLike reports whether a value is a path or an address, not a secret.
func pathLike(v string) bool {
	if strings.Contains(v, "://") {
		return true
	}
	if strings.HasPrefix(v, "/") || strings.HasPrefix(v, "./") || strings.HasPrefix(v, "~/") || strings.HasPrefix(v, "../") {
		return !random(v)
	}
	return strings.Count(v, "/") >= 2 && surprise(v) < 5
}

// maxJudged is how much of a value decides about it.
const maxJudged = 512

const near = 56 // bytes around a secret word in which a random token is one

// nearby looks for random tokens around a secret word.
func (s *scanner) nearby(from, to int) {
	start, end := max(s.nearEnd, from-near), min(len(s.text), to+near)
	if !s.runNear(start, end) {
		s.nearEnd = max(s.nearEnd, end)
		return
	}
	// Neither another paragraph is near, nor what lies beyond a placeholder: what
	// was far away must not come near because the text between was taken out.
	for _, wall := range []string{"\n\n", "[REDACTED:"} {
		if i := strings.LastIndex(s.text[start:max(start, from)], wall); i >= 0 {
			start += i + len(wall)
		}
		if to < end {
			if i := strings.Index(s.text[to:end], wall); i >= 0 {
				end = to + i
			}
		}
	}
	if start >= end {
		return
	}
	for start > s.nearEnd && from-start < maxJudged && bodyByte(s.text[start-1]) {
		start-- // the window begins inside a run
	}
	i := start
	for ; i < end; i++ {
		if !bodyByte(s.text[i]) {
			continue
		}
		j := i + 1
		for j < len(s.text) && j-i < maxValue && bodyByte(s.text[j]) {
			j++
		}
		if j-i >= 16 {
			s.randomIn(i, j)
		}
		i = j
	}
	s.nearEnd = min(max(i, end), len(s.text))
}

// randomIn judges a run of token bytes near a secret word: as a whole, or its
// parts between separators.
func (s *scanner) randomIn(from, to int) {
	run := s.text[from:to]
	if i := strings.LastIndexByte(strings.TrimRight(run, "="), '='); i >= 0 {
		s.randomIn(from+i+1, to) // the name before = stays
		return
	}
	if to-from > 200 || hashPrefixed(s.text, from) || s.bodyLine(from, to) {
		return
	}
	longest := 0
	for part := from; part < to; {
		end := part
		for end < to && s.text[end] != '-' && s.text[end] != '_' && s.text[end] != '=' && s.text[end] != '/' {
			end++
		}
		id := part-from >= 4 && agentID(s.text[part-4:end])
		if p := s.text[part:end]; len(p) >= 20 && drawn(p) && !dummy(p) && !id {
			from, to = pathPart(s.text, from, to, part)
			s.add(from, to, ruleRandom)
			return
		}
		if !id {
			longest = max(longest, end-part)
		}
		part = end + 1
	}
	if len(run) >= 16 && longest >= 10 && drawn(run) && !dummy(run) && strings.Count(run, "/") < 2 {
		s.add(from, to, ruleRandom)
	}
}

// pathPart narrows a run to the part between slashes that holds the byte at,
// where the other parts are words: a token in a path does not take the path
// with it. A slash inside base64 has no words around it.
func pathPart(text string, from, to, at int) (int, int) {
	start := from + strings.LastIndexByte(text[from:at], '/') + 1
	end := to
	if i := strings.IndexByte(text[at:to], '/'); i >= 0 {
		end = at + i
	}
	for _, part := range strings.Split(strings.Trim(text[from:start]+text[end:to], "/"), "/") {
		if part != "" && !plainWords(part) {
			return from, to
		}
	}
	return start, end
}

// bodyLine reports whether a run is one of several lines of the same base64
// body: a certificate, a signature, an image.
func (s *scanner) bodyLine(from, to int) bool {
	if to-from < 40 {
		return false
	}
	line := to - from
	if to < len(s.text) && s.text[to] == '\n' && longestBase64(s.text[to+1:min(len(s.text), to+1+line)]) == line {
		return true
	}
	return from > line && s.text[from-1] == '\n' && longestBase64(s.text[from-1-line:from-1]) == line
}

// hashPrefixed reports whether a token is a digest that says so.
func hashPrefixed(text string, at int) bool {
	before := strings.ToLower(text[max(0, at-12):min(len(text), at+8)])
	for _, p := range []string{"sha1", "sha256", "sha384", "sha512", "h1:", "md5", "integrity", "blake", "etag", "crc", "ssh-", "ecdsa-", "aaaab3nz", "aaaac3nz"} {
		if strings.Contains(before, p) {
			return true
		}
	}
	return false
}
