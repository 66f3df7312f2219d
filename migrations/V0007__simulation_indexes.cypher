// V0007 simulation_indexes: finds simulations, their states and their jobs.
CREATE CONSTRAINT simulation_name IF NOT EXISTS FOR (n:Simulation) REQUIRE n.name IS UNIQUE;
CREATE INDEX simulation_palace IF NOT EXISTS FOR (n:Simulation) ON (n.palace);
CREATE INDEX simulation_state IF NOT EXISTS FOR (n:SimulationState) ON (n.simulation);
CREATE INDEX simulation_state_palace IF NOT EXISTS FOR (n:SimulationState) ON (n.palace);
CREATE CONSTRAINT simulation_job_id IF NOT EXISTS FOR (n:SimulationJob) REQUIRE n.id IS UNIQUE;
CREATE INDEX simulation_job_palace IF NOT EXISTS FOR (n:SimulationJob) ON (n.palace);
CREATE INDEX simulation_job_status IF NOT EXISTS FOR (n:SimulationJob) ON (n.status)
