-- GMO chess: genomes and presets, and who keeps them.

-- A genome's DNA or a preset's text form, once for everybody who has it. Never changed, never taken away: games and
-- presets name it by its code.
CREATE TABLE gmo_text (
    kind        TEXT    NOT NULL CHECK (kind IN ('genome', 'preset')),
    -- SHA-256 of the text, 64 hexadecimal digits.
    sha         TEXT    NOT NULL CHECK (length(sha) = 64),
    -- The first six digits of it: the others with the same ones are found by this.
    prefix      TEXT    NOT NULL CHECK (length(prefix) = 6),
    -- What people write. Given once, for ever.
    code        TEXT    NOT NULL,
    text        TEXT    NOT NULL,
    created_at  BIGINT  NOT NULL,
    PRIMARY KEY (kind, sha),
    UNIQUE (kind, code)
);
CREATE INDEX gmo_text_prefix ON gmo_text (kind, prefix);

-- Somebody's library. Whoever stored a text keeps it and decides for themselves who else may see or use it.
CREATE TABLE gmo_keeper (
    account_id  TEXT    NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    kind        TEXT    NOT NULL,
    sha         TEXT    NOT NULL,
    name        TEXT    NOT NULL,
    -- Whether everybody may read it.
    published   BIGINT  NOT NULL,
    -- Whether everybody who knows its code may play with it without reading it.
    by_code     BIGINT  NOT NULL,
    kept_at     BIGINT  NOT NULL,
    PRIMARY KEY (account_id, kind, sha),
    FOREIGN KEY (kind, sha) REFERENCES gmo_text (kind, sha)
);
CREATE INDEX gmo_keeper_of ON gmo_keeper (kind, sha);
