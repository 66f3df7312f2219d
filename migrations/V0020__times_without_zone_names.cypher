// V0020 times_without_zone_names: times that an import stored with the name of a zone keep its offset only.
//
// Neo4j writes such a time as 2026-05-31T12:00:00Z[UTC], which is not ISO 8601, and which no reader understands.
MATCH (n:Palace|Wing|Room|Closet|Drawer|DrawerText|Entity|MergedEntity|Agent|DiaryEntry|CallerDocument|Feedback|Deposit|PheromoneSample|ForgetReceipt|ForgottenMark|Simulation|SimulationJob|Run)
WITH n, [key IN [
  'created_at', 'occurred_at', 'changed_at', 'facts_read_at', 'ingested_at', 'filed_at', 'since', 'until', 'written_at',
  'given_at', 'at', 'updated_at', 'expires_at', 'cycle_started_at', 'decay_finished_at', 'decay_lease_until',
  'dropped_at'
] WHERE CASE WHEN n[key] IS :: ZONED DATETIME NOT NULL THEN n[key].timezone <> n[key].offset ELSE false END] AS named
WHERE named <> []
CALL (n, named) {
  UNWIND named AS key
  SET n[key] = datetime({datetime: n[key], timezone: n[key].offset})
} IN TRANSACTIONS OF 1000 ROWS;
MATCH ()-[r:RELATES_TO|MERGED_INTO|REPLACED_BY]->()
WITH r, [key IN ['valid_from', 'valid_to', 'observed_at', 'invalidated_at', 'merged_at', 'since']
  WHERE CASE WHEN r[key] IS :: ZONED DATETIME NOT NULL THEN r[key].timezone <> r[key].offset ELSE false END] AS named
WHERE named <> []
CALL (r, named) {
  UNWIND named AS key
  SET r[key] = datetime({datetime: r[key], timezone: r[key].offset})
} IN TRANSACTIONS OF 1000 ROWS;
