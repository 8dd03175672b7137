package transcript

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
)

// Cursor stores key-value rows. The global database has the conversations (composerData:<id>, bubbleId:<id>:<bubble>).
// Only the workspaces' databases say which folder a conversation belongs to; old versions stored whole conversations
// there.
const (
	cursorComposers = "composer.composerData"
	cursorChats     = "workbench.panel.aichat.view.aichat.chatdata"
)

type cursorComposer struct {
	ID        string          `json:"composerId"`
	Name      string          `json:"name"`
	Status    string          `json:"status"`
	CreatedAt json.RawMessage `json:"createdAt"`
	UpdatedAt json.RawMessage `json:"lastUpdatedAt"`
	Parent    string          `json:"parentComposerId"`
	Headers   []struct {
		ID string `json:"bubbleId"`
	} `json:"fullConversationHeadersOnly"`
	Conversation []cursorBubble          `json:"conversation"`
	Map          map[string]cursorBubble `json:"conversationMap"`
}

type cursorBubble struct {
	ID        string          `json:"bubbleId"`
	Type      json.RawMessage `json:"type"` // 1 and 2; in old chats "user" and "ai"
	Text      string          `json:"text"`
	RawText   string          `json:"rawText"`
	CreatedAt json.RawMessage `json:"createdAt"`
	Thinking  struct {
		Text string `json:"text"`
	} `json:"thinking"`
	Tool *cursorTool `json:"toolFormerData"`
}

type cursorTool struct {
	Name    string          `json:"name"`
	CallID  string          `json:"toolCallId"`
	RawArgs json.RawMessage `json:"rawArgs"`
	Params  json.RawMessage `json:"params"`
	Result  json.RawMessage `json:"result"`
	Status  string          `json:"status"`
}

// cursorSessions lists the conversations of a database, with the folders that they belong to.
func cursorSessions(ctx context.Context, src Source) (out []Source, err error) {
	dirs, err := cursorDirs(ctx, src)
	if err != nil {
		return nil, err
	}
	err = withDB(src, func(db *sql.DB) error {
		if ok, err := hasTable(ctx, db, "cursorDiskKV"); err != nil {
			return err
		} else if ok {
			list, err := cursorGlobal(ctx, db, src)
			if err != nil {
				return err
			}
			out = append(out, list...)
		}
		old, err := cursorInline(ctx, db)
		for _, c := range old {
			out = append(out, c.source(src))
		}
		return err
	})
	for i := range out {
		if dir := dirs[out[i].ID]; dir != "" {
			out[i].Dir = dir
		}
	}
	return out, err
}

func (c cursorComposer) source(src Source) Source {
	src.ID, src.Parent = c.ID, c.Parent
	src.Modified = moment(c.UpdatedAt)
	if src.Modified.IsZero() {
		src.Modified = moment(c.CreatedAt)
	}
	return src
}

func cursorGlobal(ctx context.Context, db *sql.DB, src Source) (out []Source, err error) {
	err = each(ctx, db, func(rows *sql.Rows) error {
		var key string
		var data []byte
		var size int64
		if err := rows.Scan(&key, &data, &size); err != nil {
			return err
		}
		var c cursorComposer
		if !decode(data, &c) || len(c.Headers)+len(c.Conversation)+len(c.Map) == 0 {
			return nil // a conversation that was never used
		}
		c.ID = strings.TrimPrefix(key, "composerData:")
		s := c.source(src)
		s.Size = size
		out = append(out, s)
		return nil
	}, `SELECT key, CASE WHEN length(value) <= ? THEN value END, length(value) FROM cursorDiskKV
		WHERE key >= 'composerData:' AND key < 'composerData;' ORDER BY key`, maxValue)
	return out, err
}

// cursorItem reads a value by key, or returns nil if there is none.
func cursorItem(ctx context.Context, db *sql.DB, query, key string) ([]byte, error) {
	var data []byte
	err := db.QueryRowContext(ctx, query, maxValue, key).Scan(&data)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	return data, err
}

const (
	cursorItemSQL = `SELECT CASE WHEN length(value) <= ? THEN value END FROM ItemTable WHERE key = ?`
	cursorKVSQL   = `SELECT CASE WHEN length(value) <= ? THEN value END FROM cursorDiskKV WHERE key = ?`
)

// cursorInline returns the conversations that a workspace's own database contains in full.
func cursorInline(ctx context.Context, db *sql.DB) ([]cursorComposer, error) {
	if ok, err := hasTable(ctx, db, "ItemTable"); err != nil || !ok {
		return nil, err
	}
	var composers struct {
		All []cursorComposer `json:"allComposers"`
	}
	data, err := cursorItem(ctx, db, cursorItemSQL, cursorComposers)
	if err != nil {
		return nil, err
	}
	decode(data, &composers)
	var chats struct {
		Tabs []struct {
			ID      string          `json:"tabId"`
			Title   string          `json:"chatTitle"`
			Time    json.RawMessage `json:"lastSendTime"`
			Bubbles []cursorBubble  `json:"bubbles"`
		} `json:"tabs"`
	}
	if data, err = cursorItem(ctx, db, cursorItemSQL, cursorChats); err != nil {
		return nil, err
	}
	decode(data, &chats)
	for _, t := range chats.Tabs {
		composers.All = append(composers.All,
			cursorComposer{ID: t.ID, Name: t.Title, UpdatedAt: t.Time, Conversation: t.Bubbles})
	}
	var out []cursorComposer
	for _, c := range composers.All {
		if c.ID != "" && len(c.Conversation) > 0 {
			out = append(out, c)
		}
	}
	return out, nil
}

// cursorDirs maps conversations to folders, using the workspaces next to a database. If a workspace cannot be read,
// only its folders are missing.
func cursorDirs(ctx context.Context, src Source) (map[string]string, error) {
	dirs := map[string]string{}
	own := filepath.Dir(src.Path)
	paths := []string{own}
	if filepath.Base(own) == "globalStorage" {
		spaces := filepath.Join(globEscape(filepath.Dir(own)), "workspaceStorage")
		paths, _ = filepath.Glob(filepath.Join(spaces, "*")) // the pattern is valid
	}
	for _, p := range paths {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if folder := cursorFolder(p); folder != "" {
			_ = cursorLinks(ctx, filepath.Join(p, "state.vscdb"), folder, dirs)
		}
	}
	return dirs, nil
}

// globEscape escapes a path for use in a pattern.
func globEscape(path string) string {
	if os.PathSeparator == '\\' {
		return path // the separator cannot escape there
	}
	return strings.NewReplacer(`*`, `\*`, `?`, `\?`, `[`, `\[`, `\`, `\\`).Replace(path)
}

// cursorFolder returns the folder of a workspace.
func cursorFolder(workspace string) string {
	raw, err := readFile(filepath.Join(workspace, "workspace.json"))
	if err != nil {
		return ""
	}
	var w struct {
		Folder string `json:"folder"`
	}
	decode(raw, &w)
	return filePath(w.Folder)
}

// filePath returns the path of a file URI, or "" for a folder on another machine.
func filePath(uri string) string {
	u, err := url.Parse(uri)
	if err != nil || u.Scheme != "file" || (u.Host != "" && u.Host != "localhost") {
		return ""
	}
	if len(u.Path) > 2 && u.Path[0] == '/' && u.Path[2] == ':' {
		return filepath.FromSlash(u.Path[1:]) // /c:/src
	}
	return u.Path
}

// cursorLinks adds the conversations of a workspace to dirs.
func cursorLinks(ctx context.Context, path, folder string, dirs map[string]string) error {
	return withDB(Source{Path: path}, func(db *sql.DB) error {
		data, err := cursorItem(ctx, db, cursorItemSQL, cursorComposers)
		if err != nil {
			return err
		}
		var link struct {
			All []struct {
				ID string `json:"composerId"`
			} `json:"allComposers"`
		}
		decode(data, &link)
		for _, c := range link.All {
			dirs[c.ID] = folder
		}
		old, err := cursorInline(ctx, db)
		for _, c := range old {
			dirs[c.ID] = folder
		}
		return err
	})
}

func readCursor(ctx context.Context, src Source, from Offset, s *sink) (end Offset, err error) {
	err = withDB(src, func(db *sql.DB) error {
		c, err := cursorFind(ctx, db, src.ID)
		if err != nil {
			return err
		}
		s.Title = c.Name
		set(&s.Parent, c.Parent)
		s.saw(moment(c.CreatedAt))
		end, err = cursorEntries(ctx, db, c, from, s)
		return err
	})
	return end, err
}

// cursorFind returns a conversation, whichever of the layouts it has.
func cursorFind(ctx context.Context, db *sql.DB, id string) (cursorComposer, error) {
	var c cursorComposer
	if ok, err := hasTable(ctx, db, "cursorDiskKV"); err != nil {
		return c, err
	} else if ok {
		data, err := cursorItem(ctx, db, cursorKVSQL, "composerData:"+id)
		if err != nil {
			return c, err
		}
		if decode(data, &c) {
			c.ID = id
			return c, nil
		}
	}
	old, err := cursorInline(ctx, db)
	if err != nil {
		return c, err
	}
	for _, o := range old {
		if o.ID == id {
			return o, nil
		}
	}
	return c, fmt.Errorf("conversation %s: %w", id, sql.ErrNoRows)
}
