package privacy

import (
	_ "embed"
	"strings"
	"testing"
)

// handedOverInSentences give a password away, between ‹›.
const handedOverInSentences = `
the paswsord is ‹kettle-drum-solo›, keep it to yourself
Password for the printer — ‹Walrus.Tusk›
login is kim, pasword ‹brick_by_brick›
passphrase ‹sixteenlonelylobsters›
I changed the ftp password to ‹gravel.road.9›
das Passwort des Druckers lautet ‹Zimtschnecke›, danke
hab das pw gestern auf ‹kuckuck77› gesetzt
le mot de passe du NAS est ‹lune-de-miel-salee›
la contraseña del router es ‹naranja_con_sal› y ya
la password ‹ponte.levatoio› — è quella nuova
a senha do backup é ‹chuva-no-telhado›
lösenordet är ‹kaffe_utan_bulle›, tack
salasana on ‹lumi-ukko-sulaa›
hasło do drukarki to ‹deszcz-na-dachu›
a jelszó: ‹KéményTető›, köszi
parola de la imprimantă este ‹ploaie-si-vant›
пароль от принтера: ‹дождь_на_крыше›
пароль — ‹Sneg2031›
كلمة المرور للطابعة هي ‹matar.fi.sayf›
打印机密码是 ‹xiayu-tian-qing›，谢谢
打印机密码改成‹xiayu-tian›了，记一下
后台密码已改为：‹Yutian2207›，谢谢
Паролата за принтера е ‹Dazhd-4410›, благодаря
رمز وای فای ‹baran4410› است
Pour le wifi il faut taper ‹Chouette4410›, merci
密碼 ‹Yutian.Mao›
プリンターのパスワードは「‹ame-to-yuki›」です
kata sandi printer adalah ‹hujan_di_atap›
mật khẩu là ‹mua-tren-mai›
the new password will be ‹otter_pond_swim› from monday
my password's ‹maple-syrup-pancake›, ok?
the password (old box): ‹Cobble.Stone›
hasło do biurka ‹wiatr.na.wydmach› login ala
neue Zugangsdaten: lena / ‹Mond.Sichel›
ho cambiato la password in ‹Sasso.Bianco›
le mot de passe root (vieux NAS) : ‹Fenouil.Sauvage›
密码已重置为 ‹xiao_niao_fei›
you log in with ‹Plum.Jam.Roll›
the archive has a passphrase ‹merry-plum-config-lantern›
mdp : ‹pommedeterre›
Benutzer kim, Passwort ‹Kartoffel›
The passphrase is "‹the plum fell on the roof›", quotes not included
dan log je in met ‹Rode_Bessen›
tu entres avec ‹Prune!Rouge›`

// saidOfPasswords only say something of them.
//
//go:embed rules/keptsaid.txt
var saidOfPasswords string

func TestASentenceGivesAPasswordAway(t *testing.T) {
	g := newGate(t, Options{})
	for line := range strings.Lines(strings.TrimSpace(handedOverInSentences)) {
		before, rest, _ := strings.Cut(strings.TrimSpace(line), "‹")
		value, after, ok := strings.Cut(rest, "›")
		if !ok {
			t.Fatalf("%q marks no password", line)
		}
		got, _ := g.Text(before + value + after)
		kept := strings.HasPrefix(got.String(), before+"[REDACTED:") && strings.HasSuffix(got.String(), "]"+after)
		if !kept || strings.Contains(got.String(), value) {
			t.Errorf("%q became %q", before+value+after, got)
		}
	}
}

// The value may stand below the sentence that announces it.
func TestAnAnnouncedLineIsReadWithItsSentence(t *testing.T) {
	for text, gone := range map[string]bool{
		"the password is:\n\n‹Tannen.Moor82x›\n":                         true,
		"my password is\n‹Winter2024!›\n":                                true,
		"my password is\n\n> ‹Winter2024!›\n":                            true,
		"La contraseña es:\n\n‹Rio!Verde82›\n":                           true,
		"le mot de passe:\n```\n‹Lune-Bleue77!›\n```\n":                  true,
		"the new db password is\n\n    ‹kR7$mopQ2z›\n\nput it into .env": true,
		"the api key:\n\n‹8f3kq02mzlq81mcnaq02›\n":                       true,
		"The totals are wrong for every third order with a discount, because they are floats. From now on use cents. " +
			"The db password is:\n\n‹Tannen!Moor82x›": true,
		"пароль:\n‹t*U98taQ?.uw›\n":                       true,
		"wachtwoord:\n‹Cr15pk377l336›\n":                  true,
		"contraseña:\n\n‹F1QHIn^MUt.D›":                   true,
		"密码如下\n‹q@A4-ayG-8qm›":                            true,
		"password:\n‹auth.password.label›\n":              false,
		"Password:\n‹Login›\nCancel\n":                    false,
		"wachtwoord:\n‹fietsenstalling›\n":                false,
		"the password is:\n\n‹bcrypt›\n":                  false,
		"how long a password is\n\n‹README.md›\n":         false,
		"the password field is\n\n‹user.password_hash›\n": false,
	} {
		value := text[strings.Index(text, "‹")+len("‹") : strings.Index(text, "›")]
		got, _ := newGate(t, Options{}).Text(strings.NewReplacer("‹", "", "›", "").Replace(text))
		if strings.Contains(got.String(), value) == gone {
			t.Errorf("%q: %q", text, got)
		}
	}
}

func TestAValueWithAnEqualsSignIsTakenWhole(t *testing.T) {
	const text = "so Bea changed the jira login again, now it's admin with W4lnut=teapot — fix the compose file"
	if got, _ := newGate(t, Options{}).Text(text); strings.Contains(got.String(), "teapot") {
		t.Errorf("it became %q", got)
	}
}

func TestWhatIsSaidOfPasswordsIsKept(t *testing.T) {
	g := newGate(t, Options{})
	for line := range strings.Lines(strings.TrimSpace(saidOfPasswords)) {
		if got, _ := g.Text(line); got.String() != line {
			t.Errorf("%q became %q", line, got)
		}
	}
	if got, _ := g.Text(saidOfPasswords); got.String() != saidOfPasswords {
		t.Errorf("together they became %q", got)
	}
}
