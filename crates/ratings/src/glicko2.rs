//! Glicko-2 after Mark Glickman's paper "Example of the Glicko-2 system", game by game.
//!
//! The paper rates a period of many games and lets the deviation grow once a period. Here every game is an update of
//! its own and time alone makes the deviation grow: the ready-made crates add a period's growth to every game.

use std::f64::consts::PI;

use serde::{Deserialize, Serialize};

use crate::standing::bounded;
use crate::{Moment, Score, Standing};

/// Points of the usual scale in one unit of the paper's.
const SCALE: f64 = 173.7178;
/// When the search for the volatility is good enough; the paper's figure.
const TOLERANCE: f64 = 1e-6;
/// The search needs fewer than ten steps; this only makes sure that it ends.
const MOST_STEPS: u32 = 100;
/// A difference beyond 4,800 points expects a score of 0 or 1 to twelve digits; more would only divide by zero.
const FURTHEST: f64 = 27.6;
/// Below this the logarithm of the volatility means nothing.
const LEAST_VOLATILITY: f64 = 1e-6;

/// The constants of Glicko-2 in one pool.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Glicko2 {
    /// A newcomer's rating.
    pub initial_rating: f64,
    /// A newcomer's deviation.
    pub initial_deviation: f64,
    /// A newcomer's volatility.
    pub initial_volatility: f64,
    /// How easily the volatility changes.
    pub tau: f64,
    /// The least deviation.
    pub least_deviation: f64,
    /// The greatest deviation.
    pub most_deviation: f64,
    /// The greatest volatility.
    pub most_volatility: f64,
    /// The least rating.
    pub floor: f64,
    /// What one game may change at most.
    pub most_change: f64,
    /// A rating is provisional from this deviation on.
    pub provisional_from: f64,
    /// A player is ranked up to this deviation.
    pub ranked_to: f64,
    /// Rating periods in a day without a game.
    pub periods_a_day: f64,
}

impl Default for Glicko2 {
    fn default() -> Self {
        Glicko2 {
            initial_rating: 1500.0,
            initial_deviation: 500.0,
            initial_volatility: 0.09,
            tau: 0.75,
            least_deviation: 45.0,
            most_deviation: 500.0,
            most_volatility: 0.1,
            floor: 400.0,
            most_change: 700.0,
            provisional_from: 110.0,
            ranked_to: 75.0,
            periods_a_day: 0.21436,
        }
    }
}

impl Glicko2 {
    /// The constants of older club servers.
    pub fn classic() -> Self {
        Glicko2 {
            initial_rating: 1000.0,
            initial_deviation: 350.0,
            initial_volatility: 0.06,
            tau: 0.5,
            ..Glicko2::default()
        }
    }

    pub(crate) fn newcomer(&self, claimed: Option<f64>) -> Standing {
        let rating = claimed.filter(|own| own.is_finite()).unwrap_or(self.initial_rating);
        let rating = rating.max(self.floor);
        Standing {
            rating,
            deviation: self.initial_deviation,
            volatility: self.initial_volatility,
            games: 0,
            peak: rating,
            last_game: None,
        }
    }

    /// The deviation as it is at a later moment: who does not play becomes less certain.
    pub fn deviation_at(&self, standing: &Standing, now: Moment) -> f64 {
        self.grown(&self.cleaned(standing), now).deviation
    }

    pub(crate) fn rate(
        &self,
        white: &Standing,
        black: &Standing,
        score: Score,
        at: Moment,
    ) -> (Standing, Standing) {
        let white = self.grown(&self.cleaned(white), at);
        let black = self.grown(&self.cleaned(black), at);
        let points = score.for_white();
        (self.after(&white, &black, points, at), self.after(&black, &white, 1.0 - points, at))
    }

    fn after(&self, own: &Standing, opponent: &Standing, points: f64, at: Moment) -> Standing {
        let game = Encounter { rating: opponent.rating, deviation: opponent.deviation, points };
        let new = update(own, &[game], self.tau, Growth::None);
        let change = bounded(new.rating - own.rating, -self.most_change, self.most_change, 0.0);
        let rating = (own.rating + change).max(self.floor);
        Standing {
            deviation: self.deviation_in_bounds(new.deviation),
            volatility: self.volatility_in_bounds(new.volatility),
            ..own.after_game(rating, at)
        }
    }

    fn grown(&self, standing: &Standing, now: Moment) -> Standing {
        let periods =
            standing.last_game.map_or(0.0, |last| now.days_since(last) * self.periods_a_day);
        let added = standing.volatility * SCALE;
        let deviation = (standing.deviation * standing.deviation + periods * added * added).sqrt();
        Standing { deviation: self.deviation_in_bounds(deviation), ..*standing }
    }

    /// A standing that may come from anywhere, within the bounds of this pool.
    fn cleaned(&self, standing: &Standing) -> Standing {
        let rating = bounded(standing.rating, self.floor, f64::MAX / 4.0, self.initial_rating);
        Standing {
            rating,
            deviation: self.deviation_in_bounds(standing.deviation),
            volatility: self.volatility_in_bounds(standing.volatility),
            peak: bounded(standing.peak, rating, f64::MAX, rating),
            ..*standing
        }
    }

    fn deviation_in_bounds(&self, deviation: f64) -> f64 {
        bounded(deviation, self.least_deviation, self.most_deviation, self.most_deviation)
    }

    fn volatility_in_bounds(&self, volatility: f64) -> f64 {
        bounded(volatility, LEAST_VOLATILITY, self.most_volatility, self.initial_volatility)
    }
}

/// One game of a period, from one side.
struct Encounter {
    rating: f64,
    deviation: f64,
    points: f64,
}

/// Whether the games themselves make the deviation grow, as a period of the paper does.
#[derive(Clone, Copy, PartialEq)]
enum Growth {
    None,
    #[cfg(test)]
    OnePeriod,
}

/// What comes out of an update, before any bounds.
struct Updated {
    rating: f64,
    deviation: f64,
    volatility: f64,
}

/// Steps 3 to 8 of the paper. Its names are kept: phi, sigma, g, E, v and delta.
fn update(own: &Standing, games: &[Encounter], tau: f64, growth: Growth) -> Updated {
    let phi = own.deviation / SCALE;
    let (mut precision, mut surprise) = (0.0, 0.0);
    for game in games {
        let opponent_phi = game.deviation / SCALE;
        let g = 1.0 / (1.0 + 3.0 * opponent_phi * opponent_phi / (PI * PI)).sqrt();
        let difference = (g * (own.rating - game.rating) / SCALE).clamp(-FURTHEST, FURTHEST);
        let expected = 1.0 / (1.0 + libm::exp(-difference));
        precision += g * g * expected * (1.0 - expected);
        surprise += g * (game.points - expected);
    }
    let v = 1.0 / precision;
    let sigma = volatility(own.volatility, phi, v, v * surprise, tau);
    let grown = match growth {
        Growth::None => phi * phi,
        #[cfg(test)]
        Growth::OnePeriod => phi * phi + sigma * sigma,
    };
    let variance = 1.0 / (1.0 / grown + precision);
    Updated {
        rating: own.rating + SCALE * variance * surprise,
        deviation: SCALE * variance.sqrt(),
        volatility: sigma,
    }
}

/// Step 5: the new volatility, found by the paper's variant of regula falsi (the Illinois algorithm).
fn volatility(sigma: f64, phi: f64, v: f64, delta: f64, tau: f64) -> f64 {
    let start = libm::log(sigma * sigma);
    let slope = |x: f64| {
        let ex = libm::exp(x);
        let spread = phi * phi + v + ex;
        ex * (delta * delta - spread) / (2.0 * spread * spread) - (x - start) / (tau * tau)
    };
    let excess = delta * delta - phi * phi - v;
    let mut far = if excess > 0.0 {
        libm::log(excess)
    } else {
        let below = |k: u32| start - f64::from(k) * tau;
        (1..MOST_STEPS).map(below).find(|x| slope(*x) >= 0.0).unwrap_or(start)
    };
    let mut near = start;
    let (mut at_near, mut at_far) = (slope(near), slope(far));
    for _ in 0..MOST_STEPS {
        if (far - near).abs() <= TOLERANCE {
            break;
        }
        let between = near + (near - far) * at_near / (at_far - at_near);
        let at_between = slope(between);
        if at_between * at_far <= 0.0 {
            (near, at_near) = (far, at_far);
        } else {
            at_near /= 2.0;
        }
        (far, at_far) = (between, at_between);
    }
    libm::exp(near / 2.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_example_of_the_paper_comes_out() {
        let own = Standing {
            rating: 1500.0,
            deviation: 200.0,
            volatility: 0.06,
            ..Glicko2::default().newcomer(None)
        };
        let games = [(1400.0, 30.0, 1.0), (1550.0, 100.0, 0.0), (1700.0, 300.0, 0.0)]
            .map(|(rating, deviation, points)| Encounter { rating, deviation, points });
        let new = update(&own, &games, 0.5, Growth::OnePeriod);
        assert_eq!(format!("{:.7}", new.rating), "1464.0506705");
        assert_eq!(format!("{:.7}", new.deviation), "151.5165241");
        assert_eq!(format!("{:.10}", new.volatility), "0.0599959843");
    }
}
