// forget_names_due: make the drawers of a palace look as those of versions that read no names.
// params:  palace (string)
// returns:
// runs:    implicit transaction
MATCH (d:Drawer {names_due: $palace})
REMOVE d.names_due
