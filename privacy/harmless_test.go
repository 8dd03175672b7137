package privacy

import "testing"

// Lines that name a password, and that have none.
func TestLinesAroundAPasswordAreKept(t *testing.T) {
	g := newGate(t, Options{})
	for _, text := range []string{
		`I got "wrong password" from the page when I send "hello world" to the bot.`,
		`The password reset mail is broken: we send "Welcome aboard" instead of the link.`,
		"support-postgres-14-as-well-as-16", "node-18-as-soon-as-node-20",
		"echo | passwd kim",
		"echo neovim | sudo pacman -S -",
		"passwd kim; cat <<< 'hello world'",
		"mkdir -p out\necho \"hello world\" | gpg --encrypt -r kim > out/x",
		"mkdir -p out\necho \"hello world\" | age -r kim > out/x",
		"docker run -d --name hydra -p 4444:4444 oryd/hydra",
		"hydra serve all -p 4445:4445",
		"hydra serve all && docker run -p 4445:4445 kiebitz7",
		"npx medusa -p 9000",
		"cd medusa && docker compose -p medusa-dev up",
		`ttyd -p 8080 bash -c "tmux attach"`,
		"run psexec.py and look at main.py:12045 for the error",
		"psexec.py fails with error:timeout in the log",
		"impacket-tools says status:running on kali",
		"name.type('Anna2Maria'); pwd.fill(word); name.type('Anna2Maria')",
		"const pwd = page.locator('#pw'); name.type('Anna2Maria')",
		"const pwd = page.locator('#pw')\nname.type('Anna2Maria')",
		"email.fill('kim@x.org'); pwd.fill('secret'); name.type('Anna2Maria')",
		`password: { type: 'string', minLength: 8, example: 'String123' }`,
		`"password": { "type": "string", "minLength": 8, "example": "String123" }`,
		"password:\n  type: string\n  example: String123\n",
		"fields = [\"email\", \"password\"]\nlabels = [\"E-mail\", \"Kennwort7\"]",
		`{"passwords": {"id": "a3f9c2e1-77b4-4c1e-9d00-112233445566"}}`,
		`{"name":"password","v":"required8"}`,
		`<tr><th>User</th><th>Password</th></tr><tr><td>anna</td><td><a href="/reset">Reset2FA</a></td></tr>`,
		"<password>config.password</password>",
		`<property name="password">database.password.production</property>`,
		`{"columns":["user","password"],"data":[["kim","user.password"],["lea","varchar(64)"]]}`,
		`pd.DataFrame([["kim","user.password"]], columns=["user","password"])`,
		`show([["Kennwort7", "E-mail8"]], columns, ["user", "password"])`,
		"INSERT INTO users (name, password) SELECT name, md5('Hafen') FROM old WHERE name = 'kim'",
		"INSERT INTO users (name, password) SELECT 'kim', '%s'",
		`"{\"kind\":\"ConfigMap\",\"data\":{\"motto\":\"hafenkran\"}}"`,
		`"{\"kind\":\"SecretStore\",\"data\":{\"motto\":\"hafenkran\"}}"`,
		"az acr login -n quay -u kim -p8080",
		"oras login -u kim -p $PASS registry.example",
		"helm registry login -u kim --password-stdin registry.example < pw.txt",
		`{"passwords": {"hash": {"name": "argon2id", "module": "crypto.argon2"}}}`,
		`{"passwords": {"policy": {"type": "string", "pattern": "Tulpe77#feld"}}}`,
		"| name | password |\n|---|---|\n| kim | java.lang.String |",
		"| name | password |\n|---|---|\n| kim | argon2.id |\n| lea | appsettings.Dev2.json |",
		"<password>key1.pem</password>", "<td>Password</td><td>login.page2.html</td>", "<password>node1.local</password>",
		`form([['E-mail','Your password']], fields=('email','password'))`,
		"INSERT INTO configuracion (clave, valor) VALUES ('idioma','es'), ('color','rojo')",
		"INSERT INTO words (id, parola, lang) VALUES (1,'casa','it'), (2,'strada','it')",
		"The grant type (password) values ('client')",
	} {
		if got, _ := g.Text(text); got.String() != text {
			t.Errorf("%q became %q", text, got)
		}
	}
}
