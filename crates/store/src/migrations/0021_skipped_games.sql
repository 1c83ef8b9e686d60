-- skipped games

-- Of which variants the games of a connection were that could not be taken, as JSON: name and count. The empty name is
-- for those that could not be read.
ALTER TABLE connection ADD COLUMN skipped_as TEXT NOT NULL DEFAULT '{}';
