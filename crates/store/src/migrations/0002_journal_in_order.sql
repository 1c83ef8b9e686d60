-- The journal again, clustered by its line number alone. SQLite takes `INTEGER NOT NULL PRIMARY KEY` (and nothing else)
-- for the row's own number: with `BIGINT` it kept a second tree for the key, and every move paid for both.
-- For PostgreSQL the word is written `BIGINT`.
ALTER TABLE journal RENAME TO old_journal;

-- The tails of all logs in the order they were written. Lines of folded events may still be here: a line counts only
-- if its version is above its game's `log_version`. They are removed as whole ranges from the front.
CREATE TABLE journal (
    seq      INTEGER NOT NULL PRIMARY KEY,
    game_id  TEXT    NOT NULL,
    version  BIGINT  NOT NULL,
    body     TEXT    NOT NULL
);
INSERT INTO journal (seq, game_id, version, body) SELECT seq, game_id, version, body FROM old_journal ORDER BY seq;
DROP TABLE old_journal;
