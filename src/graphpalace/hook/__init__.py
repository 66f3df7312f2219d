"""The command that hosts of agents run at their events. It imports only what it needs, because every event waits."""
