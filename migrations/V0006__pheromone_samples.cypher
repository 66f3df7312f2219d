// V0006 pheromone_samples: finds what a palace's pheromones were at earlier cycles; one sample for each.
CREATE CONSTRAINT pheromone_sample_cycle IF NOT EXISTS FOR (n:PheromoneSample) REQUIRE (n.palace, n.cycle) IS UNIQUE
