//go:build browser

package page

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
)

// look keeps pictures of a room to be looked at by a person, whole, light and dark, narrow and
// wide, where LOOK names a directory.
func (b *browser) look(t *testing.T, s *site, path, room string) {
	t.Helper()
	dir := os.Getenv("LOOK")
	if dir == "" {
		return
	}
	name := strings.NewReplacer("/", "-", "?", "-", "=", "-").Replace(room)
	for _, width := range []int64{360, 1280} {
		for _, scheme := range []string{"light", "dark"} {
			var png []byte
			b.run(t, emulation.SetDeviceMetricsOverride(width, 800, 1, false), likes(scheme),
				chromedp.Navigate(s.base+path), chromedp.WaitVisible("h1", chromedp.ByQuery),
				chromedp.FullScreenshot(&png, 100))
			file := fmt.Sprintf("%d-%s-%d-%s.png", s.docs, name, width, scheme)
			if err := os.WriteFile(filepath.Join(dir, file), png, 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// likes is what the reader set: light or dark.
func likes(scheme string) *emulation.SetEmulatedMediaParams {
	return emulation.SetEmulatedMedia().WithFeatures(
		[]*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}})
}
