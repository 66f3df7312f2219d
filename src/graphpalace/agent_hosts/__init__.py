"""The programs that host agents: how their configuration files name servers and hooks, and what is installed there."""
