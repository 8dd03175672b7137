package safefile

import "errors"

// nonblock is not needed on Windows, where directories do not contain pipes.
const nonblock = 0

// nofollow is not needed either: creating a link takes a privilege on Windows.
const nofollow = 0

var errTooManyLinks = errors.New("a link")
