package safefile

import "errors"

// nonblock is nothing: a directory holds no pipes there.
const nonblock = 0

// nofollow is nothing either: it takes a privilege to make a link.
const nofollow = 0

var errTooManyLinks = errors.New("a link")
