package main

import (
	"path/filepath"
	"testing"

	"keepmum/budget"
)

func TestTheLeakTestFindsWhatIsLeft(t *testing.T) {
	t.Setenv(budget.Env, unhurried)
	root := t.TempDir()
	project := filepath.Join(root, "project")
	plants := append(placePlants(project), append(filePlants(project), knownPlants(project)...)...)
	r, err := leakTest(t.Context(), root, plants, &bar{})
	if err != nil || !r.OK || r.Events < 50 || r.Files < 3 || r.Asked == 0 {
		t.Fatalf("%+v, %v", r, err)
	}
}

func TestTheLeakTestSeesALeak(t *testing.T) {
	t.Setenv(budget.Env, unhurried)
	root := t.TempDir()
	project := filepath.Join(root, "project")
	// No gate can know that these words are a secret.
	plants := []plant{{"words", "a motto", "saffron lantern orchard",
		[][]byte{toolUse("s", project, "Bash", object{"command": "make"}, "the motto is saffron lantern orchard today")}}}
	r, err := leakTest(t.Context(), root, plants, &bar{})
	if err != nil || r.OK || r.Groups[0].Leaked != 1 || len(r.Leaks) == 0 || r.Leaks[0].Form != "plain" {
		t.Fatalf("%+v, %v", r, err)
	}
}
