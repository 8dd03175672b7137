package team

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
)

// conn is one connection. Values are sent and received as text, to keep pgx's types out of the binary: they take more
// space than this whole package.
type conn struct {
	pg    *pgconn.PgConn
	heard func(*pgconn.Notification) // nil = not listening
}

// dialTime limits how long a connection attempt may take: less than a client waits for the daemon's answer.
// [statementTime] limits a statement.
const (
	dialTime      = 4 * time.Second
	statementTime = 60 * time.Second
)

func connect(ctx context.Context, d DSN) (*conn, error) {
	ctx, cancel := context.WithTimeout(ctx, dialTime)
	defer cancel()
	c := &conn{}
	config := d.config.Copy()
	config.OnNotification = func(_ *pgconn.PgConn, n *pgconn.Notification) {
		if c.heard != nil {
			c.heard(n)
		}
	}
	var err error
	if c.pg, err = pgconn.ConnectConfig(ctx, config); err != nil {
		return nil, unreachable(d, err)
	}
	return c, nil
}

// close ends a connection. It does not wait for what can no longer be sent.
func (c *conn) close() {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	_ = c.pg.Close(ctx)
}

// row is one row; NULL is "".
type row []string

func (r row) int(i int) int64 {
	n, _ := strconv.ParseInt(r[i], 10, 64) // the column contains numbers
	return n
}

func (r row) bool(i int) bool { return r[i] == "t" }

// query runs one statement. It uses no prepared statement and no session settings, because a pooler may give each
// transaction another session.
func (c *conn) query(ctx context.Context, sql string, args ...any) ([]row, error) {
	ctx, cancel := context.WithTimeout(ctx, statementTime)
	defer cancel()
	values := make([][]byte, len(args))
	for i, a := range args {
		v, err := asText(a)
		if err != nil {
			return nil, err
		}
		values[i] = v
	}
	res := c.pg.ExecParams(ctx, sql, values, nil, nil, nil).Read()
	if res.Err != nil {
		return nil, refused(res.Err)
	}
	rows := make([]row, len(res.Rows))
	for i, r := range res.Rows {
		rows[i] = make(row, len(r))
		for j, v := range r {
			rows[i][j] = string(v)
		}
	}
	return rows, nil
}

func (c *conn) exec(ctx context.Context, sql string, args ...any) error {
	_, err := c.query(ctx, sql, args...)
	return err
}

// one returns the first row, or nil if there is none.
func (c *conn) one(ctx context.Context, sql string, args ...any) (row, error) {
	rows, err := c.query(ctx, sql, args...)
	if err != nil || len(rows) == 0 {
		return nil, err
	}
	return rows[0], nil
}

// script runs statements without parameters.
func (c *conn) script(ctx context.Context, sql string) error {
	ctx, cancel := context.WithTimeout(ctx, statementTime)
	defer cancel()
	_, err := c.pg.Exec(ctx, sql).ReadAll()
	return refused(err)
}

// tx runs f in one transaction.
func (c *conn) tx(ctx context.Context, f func() error) error {
	if err := c.exec(ctx, `BEGIN`); err != nil {
		return err
	}
	if err := f(); err != nil {
		_ = c.exec(context.WithoutCancel(ctx), `ROLLBACK`) // if the connection is lost, the server rolls back
		return err
	}
	return c.exec(ctx, `COMMIT`)
}

// asText returns a value as text for PostgreSQL; anything but a plain value is sent as JSON.
func asText(a any) ([]byte, error) {
	switch v := a.(type) {
	case nil:
		return nil, nil
	case string:
		return []byte(v), nil
	case int64:
		return strconv.AppendInt(nil, v, 10), nil
	case int:
		return strconv.AppendInt(nil, int64(v), 10), nil
	case bool:
		return strconv.AppendBool(nil, v), nil
	}
	b, err := json.Marshal(a)
	if err != nil {
		return nil, fmt.Errorf("encode a value for PostgreSQL: %w", err)
	}
	return b, nil
}

// code returns the SQLSTATE of an error, or "" if the server did not answer.
func code(err error) string {
	var pg *pgconn.PgError
	if errors.As(err, &pg) {
		return pg.Code
	}
	return ""
}
