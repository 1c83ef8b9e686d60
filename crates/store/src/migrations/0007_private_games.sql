-- Private games, whether a rating was still uncertain when its game began, and who is not heard by whom.

-- The game of a private challenge is private.
ALTER TABLE challenge ADD COLUMN private BIGINT NOT NULL DEFAULT 0;
-- Only its players and arbiters see a private game.
ALTER TABLE game ADD COLUMN private BIGINT NOT NULL DEFAULT 0;
ALTER TABLE game ADD COLUMN white_provisional BIGINT NOT NULL DEFAULT 0;
ALTER TABLE game ADD COLUMN black_provisional BIGINT NOT NULL DEFAULT 0;

-- Every line of chat asks who does not want to hear its speaker.
CREATE INDEX mute_of ON mute (muted_id);
