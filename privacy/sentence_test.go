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
The passphrase is ‹dancingpineapples› and the user is cups
login is kim, pasword ‹brick_by_brick›
passphrase ‹sixteenlonelylobsters›
I changed the ftp password to ‹gravel.road.9›
Password for user archive: ‹hopscotch›
when sudo asks just type ‹teapot88› please
das Passwort des Druckers lautet ‹Zimtschnecke›, danke
Das Kennwort ist „‹auf der mauer sitzt sie›“
hab das pw gestern auf ‹kuckuck77› gesetzt
le mot de passe du NAS est ‹lune-de-miel-salee›
le mot de passe est « ‹le chat dort encore› »
la contraseña del router es ‹naranja_con_sal› y ya
la password ‹ponte.levatoio› — è quella nuova
a senha do backup é ‹chuva-no-telhado›
wachtwoord van de printer is ‹kaas-met-spek›
koden til porten er ‹tordenvejr› (spørg mig)
lösenordet är ‹kaffe_utan_bulle›, tack
salasana on ‹lumi-ukko-sulaa›
heslo k tiskárně je ‹vlk_a_zajic›
hasło do drukarki to ‹deszcz-na-dachu›
a jelszó: ‹KéményTető›, köszi
parola de la imprimantă este ‹ploaie-si-vant›
пароль от принтера: ‹дождь_на_крыше›
пароль — ‹Sneg2031›
ο κωδικός του εκτυπωτή είναι ‹vroxisimera›
كلمة المرور للطابعة هي ‹matar.fi.sayf›
打印机密码是 ‹xiayu-tian-qing›，谢谢
密碼 ‹Yutian.Mao›
プリンターのパスワードは「‹ame-to-yuki›」です
프린터 비밀번호는 ‹biga.onda›입니다
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
ssh kim@10.0.0.7, pw ‹walnut›, then look at the disk
entra con root y clave ‹calcetines› y borra la tabla
he has the same password for everything, it's ‹icedlemontea› (sadly)
su will ask you for the password, type ‹plum!jam›.
you log in with ‹Plum.Jam.Roll›
the sheet is locked, unlock with ‹plum!jam› then save it
the archive has a passphrase ‹merry-plum-config-lantern›
ww: ‹tuinhek31› voor kim@tuin.example
mdp : ‹pommedeterre›
пароль от принтера ‹Снегирь52›, логин print
mật khẩu máy in là ‹MuaTrenMai› nhé
koden til printeren er ‹KaffeMedFløde› brugernavn kim
usuario root y contraseña ‹calcetin›, gracias
Benutzer kim, Passwort ‹Kartoffel›
The passphrase is "‹the plum fell on the roof›", quotes not included
dan log je in met ‹Rode_Bessen›
tu entres avec ‹Prune!Rouge›
het ww van de printer is ‹tuinhek31›`

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
