//! Elo: new = old + K × (result − expected), with the expectations and the K of a club and of FIDE.

use serde::{Deserialize, Serialize};

use crate::standing::bounded;
use crate::{Context, Moment, Score, Standing};

/// How the expected score follows from the difference of two ratings.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Expectation {
    /// 1 / (1 + 10^(−d/400)).
    #[default]
    Logistic,
    /// A polynomial that follows the classical table; the older club system used it.
    Polynomial,
}

impl Expectation {
    /// The score to expect of a player who is rated `difference` above the opponent.
    pub fn score(self, difference: f64) -> f64 {
        match self {
            Expectation::Logistic => 1.0 / (1.0 + libm::pow(10.0, -difference / 400.0)),
            Expectation::Polynomial => polynomial(difference),
        }
    }
}

fn polynomial(d: f64) -> f64 {
    if d.abs() > 735.0 {
        return if d > 0.0 { 1.0 } else { 0.0 };
    }
    let a = d.abs();
    0.5 + d * (1.4217e-3 - a * (2.4336e-7 + a * (2.5140e-9 - a * 1.9910e-12)))
}

/// How K follows from what is known of a player.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum KFactor {
    /// 25 for newcomers, 15 from 30 games, 10 at 2400 and above.
    #[default]
    Club,
    /// 40 for newcomers and juniors, 20 below 2400, 10 once 2400 was reached.
    Fide,
}

impl KFactor {
    /// Games after which a player is no newcomer.
    const NEWCOMER: u32 = 30;

    fn of(self, player: &Standing, born: Option<i32>, at: Moment) -> f64 {
        let is_new = player.games < KFactor::NEWCOMER;
        match self {
            KFactor::Club => match (is_new, player.rating < 2400.0) {
                (true, true) => 25.0,
                (false, false) => 10.0,
                // The rule is silent about newcomers of 2400 and more: 25 is for those below, 10 for the proven.
                (false, true) | (true, false) => 15.0,
            },
            KFactor::Fide if is_new => 40.0,
            // For ever, so before the juniors: who falls from 2400 to 2290 at seventeen keeps 10.
            KFactor::Fide if player.peak >= 2400.0 => 10.0,
            KFactor::Fide if player.rating < 2300.0 && is_junior(born, at) => 40.0,
            KFactor::Fide => 20.0,
        }
    }
}

/// Up to the end of the year of the 18th birthday.
fn is_junior(born: Option<i32>, at: Moment) -> bool {
    born.is_some_and(|year| at.year() <= i64::from(year) + 18)
}

/// A greater difference of ratings counts as this one.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DifferenceCap {
    /// The greatest difference that counts.
    pub most: f64,
    /// Whose differences count in full.
    #[serde(default)]
    pub exempt: Option<Exemption>,
}

/// Players of a rating and more, from a moment on.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Exemption {
    /// The rating of the player whose change is computed.
    pub from_rating: f64,
    /// The first moment.
    pub since: Moment,
}

impl DifferenceCap {
    fn apply(&self, own: f64, opponent: f64, at: Moment) -> f64 {
        let is_exempt = self.exempt.is_some_and(|who| own >= who.from_rating && at >= who.since);
        let difference = own - opponent;
        if is_exempt { difference } else { difference.clamp(-self.most, self.most) }
    }
}

/// The constants of Elo in one pool.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Elo {
    /// How scores are expected.
    pub expectation: Expectation,
    /// How much a game weighs.
    pub k: KFactor,
    /// Which differences are too great to count.
    pub difference_cap: Option<DifferenceCap>,
    /// The least rating.
    pub floor: f64,
    /// A newcomer's rating.
    pub initial_rating: f64,
    /// The most a newcomer may claim at sign-up.
    pub most_claimed: f64,
}

impl Default for Elo {
    fn default() -> Self {
        Elo::club()
    }
}

impl Elo {
    /// The club's K, nothing capped.
    pub fn club() -> Self {
        Elo {
            expectation: Expectation::Logistic,
            k: KFactor::Club,
            difference_cap: None,
            floor: 0.0,
            initial_rating: 1350.0,
            most_claimed: 2650.0,
        }
    }

    /// The older club system: the club's K and the polynomial.
    pub fn polynomial() -> Self {
        Elo { expectation: Expectation::Polynomial, ..Elo::club() }
    }

    /// FIDE's K, its limit of 400 and its floor.
    pub fn fide() -> Self {
        // 1 October 2025, midnight UTC.
        let exempt = Exemption { from_rating: 2650.0, since: Moment(1_759_276_800_000) };
        Elo {
            k: KFactor::Fide,
            difference_cap: Some(DifferenceCap { most: 400.0, exempt: Some(exempt) }),
            floor: 1400.0,
            ..Elo::club()
        }
    }

    /// A newcomer's standing. A floor above the initial rating lifts it.
    pub(crate) fn newcomer(&self, claimed: Option<f64>) -> Standing {
        let rating = claimed.filter(|own| own.is_finite()).unwrap_or(self.initial_rating);
        let rating = rating.min(self.most_claimed).max(self.floor);
        Standing {
            rating,
            deviation: 0.0,
            volatility: 0.0,
            games: 0,
            peak: rating,
            last_game: None,
        }
    }

    /// With too few games for the smaller K, a rating is a first guess.
    pub(crate) fn is_provisional(standing: &Standing) -> bool {
        standing.games < KFactor::NEWCOMER
    }

    pub(crate) fn rate(
        &self,
        white: &Standing,
        black: &Standing,
        score: Score,
        context: &Context,
    ) -> (Standing, Standing) {
        let (white, black) = (self.cleaned(white), self.cleaned(black));
        let points = score.for_white();
        (
            self.after(&white, black.rating, points, context.white_born, context.at),
            self.after(&black, white.rating, 1.0 - points, context.black_born, context.at),
        )
    }

    fn after(
        &self,
        own: &Standing,
        opponent: f64,
        points: f64,
        born: Option<i32>,
        at: Moment,
    ) -> Standing {
        let difference = match &self.difference_cap {
            Some(cap) => cap.apply(own.rating, opponent, at),
            None => own.rating - opponent,
        };
        let change = self.k.of(own, born, at) * (points - self.expectation.score(difference));
        own.after_game((own.rating + change).max(self.floor), at)
    }

    /// A standing that may come from anywhere, within the bounds of this pool.
    fn cleaned(&self, standing: &Standing) -> Standing {
        let initial = self.newcomer(None).rating;
        let rating = bounded(standing.rating, self.floor, f64::MAX / 4.0, initial);
        let peak = bounded(standing.peak, rating, f64::MAX, rating);
        Standing { rating, peak, deviation: 0.0, volatility: 0.0, ..*standing }
    }
}
