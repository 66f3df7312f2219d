// V0018 forgotten_marks: which conversations and turns were forgotten, so that they are not filed again.
CREATE CONSTRAINT forgotten_mark_id IF NOT EXISTS FOR (f:ForgottenMark) REQUIRE f.id IS UNIQUE;
CREATE INDEX forgotten_mark_closet IF NOT EXISTS FOR (f:ForgottenMark) ON (f.closet);
CREATE INDEX forgotten_mark_palace IF NOT EXISTS FOR (f:ForgottenMark) ON (f.palace);
