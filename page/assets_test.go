package page

import (
	"io/fs"
	"strings"
	"testing"
)

// mostAssets is the maximum size of the assets: every page includes them, and nobody should have to wait.
const mostAssets = 120_000

func TestThePageIsLight(t *testing.T) {
	var all int64
	err := fs.WalkDir(assets, "assets", func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		info, err := e.Info()
		if err != nil {
			return err
		}
		all += info.Size()
		text, err := assets.ReadFile(path)
		for _, bad := range []string{"http://", "https://", "onclick", "onload", "style=\"", "javascript:"} {
			if strings.Contains(string(text), bad) {
				t.Errorf("%s holds %q", path, bad)
			}
		}
		return err
	})
	if err != nil || all == 0 || all > mostAssets {
		t.Errorf("the assets have %d bytes, %v", all, err)
	}
}

// TestCodesAreSaidInWords checks that each code of a trace with words of its own is shown in them, any other as it is.
func TestCodesAreSaidInWords(t *testing.T) {
	for code, want := range map[string]string{
		"below_the_bar": "not sure enough to be written without asking", "drop": "not kept",
		"some_new_code": "some new code"} {
		if got := said(code); got != want {
			t.Errorf("%s: %q", code, got)
		}
	}
}
