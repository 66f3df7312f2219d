CREATE (:Deposit {id: $id, palace: $palace, kind: 'exploration', created_at: datetime() - duration({days: $days})})
