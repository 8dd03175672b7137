// Package team runs mum itself on several machines (homes) around a real PostgreSQL: make test-team.
package team
