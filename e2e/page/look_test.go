//go:build browser

package page

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"maps"
	"os"
	"path/filepath"
	"slices"
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
			var shot []byte
			b.run(t, emulation.SetDeviceMetricsOverride(width, 800, 1, false), likes(scheme),
				chromedp.Navigate(s.base+path), chromedp.WaitVisible("h1", chromedp.ByQuery),
				chromedp.FullScreenshot(&shot, 100))
			file := fmt.Sprintf("%d-%s-%d-%s.png", s.docs, name, width, scheme)
			if err := os.WriteFile(filepath.Join(dir, file), shot, 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// step keeps a picture of a step of a walk, as it is, where LOOK names a directory.
func (b *browser) step(t *testing.T, name string) {
	t.Helper()
	dir := os.Getenv("LOOK")
	if dir == "" {
		return
	}
	var shot []byte
	b.run(t, chromedp.FullScreenshot(&shot, 100))
	if err := os.WriteFile(filepath.Join(dir, "walk-"+name+".png"), shot, 0o644); err != nil {
		t.Fatal(err)
	}
}

// likes is what the reader set: light or dark.
func likes(scheme string) *emulation.SetEmulatedMediaParams {
	return emulation.SetEmulatedMedia().WithFeatures(
		[]*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}})
}

// dark are the rooms that the documentation shows dark.
var dark = []string{"session-1", "health", "edit"}

// picture writes a screenshot of a room for the documentation, where PICTURES names a directory.
func (b *browser) picture(t *testing.T, address, room string) {
	t.Helper()
	dir := os.Getenv("PICTURES")
	if dir == "" {
		return
	}
	name, _, _ := strings.Cut(strings.ReplaceAll(room, "/", "-"), "?")
	scheme := "light"
	if slices.Contains(dark, name) {
		scheme = "dark"
	}
	var shot []byte
	b.run(t, emulation.SetDeviceMetricsOverride(1100, 780, 1, false), likes(scheme), chromedp.Navigate(address),
		chromedp.WaitVisible("h1", chromedp.ByQuery),
		chromedp.Evaluate(`for (const d of document.querySelectorAll("[data-review] details")) d.open = 1`, nil),
		chromedp.CaptureScreenshot(&shot))
	if err := os.WriteFile(filepath.Join(dir, "page-"+name+".png"), light(t, shot), 0o644); err != nil {
		t.Fatal(err)
	}
}

// light is a picture with the 256 colours that it has most of: a third of the bytes, and a page
// has hardly more.
func light(t *testing.T, shot []byte) []byte {
	t.Helper()
	from, err := png.Decode(bytes.NewReader(shot))
	if err != nil {
		t.Fatal(err)
	}
	box, counts := from.Bounds(), map[color.Color]int{}
	for y := range box.Dy() {
		for x := range box.Dx() {
			counts[from.At(x, y)]++
		}
	}
	often := slices.SortedFunc(maps.Keys(counts), func(a, b color.Color) int { return counts[b] - counts[a] })
	to := image.NewPaletted(box, often[:min(len(often), 256)])
	draw.Draw(to, box, from, image.Point{}, draw.Src)
	var out bytes.Buffer
	if err := (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(&out, to); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}
