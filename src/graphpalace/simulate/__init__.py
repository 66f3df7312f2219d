"""The swarm simulation MCMP: agents move through the embedding space of a corpus, guided by trails."""
