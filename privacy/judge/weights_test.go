package judge

import (
	"os"
	"testing"
)

// TestPackedWeightsAreThoseOfTheList checks that the embedded weights are those in the list that people read.
func TestPackedWeightsAreThoseOfTheList(t *testing.T) {
	list, err := os.ReadFile("weights.txt")
	if err != nil {
		t.Fatal(err)
	}
	if Pack(string(list)) != packedWeights {
		t.Error("weights.bin is not weights.txt packed: run make train-gate")
	}
}
