package privacy

import "slices"

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
		{words: []string{"send \"", "send -- \""}, run: (*scanner).sent},
		{words: []string{"default"}, run: (*scanner).inherited},
		{words: []string{" / "}, run: (*scanner).pair},
		{words: foreignWords, run: (*scanner).foreign},
		{words: []string{"chiave", "chave", "clave_", "llave", "klucz", "cle_api", "cle_secrete", "schluessel", "nyckel", "sleutel"}, run: (*scanner).foreignKey},
		{words: []string{"koden", "kode", "sudo asks", "sudo prompts", "sudo wants", "sudo fragt", "ssh asks", "ww:", " ww ", "get in with", "log in with", "logs in with", "unlock with", "unlocks with", "opens with", "\nww ", "in met", "loggen met", "rein mit", "melden mit", "entras con", "entra con", "accedi con", "entre avec", "entres avec", "connecte avec"}, run: (*scanner).handover},
		{words: []string{"type=\"password\"", "type='password'"}, run: (*scanner).masked},
		{words: []string{"?code=", "&code="}, run: (*scanner).granted},
		{words: []string{"wifi:"}, run: (*scanner).wifi},
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
		{words: []string{"get secret", "kv get", "vault read", "output -raw", "output --raw", "pass show", "op read", "uci get", "nvram get", "config --get", ".erlang.cookie"}, run: (*scanner).prompted},
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
		{words: []string{"key manually", "code manually", "setup key", "manual entry", "manual setup", "t scan", "cannot scan", "scan the qr", "scan this qr", "scan the barcode"}, run: (*scanner).manually},
		{words: []string{" seed", "\nseed", "12 words", "24 words", "backup words", "recovery words", "wallet words"}, run: (*scanner).walletWords},
		{words: []string{":587 ", ":465 ", ":25 ", ":587\t", ":465\t"}, run: (*scanner).relayed},
		{words: []string{"{plain", "{clear"}, run: (*scanner).inClear},
		{words: []string{": eap \"", ": xauth \"", ": psk \"", ": ntlm \""}, run: (*scanner).sharedLiteral},
		{words: []string{"users"}, run: (*scanner).users},
		{words: []string{"&signature=", "?signature=", "samlresponse="}, run: (*scanner).queried},
	}
}

// digitCodes are the digits and words that open something.
func digitCodes() []trigger {
	return []trigger{
		{words: []string{"recovery code", "backup code", "scratch code"}, run: (*scanner).codes},
		{words: []string{"backup codes\n"}, run: (*scanner).pairedCodes},
		{words: pinWords, run: (*scanner).pin},
		{words: []string{"ours is ", "mine is "}, run: (*scanner).ownDigits},
		{words: pinNames, run: (*scanner).pinSetting},
		{words: []string{" pin ", " puk ", " pin  ", " puk  ", "\tpin\t", "\tpuk\t", ",pin", ",puk", "pin,", "puk,"}, run: (*scanner).pinColumn},
		{words: []string{"pin-code ", "pin code ", "pincode "}, run: (*scanner).lockSaid},
		{words: lockWords, run: (*scanner).lockSaid},
		{words: []string{"recovery key", "bitlocker", "numerical password"}, run: (*scanner).recoveryKey},
		{words: []string{"\n12. "}, run: (*scanner).numberedWords},
	}
}

// machineTalk are the settings, answers and sessions of machines that secrets stand in.
func machineTalk() []trigger {
	return []trigger{
		{words: operandWords(), run: (*scanner).operated},
		{words: []string{"wireless_wpa string ", "wireless_wep string ", "password for user ", "password for root"}, run: (*scanner).answer},
		{words: []string{"--passphrase=", "--password="}, run: (*scanner).kickstarted},
		{words: []string{"<plaintext>true", "<encrypted config:type="}, run: (*scanner).inPlainText},
		{words: []string{"at+"}, run: (*scanner).modem},
		{words: []string{"/snmp community"}, run: (*scanner).routerCommunity},
		{words: []string{"rocommunity ", "rwcommunity ", "rocommunity6 ", "rwcommunity6 ", "com2sec ", "com2sec6 ", " snmp community "}, run: (*scanner).communityName},
		{words: []string{"rtmp://", "rtmps://", "rtmpe://", "rtmpt://"}, run: (*scanner).streamed},
		{words: []string{"mqtt.client("}, run: (*scanner).keptAlive},
		{words: []string{"erlang:set_cookie(", "node.set_cookie("}, run: (*scanner).nodeCookie},
		{words: []string{"auth-user-pass "}, run: (*scanner).vpnFile},
		{words: []string{"token_last_eight", "/tokens"}, run: (*scanner).tokenMade},
		{words: []string{"<pass password>"}, run: (*scanner).passBlock},
		{words: []string{"nickserv", "authserv", "cserve.quakenet.org", "channels.undernet.org", "/ns "}, run: (*scanner).service},
		{words: []string{"/oper ", "/quote pass ", "/raw pass "}, run: (*scanner).typedToServer},
	}
}
