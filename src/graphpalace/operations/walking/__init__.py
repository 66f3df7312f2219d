"""Ways through a palace, colonies that explore it, and the surroundings of a node."""
