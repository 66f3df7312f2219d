MATCH (d:Drawer {id: $drawer})
SET d.narrative_vector = $vector, d.narrative_strength = $strength
