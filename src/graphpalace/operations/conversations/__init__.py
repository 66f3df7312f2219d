"""Files conversations of agents, and watches their transcripts."""
