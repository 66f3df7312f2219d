MATCH (d:Deposit {palace: $palace})
RETURN d.id AS id
ORDER BY id
