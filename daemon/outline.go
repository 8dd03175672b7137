package daemon

import (
	"fmt"
	"net/http"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"keepmum/api"
	"keepmum/layout"
	"keepmum/privacy"
	"keepmum/project"
	"keepmum/safefile"
)

// maxOutlined is the size of the largest file with an outline; larger ones are generated.
const maxOutlined = 2 << 20

// getOutline returns what a file declares. The file is given by its number or its path.
func (d *Daemon) getOutline(c echo.Context) error {
	q := c.QueryParams()
	if err := onlyParams(q, "file", "project", "directory"); err != nil {
		return err
	}
	ctx, file, dir := c.Request().Context(), q.Get("file"), q.Get("directory")
	if err := firstError(need("file", file), checkIDs(file), checkPath(dir)); err != nil {
		return err
	}
	at, err := d.placeOf(ctx, q.Get("project"), dir)
	if err != nil {
		return err
	}
	root := ""
	if dir != "" {
		root = project.Of(project.Path(dir)).Root
	} else if tops, err := d.tops(ctx); err != nil {
		return err
	} else if len(tops[at.project]) > 0 {
		root = tops[at.project][0]
	}
	out := api.Outline{Outline: []string{}}
	if n, err := strconv.ParseInt(strings.TrimPrefix(file, "F"), 10, 64); err == nil && file[0] == 'F' {
		if err := d.markFiles(ctx); err != nil {
			return err
		}
		row, err := d.db.FileNumbered(ctx, at.project, n)
		if err != nil {
			return failure(api.NotFound, "this project has no file "+file, "mum session")
		}
		out.File, file = row.Name(), below(root, row.Path)
	} else if dir != "" {
		file = d.fileBelow(dir, file)
	}
	return d.outline(c, root, below(root, file), out)
}

func (d *Daemon) outline(c echo.Context, root, file string, out api.Outline) error {
	gone := failure(api.NotFound, "this project has no file "+d.shownText(file)+" that can be read", "mum session")
	if root == "" {
		return gone
	}
	if !filepath.IsLocal(filepath.FromSlash(file)) {
		return failure(api.NotFound, "that file is not in this project", "mum outline FILE")
	}
	src, err := safefile.ReadBelow(root, file, maxOutlined)
	if err != nil {
		return gone
	}
	var lines strings.Builder
	for _, s := range layout.Outline(file, src) {
		fmt.Fprintf(&lines, "%5d  %s\n", s.Line, s.Text)
	}
	cleaned := d.intake.GateAt(root).Event(privacy.Raw{Tool: "Read", Dir: root, Input: map[string]any{"file_path": file},
		Output: lines.String()})
	if !cleaned.Excluded.IsZero() {
		return failure(api.Forbidden, "keepmum never shows this file (denylist)", "mum config show")
	}
	out.Path = d.shownText(file)
	for line := range strings.Lines(cleaned.Output.Text().String()) {
		out.Outline = append(out.Outline, strings.TrimRight(line, "\n"))
	}
	return c.JSON(http.StatusOK, out)
}
