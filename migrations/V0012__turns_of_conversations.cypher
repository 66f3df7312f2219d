// V0012 turns_of_conversations: the drawers of a turn are found by it, so that a conversation is filed once.
CREATE INDEX drawer_turn IF NOT EXISTS FOR (n:Drawer) ON (n.turn);
CREATE INDEX closet_conversation IF NOT EXISTS FOR (n:Closet) ON (n.palace, n.filed_at);
