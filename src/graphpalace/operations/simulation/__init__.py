"""Runs the swarm over the drawers of a palace, and shows it.

The way of a simulation, from a request to a picture:

1. `Simulations.start` asks `live.starter`, which checks the request against stored settings (`kept.simulation_store`)
   and what it is about (`corpus_choice`), and stores that it loads.
2. `corpus_loader` reads the texts of a palace, or of a folder (`folder_windows`), and their vectors: a `corpus`.
3. `live.session` makes a swarm over it; `live.live` runs it, with `live.stepper` in a thread. Each step is told.
4. `live.frames` renders a step that is due, `live.live_pictures` adds the texts of the documents that it shows, and
   `live.subscribers` gives the message to every client. `reports` describes what was found.
5. Every few seconds, and at its end, it is stored. `kept.heartbeat` renews its lease and hears requests of other
   services, which `kept.request_queue` left; `live.follower` shows the clients of one service what another holds.

`simulation_changes` changes settings on the way, `simulation_views` reads. `jobs` runs swarms without pictures.
"""
