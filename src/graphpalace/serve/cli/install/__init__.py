"""Registers GraphPalace in the configuration files of hosts of agents, and takes it out again."""
