MATCH (d:Drawer {id: $drawer})
REMOVE d.pointer_share, d.name
