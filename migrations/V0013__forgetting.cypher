// V0013 forgetting: receipts of what was forgotten, earlier texts of drawers, and which drawer took the place of which.
CREATE CONSTRAINT forget_receipt_id IF NOT EXISTS FOR (r:ForgetReceipt) REQUIRE r.id IS UNIQUE;
CREATE INDEX forget_receipt_palace IF NOT EXISTS FOR (r:ForgetReceipt) ON (r.palace);
CREATE CONSTRAINT drawer_text_id IF NOT EXISTS FOR (v:DrawerText) REQUIRE v.id IS UNIQUE;
CREATE INDEX drawer_text_palace IF NOT EXISTS FOR (v:DrawerText) ON (v.palace);
CREATE INDEX replaced_by_palace IF NOT EXISTS FOR ()-[r:REPLACED_BY]-() ON (r.palace);
