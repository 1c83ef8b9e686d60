use pairing::{dutch, trf};
fn main() {
    for p in std::env::args().skip(1) {
        let t = trf::read(&std::fs::read(&p).unwrap()).unwrap();
        for e in [dutch::Effort::Quick, dutch::Effort::Everything] {
            println!("{p} {e:?}");
            match dutch::pair_with(&t, e) {
                Ok(r) => { for q in r.pairs { println!("{} {}", q.white, q.black); } if let Some(b) = r.bye { println!("{b} 0"); } }
                Err(e) => println!("{e}"),
            }
        }
    }
}
