MATCH (d:Deposit {palace: $palace})
SET d.created_at = d.created_at - duration({days: $days})
