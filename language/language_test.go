package language

import (
	"slices"
	"testing"
)

func TestALanguageIsKnownByItsSmallWords(t *testing.T) {
	for text, want := range map[string]string{
		"why does the importer wait for the lock?": English,
		"fix the bug in internal/auth/token.go":    English,
		"go test ./...":                            English,
		"list bin dir":                             English,
		"add a todo no solo":                       English,
		"scale the pod to ten replicas":            English,
		"spool storage on k8s, need something that survives a pod restart": English,
		"e2e due date":                                      English,
		"go build ./... && go vet ./...":                    English,
		"add locales de, es, fr":                            English,
		"org.w.o.s.b.d.Log: car c d failed at com.acme.k.s": English,
		"implement sin cos tan functions":                   English,
		"mach die Tests wieder grün":                        "de",
		"le build est encore cassé pour tous":               "fr",
		"":                                                  English,
		"rename Calle de la Paz to Main Street":             English,
		"the label says \"Bitte hier klicken\", why is it not translated?": English,
		"warum läuft der Export so lange?":                                 "de",
		"fix mal bitte den bug im importer":                                "de",
		"pourquoi l'export est si lent, il y a deux jours c'était rapide":  "fr",
		"por qué falla la importación cuando hay dos a la vez":             "es",
		"por que a importação falha quando há duas ao mesmo tempo?":        "pt",
		"perché l'importazione si ferma quando ce ne sono due?":            "it",
		"waarom duurt de export zo lang, gisteren was het nog snel":        "nl",
		"dlaczego import nie działa, kiedy są dwa naraz":                   "pl",
		"proč import nefunguje, když jsou dva najednou":                    "cs",
		"почему импорт падает, если запустить два сразу?":                  Russian,
		"为什么导入这么慢？":                                                        Chinese,
		"インポートが遅いのはなぜですか？":                                                 Japanese,
	} {
		if got := Of(text); got != want {
			t.Errorf("%q is in %q, want %q", text, got, want)
		}
	}
}

func TestStopWordsAreInOrder(t *testing.T) {
	if len(Names()) < 9 {
		t.Errorf("only %v", Names())
	}
	for _, name := range Names() {
		words := StopWords(name)
		if len(words) < 50 || !slices.IsSorted(words) || len(slices.Compact(slices.Clone(words))) != len(words) {
			t.Errorf("%s has %d words; are they sorted, each once?", name, len(words))
		}
	}
	if StopWords(English) != nil {
		t.Error("English has its stop words elsewhere")
	}
}

func TestAStopWordOfAnyLanguageIsKnown(t *testing.T) {
	for w, want := range map[string]bool{"because": true, "nicht": true, "avec": true, "не": true, "server": false,
		"": false} {
		if got := IsStopWord(w); got != want {
			t.Errorf("%q: %v", w, got)
		}
	}
}
