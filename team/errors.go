package team

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"
)

// Error is a refusal that the user can do something about.
type Error struct {
	What string // what was refused, and why
	Hint string // the next command to run
	Err  error  // the cause; nil = there is no other error
}

func (e *Error) Error() string { return e.What }
func (e *Error) Unwrap() error { return e.Err }

func fault(hint, format string, args ...any) error {
	return &Error{What: fmt.Sprintf(format, args...), Hint: hint}
}

// ErrUnreachable means that the shared place did not answer. Everything else continues without it.
var ErrUnreachable = errors.New("the shared place does not answer")

// ErrRemoved means that this member was removed from the team.
var ErrRemoved = &Error{What: "the administrator removed this member from the team; what others shared is deleted here",
	Hint: "ask the administrator; a new invitation has another name: mum team invite ANOTHER-NAME"}

// ErrEdited means that someone edited an item here since the place listed it.
var ErrEdited = errors.New("an item was edited on this machine meanwhile")

// errForgotten means that an item with this id was forgotten.
var errForgotten = errors.New("the item was forgotten")

// Errors that the triggers of the schema raise, and PostgreSQL's own that matter here.
const (
	codeForgotten  = "MUM01"
	codeClockAhead = "MUM04"
	codeNotShared  = "MUM05"
	codeNoRight    = "42501"
	codeNoPassword = "28P01"
	codeNoLogin    = "28000"
	codeNoDatabase = "3D000"
	codeNoTable    = "42P01"
	codeNoSchema   = "3F000"
	codeExists     = "42710"
	codeReadOnly   = "25006"
	codeStopping   = "57P01"
)

// refused describes in our own words what the server refused. The server's message may quote values.
func refused(err error) error {
	switch code(err) {
	case "":
		if err != nil && !errors.Is(err, context.Canceled) {
			return fmt.Errorf("%w: %w", ErrUnreachable, withoutText(err))
		}
		return err
	case codeForgotten:
		return errForgotten
	case codeClockAhead:
		return &Error{"the clock of this machine is more than a day ahead of the database's",
			"set the clock, then: mum team sync", err}
	case codeNotShared:
		return &Error{"the project is not shared in this team", "mum team share PROJECT", err}
	case codeNoRight:
		return &Error{"the role has no right to do that in the shared place",
			"ask the administrator: mum team invite NAME", err}
	case codeReadOnly:
		return &Error{"the server is read-only: it may be a standby",
			"name all servers in the DSN, with target_session_attrs=read-write, then: mum team join DSN", err}
	case codeStopping:
		return &Error{"the server is stopping", "mum team sync, when it is up again", err}
	case codeNoTable, codeNoSchema:
		return &Error{"that database has no team: the schema mum is missing", "mum team init ADMIN-DSN", err}
	}
	var pg *pgconn.PgError
	if errors.As(err, &pg) {
		return fmt.Errorf("PostgreSQL refused (SQLSTATE %s %s): %w", pg.Code, pg.ConstraintName, withoutText(err))
	}
	return err
}

// opaque hides the message of an error, which may quote a value or a password.
type opaque struct{ err error }

func (o opaque) Error() string { return "details withheld: they may quote what was sent" }
func (o opaque) Unwrap() error { return o.err }

func withoutText(err error) error {
	var op *net.OpError
	if errors.As(err, &op) && op.Err != nil {
		return op.Err
	}
	if errors.Is(err, context.DeadlineExceeded) {
		return context.DeadlineExceeded
	}
	return opaque{err}
}

// unreachable says why a connection could not be made.
func unreachable(d DSN, err error) error {
	switch code(err) {
	case codeNoPassword, codeNoLogin:
		return &Error{"the server at " + d.Host() + " refused role " + d.User() +
			": wrong or missing password, or no right to log in",
			"mum team join DSN, with the password in the DSN", opaque{err}}
	case codeNoDatabase:
		return &Error{"the server at " + d.Host() + " has no database " + d.Database(), "check the DSN", opaque{err}}
	case codeNoRight:
		return &Error{"role " + d.User() + " may not connect to database " + d.Database(), "ask the administrator",
			opaque{err}}
	}
	if d.mustVerify() && (strings.Contains(err.Error(), "certificate") || strings.Contains(err.Error(), "TLS")) {
		return &Error{"the server at " + d.Host() + " has no TLS certificate that this machine can verify",
			"give its authority with sslrootcert=FILE in the DSN", opaque{err}}
	}
	return &Error{"nothing answers at " + d.address() + ": " + withoutText(err).Error(),
		"check the host, the port and the network",
		fmt.Errorf("%w: %w", ErrUnreachable, opaque{err})}
}
