package privacy

import (
	"slices"
	"strings"
	"sync"
)

// detectors are the parts of the gate that know structures instead of shapes.
func detectors() []trigger {
	return slices.Concat(notations(), toolTalk(), machineTalk(), digitCodes())
}

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

		{words: []string{"default"}, run: (*scanner).inherited},
		{words: []string{" / "}, run: (*scanner).pair},
		{words: foreignWords, run: (*scanner).foreign},
		{words: []string{"chiave", "chave", "clave_", "llave", "klucz", "cle_api", "cle_secrete", "schluessel", "nyckel", "sleutel"}, run: (*scanner).foreignKey},
		{words: []string{"koden", "kode", "sudo asks", "sudo prompts", "sudo wants", "sudo fragt", "ssh asks", "ww:", " ww ", "get in with", "log in with", "logs in with", "unlock with", "unlocks with", "opens with", "\nww ", "in met", "loggen met", "rein mit", "melden mit", "entras con", "entra con", "accedi con", "entre avec", "entres avec", "connecte avec"}, run: (*scanner).handover},

		{words: []string{"mnemonic", "seed phrase", "recovery phrase", "seed_phrase", "seed words", "seed:", "metamask phrase", "wallet phrase", "backup phrase"}, run: (*scanner).phrase},
		{words: []string{":5432:", ":5433:", ":6432:", ":*:*:"}, run: (*scanner).pgpass},
		{words: []string{"%5f", "%3d", "%3a", "%22", "%27", "&#", `\u00`, `\x3d`, `\x22`, `\x3a`}, run: (*scanner).escape},
		{words: []string{`" + "`, `' + '`, `"+"`, `'+'`, `" . "`, `' . '`, `" & "`, "\" +\n", "' +\n", "\" \\\n", "' \\\n"}, run: (*scanner).joint},
		{words: []string{"\"value\"", "value:", ":value", "\"value\\\"", "default:"}, run: (*scanner).beside},
		{words: []string{"\"kty\""}, run: (*scanner).jwk},
		{words: []string{"private keys"}, run: (*scanner).listedKeys},
		{words: []string{"wallet(", "accounts:", "private key: "}, run: (*scanner).walletKey},
		{words: []string{"privateexponent:", "prime1:", "prime2:", "exponent1:", "exponent2:", "coefficient:", "\npriv:"}, ids: []string{"private-key"}, run: (*scanner).printedKey},
		{words: []string{"\"kind\":\"secret\"", "\"kind\": \"secret\""}, run: (*scanner).appliedSecret},
		{words: []string{"basic "}, run: (*scanner).basicPair},

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

		{words: accountCalls, run: (*scanner).accountCall},
		{words: connectCalls, run: (*scanner).connectCall},
		{words: []string{":thin:", "sqlplus ", "sql> connect ", "sql> conn ", "expdp ", "impdp ", "sqlldr ", "sqlplus64 ", "rman target ", "sql -s ", "sql -l ", "\nconn ", "userid="}, run: (*scanner).slashed},
		{words: []string{".fill(", ".type(", "sendkeys(", "send_keys(", "presssequentially(", ".setvalue(", ".sendline(", "fill_in ", "buildconfigfield("}, run: (*scanner).entered},

		{words: []string{"identified by ", "_password by ", "_password as "}, run: (*scanner).identified},
		{words: []string{" -p ", " -p'", " -p\""}, run: (*scanner).flagged},

		{words: []string{"new value: ", "334 ugfzc3dvcmq6\n", "334 ugfzc3dvcmq6\r\n", "key content", "sselinhalt", "contenido de la clave", "contenu de la cl"}, run: (*scanner).handedOut},

		{words: []string{"base64 -d", "base64 --decode"}, run: (*scanner).decoded},

		{words: []string{"$ "}, run: (*scanner).pasted},

		{words: []string{"klucz api", "kluczem api", "clave api", "clave de api", "chave api", "chave de api", "chave da api", "chiave api", "cheie api", "api kulcs", "api-nyckel", "api-sleutel", "api sleutel"}, run: (*scanner).offeredBehind},

		{words: []string{" seed", "\nseed", "12 words", "24 words", "backup words", "recovery words", "wallet words"}, run: (*scanner).walletWords},
	}
}

// digitCodes are the digits and words that open something.
func digitCodes() []trigger {
	return []trigger{
		{words: []string{"recovery code", "backup code", "scratch code"}, run: (*scanner).codes},

		{words: pinWords, run: (*scanner).pin},

		{words: []string{"\n12. "}, run: (*scanner).numberedWords},
	}
}

// machineTalk are the settings, answers and sessions of machines that secrets stand in.
func machineTalk() []trigger {
	return []trigger{
		{words: operandWords(), run: (*scanner).operated},
	}
}

// allReaders is what a text is read with.
func allReaders() readers {
	return readers{triggers: detectors(), unwrap: unwrapped, first: begin, last: end, value: valueAfter}
}

// begin does what no word in the text sets off.
func begin(s *scanner) {
	if text := s.text; len(text) > 3 && (strings.EqualFold(text[:2], "pw") || strings.EqualFold(text[:3], "psk")) {
		s.name(2)
	}
	s.guttersFrom(0)
}

// end does what needs the whole text, and takes back what is public.
func end(s *scanner) {
	s.finish()
	s.unpublic()
}

// unwrapped is a text without the numbers before its lines.
func unwrapped(text string) (plain string, back func([]span) []span, ok bool) {
	b := withoutNumbers(text)
	if b == nil {
		return "", nil, false
	}
	return b.room.String(), b.back, true
}

var sharedRules = sync.OnceValue(func() *ruleSet {
	s, err := newRuleSet(allReaders())
	if err != nil {
		panic("the embedded rules: " + err.Error()) // a test parses the same text
	}
	return s
})

// knowsRule reports whether a placeholder may name this rule.
func (g *Gate) knowsRule(id string) bool { return g.rules.ids[id] || g.ownIDs[id] }

// RulesVersion names the rules in use; it changes whenever a rule changes.
func RulesVersion() string { return sharedRules().version }
