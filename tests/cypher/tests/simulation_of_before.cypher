// simulation_of_before: give a kept simulation the properties that it had before there were presets.
// params:  name (string), settings (string)
// returns: name (string)
// runs:    implicit transaction, safe to repeat
MATCH (s:Simulation {name: $name})
SET s.settings = $settings, s.clock_s = datetime().epochSeconds - s.began_at
REMOVE s.began_at, s.preset, s.unused_params
RETURN s.name AS name
