//! The letters that players of each language write for the pieces.

use shakmaty::Role;

/// How the pieces are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Language {
    /// K Q R B N: the language of PGN.
    English,
    /// K D V S J.
    Czech,
    /// K D V S J.
    Slovak,
    /// K H W G S.
    Polish,
    /// K D T L S.
    German,
    /// R D T A C.
    Spanish,
    /// R D T F C.
    French,
    /// ♔ ♕ ♖ ♗ ♘, understood in every language.
    Figurine,
}

/// Pawn, knight, bishop, rook, queen, king: the order of [`Role`], for the seven languages with letters.
const LETTERS: [[u8; 6]; 7] =
    [*b"PNBRQK", *b"PJSVDK", *b"PJSVDK", *b"PSGWHK", *b"BSLTDK", *b"PCATDR", *b"PCFTDR"];

const FIGURINES: [char; 6] = ['♙', '♘', '♗', '♖', '♕', '♔'];

const ROLES: [[Option<Role>; 26]; 7] = roles();

impl Language {
    /// Every language, English first.
    pub const ALL: [Language; 8] = [
        Language::English,
        Language::Czech,
        Language::Slovak,
        Language::Polish,
        Language::German,
        Language::Spanish,
        Language::French,
        Language::Figurine,
    ];

    /// The letter or figurine of a piece. Pawns have one too, although SAN leaves it out.
    pub fn letter(self, role: Role) -> char {
        let at = role as usize - 1;
        match LETTERS.get(self as usize) {
            Some(letters) => char::from(letters[at]),
            None => FIGURINES[at],
        }
    }

    /// The piece that a capital letter means in this language.
    #[inline]
    pub(super) fn role(self, letter: u8) -> Option<Role> {
        let at = usize::from(letter.wrapping_sub(b'A'));
        if at < 26 && self != Language::Figurine { ROLES[self as usize][at] } else { None }
    }
}

const fn roles() -> [[Option<Role>; 26]; 7] {
    let mut table = [[None; 26]; 7];
    let mut language = 0;
    while language < 7 {
        let mut role = 0;
        while role < 6 {
            table[language][(LETTERS[language][role] - b'A') as usize] = Some(Role::ALL[role]);
            role += 1;
        }
        language += 1;
    }
    table
}

/// Some languages: which of them a text may still be written in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LanguageSet(u8);

/// For each capital letter, the languages that mean by it what English means.
const LIKE_ENGLISH: [LanguageSet; 26] = like_english();

impl LanguageSet {
    /// All languages with letters.
    pub const ALL: LanguageSet = LanguageSet(0b0111_1111);
    /// No language.
    pub const NONE: LanguageSet = LanguageSet(0);

    /// The set with this language added; figurines belong to every language and change nothing.
    #[must_use]
    pub const fn with(self, language: Language) -> LanguageSet {
        LanguageSet(self.0 | (1 << language as u8) & Self::ALL.0)
    }

    /// Is the language in the set?
    pub const fn has(self, language: Language) -> bool {
        self.0 & (1 << language as u8) != 0
    }

    /// What both sets have in common.
    #[must_use]
    pub const fn and(self, other: LanguageSet) -> LanguageSet {
        LanguageSet(self.0 & other.0)
    }

    /// The languages of the set, English first.
    pub fn iter(self) -> impl Iterator<Item = Language> {
        Language::ALL.into_iter().filter(move |&language| self.has(language))
    }

    /// The languages in which a text that begins with this byte means what it means in English.
    #[inline]
    pub(super) fn reading_like_english(first: u8) -> LanguageSet {
        LIKE_ENGLISH.get(usize::from(first.wrapping_sub(b'A'))).copied().unwrap_or(Self::ALL)
    }
}

const fn like_english() -> [LanguageSet; 26] {
    let mut table = [LanguageSet::ALL; 26];
    let mut letter = 0;
    while letter < 26 {
        if let Some(role) = ROLES[0][letter] {
            let mut set = 0;
            let mut language = 0;
            while language < 7 {
                if let Some(other) = ROLES[language][letter]
                    && other as u8 == role as u8
                {
                    set |= 1 << language;
                }
                language += 1;
            }
            table[letter] = LanguageSet(set);
        }
        letter += 1;
    }
    table
}
