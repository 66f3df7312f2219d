"""How a client reaches a palace: in this process, over HTTP, or over a socket."""
