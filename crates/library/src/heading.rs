//! The tags of a game that are looked at, found in one go.

use rules::pgn::Tags;

/// What the tags say, as it stands there.
#[derive(Debug, Clone, Copy, Default)]
pub struct Heading<'t> {
    pub(crate) white: Option<&'t str>,
    pub(crate) black: Option<&'t str>,
    pub(crate) white_elo: Option<&'t str>,
    pub(crate) black_elo: Option<&'t str>,
    pub(crate) date: Option<&'t str>,
    pub(crate) time: Option<&'t str>,
    pub(crate) utc_date: Option<&'t str>,
    pub(crate) utc_time: Option<&'t str>,
    pub(crate) round: Option<&'t str>,
    pub(crate) time_control: Option<&'t str>,
    pub(crate) fen: Option<&'t str>,
    pub(crate) variant: Option<&'t str>,
}

impl<'t> Heading<'t> {
    /// Goes through the tags once: to look each of them up would be a search for every one.
    pub fn of(tags: &'t Tags) -> Heading<'t> {
        let mut heading = Heading::default();
        for (name, value) in tags.iter() {
            let place = match name {
                "White" => &mut heading.white,
                "Black" => &mut heading.black,
                "WhiteElo" => &mut heading.white_elo,
                "BlackElo" => &mut heading.black_elo,
                "Date" => &mut heading.date,
                "Time" => &mut heading.time,
                "UTCDate" => &mut heading.utc_date,
                "UTCTime" => &mut heading.utc_time,
                "Round" => &mut heading.round,
                "TimeControl" => &mut heading.time_control,
                "FEN" => &mut heading.fen,
                "Variant" => &mut heading.variant,
                _ => continue,
            };
            *place = Some(value);
        }
        heading
    }
}
