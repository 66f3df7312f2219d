// forget_places: drawers as they were stored before they had the names of their wing and room.
// params:  palace (string)
// returns:
// runs:    implicit transaction
MATCH (d:Drawer {palace: $palace})
REMOVE d.wing, d.room
