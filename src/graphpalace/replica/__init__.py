"""The palace in memory: vectors, graph, names, facts and what was learned."""
