// read_clock: read the database's clock, by which the palace's times of facts are set, and which of some drawers are missing.
// params:  palace (string), drawers (list of string)
// returns: now (datetime, whole microseconds), missing (list of string)
// runs:    explicit transaction that has locked the palace
RETURN
  datetime.truncate('microsecond', datetime.realtime('UTC')) AS now,
  [id IN $drawers WHERE NOT EXISTS { MATCH (:Drawer {id: id, palace: $palace}) }] AS missing
