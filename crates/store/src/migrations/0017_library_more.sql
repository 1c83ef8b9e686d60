-- library's search

-- Games out of files have no account at a service: an index over those that have one is spared millions of empty rows,
-- and an import the work of writing them.
DROP INDEX library_game_white;
DROP INDEX library_game_black;
CREATE INDEX library_game_white ON library_game (white_account_id) WHERE white_account_id IS NOT NULL;
CREATE INDEX library_game_black ON library_game (black_account_id) WHERE black_account_id IS NOT NULL;
