package api

import (
	"fmt"
	"net/http"
	"strings"
)

// Code is the kind of an error, stable for programs.
type Code string

// The error codes.
const (
	Invalid      Code = "invalid"
	Unauthorized Code = "unauthorized"
	Forbidden    Code = "forbidden"
	NotFound     Code = "not_found"
	Conflict     Code = "conflict"
	TooLarge     Code = "too_large"
	Busy         Code = "busy"
	Unavailable  Code = "unavailable"
	Internal     Code = "internal"
)

// Error is the answer to every failed request, inside {"error": …}.
type Error struct {
	Code    Code   `json:"code"`
	Message string `json:"message"`
	Hint    string `json:"hint,omitempty"`
}

// Error returns the message.
func (e *Error) Error() string { return e.Message }

// Status returns the HTTP status of the code.
func (c Code) Status() int {
	switch c {
	case Invalid:
		return http.StatusBadRequest
	case Unauthorized:
		return http.StatusUnauthorized
	case Forbidden:
		return http.StatusForbidden
	case NotFound:
		return http.StatusNotFound
	case Conflict:
		return http.StatusConflict
	case TooLarge:
		return http.StatusRequestEntityTooLarge
	case Busy:
		return http.StatusTooManyRequests
	case Unavailable:
		return http.StatusServiceUnavailable
	default:
		return http.StatusInternalServerError
	}
}

// ErrorBody is the JSON body of a failed request.
type ErrorBody struct {
	Error *Error `json:"error"`
}

// NoEntry says which entries there are not.
func NoEntry(ids []int64) string {
	list := strings.Trim(strings.ReplaceAll(fmt.Sprint(ids), " ", ", "), "[]")
	if len(ids) == 1 {
		return "there is no entry " + list
	}
	return "there are no entries " + list
}
