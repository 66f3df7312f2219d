"""The transcripts that hosts of agents write."""
