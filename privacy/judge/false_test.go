package judge

import (
	"testing"

	"keepmum/privacy/value"
)

func TestWhatOnlyStandsWhereAValueMay(t *testing.T) {
	for _, c := range []struct {
		name string
		got  bool
		want bool
	}{
		{"the next option", optionName("--region=us-east-1"), true},
		{"dashes in front of a password", optionName("--9kQ"), false},
		{"a drawn one", value.Placeholder("66f8ec73-c22d-4671-81ba-22c60b81f161"), false},
		{"what stands for the rest", value.Placeholder("tskey-client-xxx"), true},
	} {
		if c.got != c.want {
			t.Errorf("%s: got %v", c.name, c.got)
		}
	}
}
