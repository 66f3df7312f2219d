// V0004 run_indexes: finds the runs of a palace that have expired.
CREATE INDEX run_expiry IF NOT EXISTS FOR (n:Run) ON (n.palace, n.expires_at)
