-- Whose challenges are open, and which of them ends next: both are asked at every game that begins, and must not read
-- through everybody's.
CREATE INDEX challenge_of ON challenge (challenger_id, state);
CREATE INDEX challenge_expiry ON challenge (state, expires_at);
