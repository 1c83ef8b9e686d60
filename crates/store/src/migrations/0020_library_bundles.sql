-- library's bundles

-- Games out of files that lie together, about as many as a page of the database holds. A row for each would cost an
-- import more than reading and checking the game does, most of it for indexes that such games never need. A game that
-- something refers to (a report) is taken out and becomes a row of `library_game`.
CREATE TABLE library_bundle (
    -- The numbers of its first and its last game; every number between them is of this bundle.
    seq          INTEGER NOT NULL PRIMARY KEY,
    last_seq     BIGINT  NOT NULL,
    -- Whose games they are, alone: they go with their importer.
    importer_id  TEXT    NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    import_id    BIGINT  REFERENCES import_job (id) ON DELETE SET NULL,
    -- How many are left of them.
    games        BIGINT  NOT NULL CHECK (games > 0),
    -- For every number the digest and the length of the packed game, 0 if it is gone; then the packed games.
    body         BLOB    NOT NULL,
    CHECK (last_seq >= seq AND games <= last_seq - seq + 1)
);
CREATE INDEX library_bundle_of ON library_bundle (importer_id, seq);
CREATE INDEX library_bundle_of_import ON library_bundle (import_id, seq);
