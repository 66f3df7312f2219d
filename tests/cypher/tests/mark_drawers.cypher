// mark_drawers: put a pheromone on every drawer.
// params:  palace (string)
// returns:
// runs:    implicit transaction
MATCH (d:Drawer {palace: $palace}) SET d.exploitation_pheromone = 0.7
