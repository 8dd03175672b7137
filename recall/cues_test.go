package recall

import (
	"testing"

	"keepmum/language"
)

func TestRulesAreRulesInEveryLanguage(t *testing.T) {
	for name, c := range map[string]struct{ rule, request, back, accepts string }{
		"cs": {
			"mezi dvěma importy musí být vždy alespoň pět minut, protože jinak se tabulka zamkne",
			"proč je export tak pomalý, můžeš se na to podívat?",
			"pravidlo o pěti minutách už neplatí, od teď je to deset",
			"ano, druhý",
		},
		"de": {
			"zwischen zwei Importen müssen immer mindestens fünf Minuten liegen, sonst sperrt sich die Tabelle",
			"warum ist der Export so langsam, kannst du dir das mal ansehen?",
			"die fünf Minuten gelten nicht mehr, ab jetzt sind es zehn",
			"ja, nimm die zweite",
		},
		"es": {
			"entre dos importaciones siempre tienen que pasar al menos cinco minutos, porque si no se bloquea la tabla",
			"¿por qué es tan lento el export, puedes mirarlo?",
			"los cinco minutos ya no valen, a partir de ahora son diez",
			"sí, la segunda",
		},
		"fr": {
			"entre deux imports il faut toujours attendre au moins cinq minutes, sinon la table se bloque",
			"pourquoi l'export est si lent, tu peux regarder ?",
			"les cinq minutes ne valent plus, désormais c'est dix",
			"oui, la deuxième",
		},
		"it": {
			"tra due importazioni devono passare sempre almeno cinque minuti, altrimenti la tabella si blocca",
			"perché l'export è così lento, puoi guardare?",
			"i cinque minuti non valgono più, d'ora in poi sono dieci",
			"sì, la seconda",
		},
		"nl": {
			"tussen twee imports moeten altijd minstens vijf minuten zitten, omdat de tabel anders vastloopt",
			"waarom is de export zo traag, kun je even kijken?",
			"de vijf minuten gelden niet meer, voortaan zijn het er tien",
			"ja, de tweede",
		},
		"pl": {
			"między dwoma importami zawsze musi minąć co najmniej pięć minut, bo inaczej tabela się blokuje",
			"dlaczego eksport jest tak wolny, możesz sprawdzić?",
			"pięć minut już nie obowiązuje, od teraz jest dziesięć",
			"tak, druga",
		},
		"pt": {
			"entre duas importações têm de passar sempre pelo menos cinco minutos, porque senão a tabela bloqueia",
			"por que a exportação é tão lenta, você pode olhar?",
			"os cinco minutos não valem mais, a partir de agora são dez",
			"sim, a segunda",
		},
		"ru": {
			"между двумя импортами всегда должно пройти не меньше пяти минут, иначе таблица блокируется",
			"почему экспорт такой медленный, можешь посмотреть?",
			"пять минут больше не действуют, отныне десять",
			"да, второй вариант",
		},
		"zh": {
			"两次导入之间必须至少间隔五分钟，否则表会被锁住",
			"导出为什么这么慢，能不能看一下？",
			"五分钟的规则作废，从现在起改为十分钟",
			"好的，用第二个",
		},
		"ja": {
			"二つのインポートの間は必ず五分以上あけること、ロックされるため",
			"エクスポートが遅いのはなぜですか？",
			"五分のルールは廃止、今後は十分にする",
			"はい、それでお願いします",
		},
	} {
		for _, text := range []string{c.rule, c.request} {
			if got := language.Of(text); got != name {
				t.Errorf("%q is in %s, want %s", text, got, name)
			}
		}
		if got := settles(c.rule); got < 1 {
			t.Errorf("%s: the rule settles %.1f", name, got)
		}
		if got := settles(c.request); got > 0.3 {
			t.Errorf("%s: the request settles %.1f", name, got)
		}
		if reverses(c.rule) || !reverses(c.back) {
			t.Errorf("%s: the rule takes back: %v; what takes it back does: %v", name, reverses(c.rule), reverses(c.back))
		}
		if !tables[name]().accepts.MatchString(language.Plain(c.accepts)) {
			t.Errorf("%s: %q accepts nothing", name, c.accepts)
		}
	}
}

func TestASentenceEndsWithItsSignInWideScripts(t *testing.T) {
	if got := sentences("必ず五分以上あけること。ロックされるため。なぜですか？はい"); len(got) != 4 {
		t.Errorf("%q", got)
	}
}
