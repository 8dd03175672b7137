package main

import (
	"context"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"keepmum/api"
)

// asOfHelp is the help of every --as-of flag.
const asOfHelp = "as known at the end of a day (UTC) or at a time: 2026-03-01, 2026-03-01T14:23:05Z"

func newMemoryHistoryCmd(a *app) *cobra.Command {
	var o placeFlags
	cmd := &cobra.Command{
		Use: "history KEY", Short: "Show the statements of a key over time", Args: cobra.ExactArgs(1),
		Long: `Show the statements that were valid for a key, oldest first: from when, until when, and
who said so. A replaced statement is archived, never deleted.`,
		Example: "  mum memory history payments/provider\n  mum memory history payments/provider --json",
		RunE: func(cmd *cobra.Command, args []string) error {
			var h api.History
			if err := a.lookUp(cmd.Context(), o, "/memories/history", url.Values{"key": {args[0]}}, &h); err != nil {
				return err
			}
			if o.json {
				return a.printJSON(h)
			}
			a.printHistory(h)
			return nil
		},
	}
	o.register(cmd, true)
	return cmd
}

// lookUp asks the daemon about the memories of a place.
func (a *app) lookUp(ctx context.Context, o placeFlags, path string, more url.Values, out any) error {
	q, err := o.query(a)
	if err != nil {
		return err
	}
	for name, values := range more {
		q[name] = values
	}
	client, err := a.client()
	if err != nil {
		return err
	}
	return client.Get(ctx, path, q, out)
}

func (a *app) printHistory(h api.History) {
	c := a.colours()
	a.printf("%s%s%s\n", c.bold, h.Key, c.off)
	for _, s := range h.Spans {
		end := "now"
		if s.To != nil {
			end = s.To.Format(time.DateOnly)
		}
		a.printf("%s  %s – %-10s %6d  %s%s (%s)\n", c.dim, s.From.Format(time.DateOnly), end, s.Memory.Entry, c.off,
			oneLine(s.Memory.Title, 90), s.Memory.Origin)
	}
}

func newMemoryRoomsCmd(a *app) *cobra.Command {
	var o placeFlags
	cmd := &cobra.Command{
		Use: "rooms", Short: "List the rooms: the first segments of keys", Args: cobra.NoArgs,
		Long:    "List the rooms with their keys. A room is the first segment of the key of an active memory.",
		Example: "  mum memory rooms\n  mum memory list --room payments",
		RunE: func(cmd *cobra.Command, _ []string) error {
			var r api.Rooms
			if err := a.lookUp(cmd.Context(), o, "/memories/rooms", nil, &r); err != nil {
				return err
			}
			if o.json {
				return a.printJSON(r)
			}
			a.printRooms(r.Rooms)
			if r.Without > 0 {
				a.printf("%s without a key\n", plural(r.Without, "memory is", "memories are"))
			}
			return nil
		},
	}
	o.register(cmd, true)
	return cmd
}

func (a *app) printRooms(rooms []api.Room) {
	if len(rooms) == 0 {
		a.printf("no memory has a key; give it one with mum memory add … --key room/name\n")
	}
	for _, r := range rooms {
		a.printf("%6d  %-16s %s\n", r.Memories, r.Name, oneLine(strings.Join(r.Keys, " "), 100))
	}
}

func newMemoryStatusCmd(a *app) *cobra.Command {
	var o placeFlags
	cmd := &cobra.Command{
		Use: "status", Short: "Show the state of the memories: counts, rooms, limit, duplicates, missing files",
		Args: cobra.NoArgs,
		Long: `Show the state of this project's memories: how many are active, the limit
(memory.max_active; above it mum maintain archives the least trusted), which are
duplicates, and which name a file that no longer exists.`,
		Example: "  mum memory status\n  mum memory status --json",
		RunE: func(cmd *cobra.Command, _ []string) error {
			var s api.MemoryStatus
			if err := a.lookUp(cmd.Context(), o, "/memories/status", nil, &s); err != nil {
				return err
			}
			if o.json {
				return a.printJSON(s)
			}
			a.printMemoryStatus(s)
			return nil
		},
	}
	o.register(cmd, true)
	return cmd
}

func (a *app) printMemoryStatus(s api.MemoryStatus) {
	a.printf("%d active (the limit is %d), %d archived, %d superseded\n", s.Active, s.Capacity, s.Archived, s.Superseded)
	var kinds []string
	for _, kind := range slices.Sorted(maps.Keys(s.Kinds)) {
		kinds = append(kinds, fmt.Sprintf("%s %d", kind, s.Kinds[kind]))
	}
	if len(kinds) > 0 {
		a.printf("%s\n", strings.Join(kinds, ", "))
	}
	if s.Active > s.Capacity {
		a.printf("there are more than memory.max_active: mum maintain archives the least trusted\n")
	}
	if len(s.Rooms) > 0 {
		a.printf("rooms:\n")
		a.printRooms(s.Rooms)
	}
	for _, t := range s.Duplicates {
		a.printf("%d and %d are duplicates: mum maintain merges them\n", t[0], t[1])
	}
	for _, l := range s.Links {
		a.printf("%d %s %s, which %s: %s\n", l.Entry, relationWords(l.As), l.To, linkTrouble(l), oneLine(l.Title, 80))
	}
	for _, f := range s.Stale {
		a.printf("%d names %s, which no longer exists: %s\n", f.Entry, f.File, oneLine(f.Title, 80))
	}
}
