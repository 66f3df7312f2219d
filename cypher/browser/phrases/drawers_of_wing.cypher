// Drawers of wing $wing
// The rooms of one wing, with their closets and drawers
// $wing: Wing.name
MATCH path = (:Palace {name: 'main'})-[:CONTAINS]->(:Wing {name: $wing})-[:HAS_ROOM]->(:Room)-[:HAS_CLOSET]->(:Closet)-[:HAS_DRAWER]->(:Drawer)
RETURN path
LIMIT 500
