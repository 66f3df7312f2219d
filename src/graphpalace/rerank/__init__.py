"""The stages of a rerank: gate, decay, fusion, variety and exploration, on arrays."""
