#![allow(missing_docs)]
#[path = "../tests/dutch_support/mod.rs"]
mod dutch_support;
use dutch_support::*;
use pairing::dutch::{self, Effort};
fn cpu() -> f64 {
    static T: std::sync::OnceLock<std::time::Instant> = std::sync::OnceLock::new();
    T.get_or_init(std::time::Instant::now).elapsed().as_secs_f64() * 1e3
}
fn main() {
    let full = std::env::args().nth(1).is_some();
    for (name, habits) in [("calm", CALM), ("wild", WILD), ("acc", Habits { accelerated: true, ..CALM }), ("draws", Habits { draws: 95, ..CALM })] {
        for n in [100u16, 101, 300, 301, 1000, 3000, 3001] {
            let mut dice = Dice::new(5);
            let mut t = start(&mut dice, n, 11, habits);
            let mut line = String::new();
            for _ in 0..11 {
                announce(&mut dice, &mut t, habits);
                let a = cpu();
                let r = dutch::pair(&t).unwrap();
                let b = cpu();
                line += &format!("{:8.2}", b - a);
                if full && n <= 301 {
                    let a = cpu();
                    let r2 = dutch::pair_with(&t, Effort::Weights).unwrap();
                    line += &format!("({:.1})", cpu() - a);
                    assert_eq!(r, r2);
                }
                play(&mut dice, &mut t, &r, habits);
            }
            println!("{name:6} {n:5} {line}");
        }
    }
}
