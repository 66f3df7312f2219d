// V0014 wake_up: what is new, what was changed and what is important in a wing is found in order, however large it is.
CREATE INDEX drawer_created IF NOT EXISTS FOR (n:Drawer) ON (n.palace, n.wing_id, n.created_at);
CREATE INDEX drawer_occurred IF NOT EXISTS FOR (n:Drawer) ON (n.palace, n.wing_id, n.occurred_at);
CREATE INDEX drawer_changed IF NOT EXISTS FOR (n:Drawer) ON (n.palace, n.wing_id, n.changed_at);
CREATE INDEX drawer_importance IF NOT EXISTS FOR (n:Drawer) ON (n.palace, n.wing_id, n.importance);
