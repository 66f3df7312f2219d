"""Queries about drawers, closets, rooms, diaries and conversations."""
