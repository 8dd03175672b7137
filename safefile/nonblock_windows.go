package safefile

// nonblock is nothing: a directory holds no pipes there.
const nonblock = 0
