// Drawers about $name
// The drawers that mention a name, and the names that share them
// $name: Entity.name
MATCH about = (n:Entity {palace: 'main'})<-[:REFERENCES]-(d:Drawer)
WHERE n.name = $name OR n.normalised_name = toLower($name)
WITH about, d LIMIT 50
OPTIONAL MATCH beside = (d)-[:REFERENCES]->(:Entity)
RETURN about, beside
LIMIT 500
