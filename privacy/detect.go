package privacy

import "strings"

// detectors are the parts of the gate that know structures instead of shapes.
func detectors() []trigger { return append(notations(), toolTalk()...) }

// notations are the ways in which a secret is written down.
func notations() []trigger {
	return []trigger{
		{words: secretWords, ids: []string{"password", "secret-value", "random-token"}, run: (*scanner).name},
		{words: []string{"://", `:\/\/`}, ids: []string{"url-password"}, run: (*scanner).url},
		{words: []string{"-----begin", "private key-----", "key block-----"}, ids: []string{"private-key"}, run: (*scanner).pem},
		{words: keyBodies, run: (*scanner).keyBody},
		{words: []string{"authorization", "cookie"}, ids: []string{"http-credential"}, run: (*scanner).header},
		{ids: []string{ruleEmail, rulePhone, ruleCard, ruleIBAN, ruleIP}},
		{words: []string{"eyj"}, ids: []string{"jwt"}, run: (*scanner).jwt},
		{words: []string{" -u ", "-u \"", "-u '", "-u=", "--user ", "--user=", "proxy-user ", "http -a ", "https -a ", "--auth "}, run: (*scanner).account},
		{words: []string{"kind: secret", "kind: \"secret\""}, run: (*scanner).manifest},
		{words: commands(), run: (*scanner).command},
		{words: []string{"@tcp(", "@unix("}, run: (*scanner).dialled},
		{words: []string{"send \"", "send -- \""}, run: (*scanner).sent},
		{words: []string{"default"}, run: (*scanner).inherited},
		{words: []string{" / "}, run: (*scanner).pair},
		{words: foreignWords, run: (*scanner).foreign},
		{words: []string{"koden", "kode", "sudo asks", "sudo prompts", "sudo wants", "sudo fragt", "ssh asks", "ww:", " ww ", "get in with", "log in with", "logs in with", "unlock with", "unlocks with", "opens with", "\nww ", "in met", "loggen met", "rein mit", "melden mit", "entras con", "entra con", "accedi con", "entre avec", "entres avec", "connecte avec"}, run: (*scanner).handover},
		{words: []string{"type=\"password\"", "type='password'"}, run: (*scanner).masked},
		{words: []string{"?code=", "&code="}, run: (*scanner).granted},
		{words: []string{"wifi:"}, run: (*scanner).wifi},
		{words: []string{"mnemonic", "seed phrase", "recovery phrase", "seed_phrase", "seed words", "seed:", "metamask phrase", "wallet phrase", "backup phrase"}, run: (*scanner).phrase},
		{words: []string{":5432:", ":5433:", ":6432:", ":*:*:"}, run: (*scanner).pgpass},
		{words: []string{"%5f", "%3d", "%3a", "%22", "%27", "&#", `\u00`, `\x3d`, `\x22`, `\x3a`}, run: (*scanner).escape},
		{words: []string{`" + "`, `' + '`, `"+"`, `'+'`, `" . "`, `' . '`, `" & "`, "\" +\n", "' +\n", "\" \\\n", "' \\\n"}, run: (*scanner).joint},
		{words: []string{"\"value\"", "value:", ":value", "\"value\\\"", "default:"}, run: (*scanner).beside},
		{words: []string{"recovery code", "backup code", "scratch code"}, run: (*scanner).codes},
		{words: []string{"backup codes\n"}, run: (*scanner).pairedCodes},
		{words: []string{"\"kty\""}, run: (*scanner).jwk},
		{words: []string{"private keys"}, run: (*scanner).listedKeys},
		{words: []string{"wallet(", "accounts:", "private key: "}, run: (*scanner).walletKey},
		{words: []string{"privateexponent:", "prime1:", "prime2:", "exponent1:", "exponent2:", "coefficient:", "\npriv:"}, ids: []string{"private-key"}, run: (*scanner).printedKey},
		{words: []string{"\"kind\":\"secret\"", "\"kind\": \"secret\""}, run: (*scanner).appliedSecret},
		{words: []string{"basic "}, run: (*scanner).basicPair},
		{words: []string{"forkey:"}, run: (*scanner).keyedBefore},
		{words: []string{" p: ", " pw: "}, run: (*scanner).shortPair},
		{words: []string{"snmp-server user "}, run: (*scanner).snmpUser},
		{words: []string{"server\tsecret", "server  secret", "server secret"}, run: (*scanner).dialledIn},
		{words: []string{"stats auth "}, run: (*scanner).account},
		{words: []string{"key   "}, run: (*scanner).keyTable},
		{words: []string{"00000000", "0000000 "}, run: (*scanner).dump},
		{words: gutterWords(), run: (*scanner).gutter},
	}
}

// toolTalk are the commands, calls and answers of programs that secrets stand in.
func toolTalk() []trigger {
	return []trigger{
		{words: stdinReaders, run: (*scanner).piped},
		{words: []string{"chpasswd:", "chpasswd <<"}, run: (*scanner).passwordList},
		{words: []string{" on >", "resetpass >", "nopass >"}, run: (*scanner).aclPassword},
		{words: []string{"password is generated for "}, run: (*scanner).generated},
		{words: accountCalls, run: (*scanner).accountCall},
		{words: connectCalls, run: (*scanner).connectCall},
		{words: []string{":thin:", "sqlplus ", "sql> connect ", "sql> conn ", "expdp ", "impdp ", "sqlldr ", "sqlplus64 ", "rman target ", "sql -s ", "sql -l ", "\nconn ", "userid="}, run: (*scanner).slashed},
		{words: []string{".fill(", ".type(", "sendkeys(", "send_keys(", "presssequentially(", ".setvalue(", ".sendline(", "fill_in ", "buildconfigfield("}, run: (*scanner).entered},
		{words: []string{"values (", "values("}, run: (*scanner).inserted},
		{words: []string{"snmp-server community ", "snmp-agent community "}, run: (*scanner).community},
		{words: []string{"identified by ", "_password by ", "_password as "}, run: (*scanner).identified},
		{words: []string{" -p ", " -p'", " -p\""}, run: (*scanner).flagged},
		{words: []string{"random_password"}, run: (*scanner).drawnResult},
		{words: []string{"new value: ", "334 ugfzc3dvcmq6\n", "334 ugfzc3dvcmq6\r\n", "key content", "sselinhalt", "contenido de la clave", "contenu de la cl"}, run: (*scanner).handedOut},
		{words: []string{"> auth ", "> pass "}, run: (*scanner).typedCommand},
		{words: []string{"'-p', '", "\"-p\", \"", "'-p','", "\"-p\",\""}, run: (*scanner).listedFlag},
		{words: []string{"-value "}, run: (*scanner).flaggedValue},
		{words: []string{"set password for "}, run: (*scanner).setFor},
		{words: []string{"enable password ", "enable secret "}, run: (*scanner).enabled},
		{words: []string{"createuser "}, run: (*scanner).createdUser},
		{words: []string{"enter passphrase for "}, run: (*scanner).unlocked},
		{words: []string{"hash('", "hash(\""}, run: (*scanner).hashed},
		{words: []string{"base64 -d", "base64 --decode"}, run: (*scanner).decoded},
		{words: []string{"plaintext(", "guardedstring(", "secretstr(", "secretstring::new(", "secret::new(", "protectedvalue.fromstring(", "protectedstring.fromstring(", "pulumi.secret(", "redacted.make(", "secretbox::new("}, run: (*scanner).sealedLiteral},
		{words: []string{"get secret", "kv get", "vault read", "output -raw", "output --raw", "pass show", "op read"}, run: (*scanner).prompted},
		{words: []string{"--auth="}, run: (*scanner).authFlag},
		{words: []string{"\nuser "}, run: (*scanner).ftpUser},
		{words: []string{"user: ", "username: ", "login: "}, run: (*scanner).belowAccount},
		{words: []string{"tokenid"}, run: (*scanner).tokenRow},
		{words: []string{"pw =", "pw=", "pw:", "pw\"", "pw'", "pw  ", "psk =", "psk=", "psk:", "psk  "}, run: (*scanner).camelName},
		{words: []string{"jwt.sign(", "jwt.verify(", "jwt.encode(", "jwt.decode(", "hmac.new(", "createhmac(", "hashsync(", "argon2.hash(", "hash::make(", "password_hash(", "bcrypt.hash(", "frompassword(", "fernet("}, run: (*scanner).signed},
		{words: []string{"\"auth\" \""}, run: (*scanner).monitored},
		{words: []string{"btoa('", "btoa(\"", "buffer.from('", "buffer.from(\"", "b64encode(b'", "b64encode(b\""}, run: (*scanner).encodedPair},
		{words: []string{" crypt('", "(crypt('", "=crypt('"}, run: (*scanner).crypted},
		{words: []string{"$ "}, run: (*scanner).pasted},
		{words: linkSteps, run: (*scanner).linked},
		{words: []string{"<auth-user-pass"}, run: (*scanner).vpnAccount},
		{words: []string{"secretsdump", "psexec", "wmiexec", "smbexec", "atexec.py", "mssqlclient", "getuserspns", "impacket-"}, run: (*scanner).target},
		{words: []string{" login "}, run: (*scanner).mailLogin},
		{words: []string{"auth default "}, run: (*scanner).typedCommand},
		{words: keyVendors, run: (*scanner).vendorNamed},
		{words: []string{"klucz api", "kluczem api", "clave api", "clave de api", "chave api", "chave de api", "chave da api", "chiave api", "cheie api", "api kulcs", "api-nyckel", "api-sleutel", "api sleutel"}, run: (*scanner).offeredBehind},
		{words: []string{"use this: ", "use this one: ", "here it is: ", "here you go: ", "try this: ", "try this one: ", "this one: "}, run: (*scanner).handedKey},
		{words: []string{`".tochararray(`}, run: (*scanner).asCharacters},
		{words: []string{"input text "}, run: (*scanner).keyedIn},
		{words: clientCalls, run: (*scanner).clientCall},
		{words: []string{"root and ", "admin and ", "administrator and "}, run: (*scanner).accountAnd},
		{words: pinWords, run: (*scanner).pin},
		{words: []string{"pin-code ", "pin code ", "pincode "}, run: (*scanner).lockSaid},
		{words: lockWords, run: (*scanner).lockSaid},
		{words: []string{"recovery key", "bitlocker", "numerical password"}, run: (*scanner).recoveryKey},
		{words: []string{"\n12. "}, run: (*scanner).numberedWords},
		{words: []string{"key manually", "code manually", "setup key"}, run: (*scanner).manually},
		{words: []string{":587 ", ":465 ", ":25 ", ":587\t", ":465\t"}, run: (*scanner).relayed},
		{words: []string{"{plain", "{clear"}, run: (*scanner).inClear},
		{words: []string{": eap \"", ": xauth \"", ": psk \"", ": ntlm \""}, run: (*scanner).sharedLiteral},
		{words: []string{"users"}, run: (*scanner).users},
		{words: []string{"&signature=", "?signature=", "samlresponse="}, run: (*scanner).queried},
	}
}

// stretch is the part of a text that another reading is made of.
type stretch struct{ from, to int }

// around adds what lies around an offset; stretches that meet become one.
func around(parts []stretch, at, size int) []stretch {
	return joined(parts, stretch{max(0, at-viewReach), min(size, at+viewReach)})
}

// joined adds a stretch that begins behind the others.
func joined(parts []stretch, next stretch) []stretch {
	if last := len(parts) - 1; last >= 0 && next.from <= parts[last].to {
		parts[last].to = next.to
		return parts
	}
	return append(parts, next)
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
	"passw", "pwd", "pass", "pasw", "pssw", "secret", "token", "key", "auth", "cred", "bearer", "private",
	"signing", "session", "jwt", "login", "psw", "license", "webhook", "hmac", "access", "_pat", "-pat",
	" pw", "\npw", "\"pw", "'pw", "{pw", "(pw", ",pw", "$pw", "@pw", "-pw", ".pw", "<pw", "?pw", "&pw", "*pw", "-dpw", "+pw", ":pw", "appid", "rootpw", "bindpw", "sessid", "amz-signature", "goog-signature", "userpw", "dbpw", "mypw", "adminpw", "senha", "haslo", "totp", "_pw", "_psk", "-psk", "pat:", " pat is", "\"pat\"", " psk", ".psk", "hash_salt", "nonce_salt", "auth_salt", "_in_salt", "\"psk", "\npsk", "\tpsk", "kennwort", "wachtwoord", "pepper",
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
	if testPassed(s.text, from, to) {
		return
	}
	s.names++
	s.once(from, to, func() { s.judgeName(end, from, to) })
}

// testPassed reports whether a name is the PASS of a test of Go, of which there
// are thousands: "--- PASS: TestX (0.01s)".
func testPassed(text string, from, to int) bool {
	const line = "--- PASS: Test"
	from -= strings.Index(line, "PASS")
	return from >= 0 && to < len(text) && text[to] == ':' && strings.HasPrefix(text[from:], line)
}

func (s *scanner) judgeName(end, from, to int) {
	if mark := from - len(redactedMark); mark >= 0 && s.text[from-1] == ':' && s.taken(mark) > 0 {
		s.nearby(from, to) // the rule of what was found here
		return
	}
	if from > 0 && s.text[from-1] == '-' && s.text[from] == 'D' && to-from > 2 {
		from++ // -Dpassword=… of Java
	}
	if to < len(s.text) && s.text[to] == '(' && to+1 < len(s.text) && s.text[to+1] == ')' {
		s.returned(from, to)
		return
	}
	if s.inRun(end, from, to) {
		return
	}
	n := s.called(from, to)
	if s.mayAssign(n) && s.valued(n) {
		return
	}
	s.aloof(n)
	if !s.glued(end, to) {
		s.nearby(from, to)
	}
}

// mayAssign reports whether the value behind a name matters: it may be secret,
// or one that all may see.
func (s *scanner) mayAssign(n *called) bool {
	return n.strength != notSecret || openly(n.words) || n.from > 0 && (s.text[n.from-1] == '/' || s.text[n.from-1] == ':')
}

// valued judges the value behind a name, and reports whether that settles it.
func (s *scanner) valued(n *called) bool {
	if n.to < len(s.text) && (s.text[n.to] == '=' || s.text[n.to] == ':') {
		at := blanks(s.text, n.to+1)
		if k := s.taken(at); k > 0 && s.lineEnd(at+k) {
			return true
		}
	}
	a, ok := assigned(s.text, n.from, n.to, s.reach())
	s.followed += a.end - a.start
	switch {
	case !ok, a.sep == comma && a.quoted && (s.text[a.start-1] == '`' || s.headRow(n.from)):
		return false // of a list of codes in Markdown, or of names
	case (a.sep == blank || a.sep == equals) && s.helps(n, a):
		return true
	case !a.quoted && a.end <= a.start+s.taken(a.start):
		return true // as it was with the value in its place
	case a.sep == blank && s.configured(n, a):
		return true
	case openly(n.words) || s.openKey(n.from, n.words):
		s.nearEnd = max(s.nearEnd, a.end)
		return true
	case a.sep == colon && a.start == n.to+1 && strings.Contains(s.text[max(0, n.from-64):n.from], "arn:aws"):
		s.nearEnd, s.saidEnd = max(s.nearEnd, a.end), a.end
		return true // arn:…:secret:NAME
	}
	if n.strength == passwordKey && s.text[a.start] >= 0x80 && s.said(n.to, true) {
		return true // a quotation, however many words it has
	}
	return s.assign(n, a)
}

// inRun reports whether a word is there by chance, in a part of a name that is
// drawn: the psw of cus_Cj0sPSWi8x7vkY.
func (s *scanner) inRun(end, from, to int) bool {
	if to-from < 14 {
		return false
	}
	start, stop := end, end
	for start > from && alphanumeric(s.text[start-1]) {
		start--
	}
	for stop < to && alphanumeric(s.text[stop]) {
		stop++
	}
	n := countKinds(s.text[start:stop])
	return stop-start >= 12 && countKinds(s.text[start:end]).digits > 0 && n.digits >= 2 && n.runs >= 2 && n.lower > 1 && n.upper > 1 && surprise(s.text[start:stop]) >= 5.6
}

// aloof looks for the value of a name that does not follow it directly.
func (s *scanner) aloof(n *called) {
	from, to := n.from, n.to
	numbered, said := s.hints(to)
	if numbered {
		s.grouped(to)
		if n.password {
			s.groupedDigits(to)
			s.replaced(to)
			s.spokenOf(to)
		}
	}
	if n.strength == passwordKey && s.inSentence(n) {
		s.said(to, !english(s.text[from:to]))
	}
	s.markup(to)
	if n.strength == notSecret {
		return
	}
	s.bytesOfKey(n)
	if n.strength >= tokenKey {
		s.members(n)
		s.foretold(n)
		s.elsewhere(n, said)
	} else if in(n.words[len(n.words)-1], " login logins ") {
		if said {
			s.told(to)
		}
		if _, eol := s.heads(from, to); eol >= 0 {
			s.belowAddress(eol + 1)
		}
	}
}

// elsewhere looks for the value of a secret's name in the cells and lines below
// it, and in what a sentence says of it.
func (s *scanner) elsewhere(n *called, said bool) {
	from, to := n.from, n.to
	s.heading(n)
	delimiter, eol := s.heads(from, to)
	if delimiter == "" && eol < 0 && !said && !strings.HasPrefix(s.text[to:], "\"\n") || openly(n.words) {
		return
	}
	s.replied(to)
	if delimiter != "" {
		s.column(from, delimiter, n.strength)
	} else if eol >= 0 {
		s.below(from, eol, n.strength)
	}
	if said {
		s.told(to)
	}
}

// assign takes the value out that belongs to a name, if it is secret.
func (s *scanner) assign(n *called, a assignment) bool {
	from, to, words, strong := n.from, n.to, n.words, n.strength
	if strong == tokenKey && words[len(words)-1] == "pass" && s.passValue(from, to, a) {
		strong = passwordKey
	}
	if strong == tokenKey && a.quoted && a.sep == colon && len(words) == 1 && words[0] == "secret" && strings.Contains(s.text[max(0, from-40):from], "session(") {
		strong = passwordKey // of Express
	}
	if a.sep == blank && from > 0 && (s.text[from-1] == '$' || s.text[from-1] == '=' && strings.Contains(s.text[a.start:a.end], "=")) || a.sep == call && strings.HasPrefix(s.text[from:to], "keyring.") {
		return false // a variable is used, or the name is what a member of a log line says
	}
	if strong >= tokenKey && s.label(n, a) {
		return false
	}
	if strong >= tokenKey && a.sep == equals {
		s.partsOf(a, ruleOf(strong))
	}
	if strong == notSecret || strong == tokenKey && a.sep == blank && a.told && len(words) == 1 && words[0] == "pass" && !s.lineEnd(a.end) && !s.fullStop(a.end) && !s.owned(from, a.start) {
		return false
	}
	a.env = s.environmentLine(from, to, a)
	if s.outright(&strong, &a, from, to, words) {
		return true
	}
	a.loose = a.loose && !s.flag(a) && !s.settled(strong == passwordKey || words[len(words)-1] == "secret", from, a)
	if strong == passwordKey && a.sep == colon && !a.quoted {
		a.end = max(a.end, s.jumble(a.start))
	}
	if a.env && !a.quoted {
		a.end = s.restOfLine(a.start)
	}
	s.place(&a, from, to, words)
	if strong == tokenKey && a.line && words[len(words)-1] == "secret" && (madeByHand(s.text[a.start:a.end]) || joinedPassword(s.text[a.start:a.end])) {
		strong = passwordKey
	}
	if !a.quoted && a.sep == equals && strong == passwordKey && strings.HasPrefix(s.text[min(len(s.text), a.end):], " ? ") {
		s.branches(a.end)
	}
	if !s.secretValue(strong, a) || refersTo(s.text[from:to], s.text[a.start:a.end]) || namedID(s.text[from:to], s.text[a.start:a.end]) || fingerprint(s.text[from:to], s.text[a.start:a.end]) || s.storeKey(from, a) {
		return false
	}
	rule := ruleOf(strong)
	s.add(a.start, a.end, rule)
	for _, m := range a.more {
		s.add(m.start, m.end, rule)
	}
	s.alike(a, rule)
	s.formerWord(a, rule)
	if !a.quoted && s.folded(to, a.start) {
		s.foldedLines(a, rule)
	}
	return true
}

// outright redacts a value whose form alone settles it: a phrase, words that a key
// was made of, the password behind the name of an account.
func (s *scanner) outright(strong *strength, a *assignment, from, to int, words []string) bool {
	if a.quoted && a.sep != comma && a.sep != compare && s.slogan(*strong, from, to, *a) {
		s.add(a.start, a.end, ruleSecret)
		return true
	}
	if *strong == passwordKey {
		if s.wordsOfAccount(from, to, a) || a.sep == comma && a.quoted && s.settingsRow(from, to, a) || a.sep == equals && !a.quoted && s.behindAddress(from, *a) {
			s.add(a.start, a.end, rulePassword)
			return true
		}
		if end := max(s.passphrase(s.text[from:to], *a), s.wordsApart(s.text[from:to], *a)); end > 0 {
			s.add(a.start, end, rulePassword)
			return true
		}
	}
	if *strong == tokenKey && a.quoted && a.sep == equals && (words[len(words)-1] == "secret" || len(words) > 1 && words[len(words)-2] == "secret") {
		if end := s.wordsApart(s.text[from:to], *a); end > 0 {
			s.add(a.start, end, ruleSecret)
			return true
		}
	}
	if !in(words[len(words)-1], " creds cred credentials credential login logins ") {
		return false
	}
	n := accountName(s.text[a.start:a.end])
	if a.start += n; n == 0 {
		return false
	}
	if v := s.text[a.start:a.end]; handWritten(v) || capitalised(v) {
		s.add(a.start, a.end, rulePassword)
		return true
	}
	*strong = max(*strong, tokenKey)
	return false
}

// place notes what the place of a value says about it.
func (s *scanner) place(a *assignment, from, to int, words []string) {
	a.line = s.configLine(from, *a)
	a.literal = s.literal(from, *a)
	member := s.text[from+strings.LastIndexByte(s.text[from:to], '.')+1 : to]
	a.outerCapital = capitals(member)
	a.setter = a.sep == call && (len(words) == 1 || words[len(words)-2] == "set" || len(member) == len(words[len(words)-1]))
	a.fallback = a.sep == comma && a.quoted && (a.outerCapital || s.looksUp(from))
	a.option = a.sep == blank && s.flag(*a) && s.lastOperand(a.end)
}

// passValue reports whether what follows the word "pass", which is also said of
// tests, can only be a password.
func (s *scanner) passValue(from, to int, a assignment) bool {
	if s.hasAccount(from) || s.environmentLine(from, to, a) {
		return true
	}
	v := s.text[a.start:min(a.end, a.start+maxJudged)]
	if a.sep != equals && a.sep != colon {
		return a.sep == blank && s.flag(a) && handWritten(v)
	}
	return a.quoted || s.configLine(from, a) && (unlikeWords(v) || picked(v) || handWritten(v) || capitalised(v))
}

// remarkBehind reports whether a line of settings that is commented out ends with a
// remark: "; pass = VALUE   <- until May".
func (s *scanner) remarkBehind(from int, a assignment) bool {
	i := blanks(s.text, a.end)
	if i == a.end || i >= len(s.text) || strings.IndexByte("<;#-/(", s.text[i]) < 0 {
		return false
	}
	head := strings.TrimLeft(s.text[lineStart(s.text, from, 40):from], " \t;#/")
	v := s.text[a.start:a.end]
	return (head == "" || head == "old: ") && (picked(v) || capitalised(v) || handWritten(v) || chosen(v))
}

// openly reports whether a name says that its value is for everybody's eyes.
func openly(words []string) bool {
	if len(words) == 0 || words[len(words)-1] == "salt" {
		return false
	}
	for _, w := range words {
		switch w {
		case "public", "pub", "pubkey", "hash", "digest", "checksum", "fingerprint", "thumbprint", "integrity":
			return true
		}
	}
	return false
}

// refersTo reports whether a value is another thing of the same long name.
func refersTo(name, value string) bool {
	product, _, _ := strings.Cut(name, "_")
	return len(name) >= 12 && strings.Contains(value, name) || in(value, " postgres mysql mariadb redis rabbitmq mongo minio grafana kibana elastic neo4j ") && strings.EqualFold(product, value)
}

// fingerprint reports whether a value is the fingerprint of a key that signs, as
// recipes of images name it: GPG_KEY.
func fingerprint(name, value string) bool {
	low := lowerASCII(name)
	return (strings.Contains(low, "gpg") || strings.Contains(low, "pgp")) && strings.HasSuffix(low, "key") && len(value) == 40 && countKinds(value).hex
}

// namedID reports whether a value is an id that is called one.
func namedID(name, value string) bool {
	n := len(name)
	if suffixFold(name, "appId") && n > len("appid") || suffixFold(name, "app_id") || suffixFold(name, "app-id") || name == "appID" || name == "appId" {
		return len(value) != 32 || !hexKey(value) // that of a service of data, not of a program
	}
	if uuidLike(value) && strings.IndexByte(name, '_') < 0 && (suffixFold(name, "ClientToken") || suffixFold(name, "RequestToken") || suffixFold(name, "IdempotencyToken")) {
		return true // it tells a request from its repetition
	}
	return n > 2 && strings.EqualFold(name[n-2:], "id") && (uuidLike(value) || openID(value)) && !strings.HasSuffix(strings.ReplaceAll(strings.ToLower(name), "_", ""), "secretid")
}

func suffixFold(name, end string) bool {
	return len(name) >= len(end) && strings.EqualFold(name[len(name)-len(end):], end)
}

// storeKey reports whether a value goes on with the name of a thing in a store
// instead of being one: session:UUID of Redis.
func (s *scanner) storeKey(from int, a assignment) bool {
	if a.quoted || a.sep != colon {
		return false
	}
	v := s.text[a.start:a.end]
	if strings.Count(v, ":") > 1 && strings.Trim(v, "abcdefghijklmnopqrstuvwxyz0123456789:.-") == "" && a.start > 0 && s.text[a.start-1] == ':' && plainWords(v[:strings.IndexByte(v, ':')]) {
		return true
	}
	if name, id, ok := strings.Cut(v, ":"); ok && in(name, " sess session sessions ") {
		return uuidLike(id)
	}
	return uuidLike(v) && s.text[a.start-1] == ':' && (strings.HasSuffix(s.text[from:a.start], "session:") || strings.HasSuffix(s.text[from:a.start], "sess:"))
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
	if s.shared(at, to) {
		return false
	}
	s.add(at, to, ruleRandom)
	return true
}

// openKey reports whether what stands before the lone word "key" or the path
// before a name says that all may see its value: "cache key", checksum/secret.
func (s *scanner) openKey(from int, words []string) bool {
	if s.resourceType(from) {
		return true
	}
	if from > 0 && s.text[from-1] == '/' {
		path, _ := nameAt(s.text, from-1)
		return openPath(s.text[path : from-1])
	}
	if len(words) != 1 || words[0] != "key" || from < 2 || s.text[from-1] != ' ' {
		return false
	}
	before, end := nameAt(s.text, from-1)
	return in(lowerASCII(s.text[before:end]), openKeys)
}

// resourceType reports whether a name is the last part of a type of resource,
// as the key of a member: "AWS::IAM::AccessKey".
func (s *scanner) resourceType(from int) bool {
	at := from
	for at > 0 && from-at < maxName && (wordByte(s.text[at-1]) || s.text[at-1] == ':') {
		at--
	}
	return at > 0 && s.text[at-1] == '"' && strings.Count(s.text[at:from], "::") > 1 && s.text[from] >= 'A' && s.text[from] <= 'Z' && s.text[from-1] == ':'
}

// openPath reports whether what stands before the slash of a name says that it
// is of a digest, as in the annotations of charts: checksum/secret.
func openPath(path string) bool { return path == "checksum" || path == "hash" }

// reach is how far the next value is followed: less once so much has been
// followed that only a flood explains it.
func (s *scanner) reach() int {
	if s.followed > 4*len(s.text)+maxValue {
		return 64
	}
	return maxValue
}

// called is a name of a value, for all who ask about it.
type called struct {
	from, to int
	words    []string
	alone    strength // of the name itself
	strength strength // in its place
	password bool     // it is called what people call their passwords
	room     [maxWords]string
}

// called returns what is known of the name at [from, to).
func (s *scanner) called(from, to int) *called {
	n := &s.naming
	if n.from == from && n.to == to {
		return n
	}
	name := s.text[from:to]
	n.from, n.to, n.words = from, to, nameWords(name, n.room[:0])
	n.alone = wordsStrength(n.words, name)
	n.strength = s.inPlace(n)
	n.password = n.alone == passwordKey && namesPassword(name)
	return n
}

// inPlace judges a name in its place: in a sentence its words stand apart, as in
// "db password" and "api key".
func (s *scanner) inPlace(n *called) strength {
	if n.alone > weakKey || n.from < 2 || s.text[n.from-1] != ' ' {
		return n.alone
	}
	before, end := nameAt(s.text, n.from-1)
	var room [2 * maxWords]string
	return max(n.alone, wordsStrength(append(nameWords(s.text[before:end], room[:0]), n.words...), s.text[n.from:n.to]))
}

// maxJudged is how much of a value decides about it.
const maxJudged = 512
