-- ChessDefender for one player: positions that the club has prepared, and what it says of the built-in ones.
CREATE TABLE defender_position (
    -- Results are kept under it: it never changes and is never used again.
    id          TEXT    NOT NULL PRIMARY KEY CHECK (length(id) BETWEEN 1 AND 20),
    -- The computer's pieces, as a FEN writes them.
    board       TEXT    NOT NULL CHECK (length(board) BETWEEN 15 AND 71),
    player      TEXT    NOT NULL CHECK (player IN ('white', 'black')),
    -- The fewest points with which somebody is known to stand well.
    par         BIGINT  NOT NULL CHECK (par BETWEEN 1 AND 99),
    -- Whether it is offered no longer; results stay.
    hidden      BIGINT  NOT NULL CHECK (hidden IN (0, 1)),
    changed_at  BIGINT  NOT NULL
);
