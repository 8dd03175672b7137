package daemon

import (
	"os"
	"strings"
	"testing"

	"github.com/labstack/echo/v4"

	"keepmum/config"
	"keepmum/home"
)

func TestEveryRouteIsDescribed(t *testing.T) {
	text, err := os.ReadFile("../docs/api.md")
	if err != nil {
		t.Fatal(err)
	}
	d := New(Options{Home: home.Dir(t.TempDir()), Config: config.Loaded{Config: config.Default()}})
	routes := d.routes().(*echo.Echo).Routes()
	if len(routes) < 10 {
		t.Fatalf("only %d routes: the test looks at the wrong thing", len(routes))
	}
	for _, r := range routes {
		if r.Method == echo.RouteNotFound {
			continue
		}
		if !strings.Contains(string(text), r.Method+" `"+r.Path+"`") {
			t.Errorf("docs/api.md does not describe %s %s", r.Method, r.Path)
		}
	}
}
