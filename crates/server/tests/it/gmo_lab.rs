//! The lab: a DNA explained where it is right and where it is wrong, and boards without rules of turn.

use serde_json::{Value, json};

use crate::club::Club;

const ROOK: &str = "AHHHSHHAACHACHACHAHHASASAAAAAAAAA";

async fn explain(club: &Club, dna: &str, origin: &str) -> Value {
    let dna: String = dna.replace(' ', "%20").replace('\n', "%0A").replace('é', "%C3%A9");
    let path = format!("/api/v1/gmo/explanation?dna={dna}&origin={origin}");
    club.browser().get(&path).await.expect(200)
}

fn piece(square: &str, owner: &str, dna: &str) -> Value {
    json!({"square": square, "owner": owner, "dna": dna})
}

#[tokio::test]
async fn a_dna_is_explained_codon_by_codon_where_it_stands_in_the_text() {
    let club = Club::open().await;
    let told = explain(&club, "AHH HSH\nHAA CHA CHA CHA HHA SAS", "a1").await;
    assert_eq!(told["error"], json!(null));
    let codons = told["codons"].as_array().unwrap();
    assert_eq!(codons.len(), 8);
    assert_eq!((&codons[2]["begin"], &codons[2]["end"]), (&json!(8), &json!(11)));
    let roles: Vec<&str> = codons.iter().map(|codon| codon["role"].as_str().unwrap()).collect();
    assert_eq!(roles, ["start", "owner", "owner", "effect", "effect", "effect", "end", "step"]);
    let genome = &told["genome"];
    assert_eq!(genome["debuffs"][0]["name"], "NOWRAP");
    let block = &genome["blocks"][0];
    assert_eq!((&block["moves"], &block["takes"]), (&json!("b1a2b2"), &json!("b1a2b2")));
    assert_eq!(block["own"], "a1b1a2b2", "it may come back to where it stands");
    let walks = genome["blocks"][0]["walks"].as_array().unwrap();
    assert!(walks.contains(&json!("a2*b2*b1*a1*")), "{walks:?}");
}

#[tokio::test]
async fn a_block_that_only_takes_shows_where_it_does() {
    let club = Club::open().await;
    // Like a pawn: straight onto empty squares with the first block, diagonally onto enemies with the second.
    let dna = "AHH HSH HAA HHH HHH CHA HHA SAS AHH HSH HAC HHH CHA HHH HHA CAS SAS";
    let blocks = explain(&club, dna, "d4").await["genome"]["blocks"].clone();
    let check = |block: usize, moves: &str, takes: &str| {
        assert_eq!(blocks[block]["moves"], moves);
        assert_eq!(blocks[block]["takes"], takes);
        assert_eq!(blocks[block]["own"], "");
    };
    check(0, "d3c4e4d5", "");
    check(1, "", "c3e3c5e5");
}

#[tokio::test]
async fn an_error_is_told_at_its_place_with_the_code_of_the_rules() {
    let club = Club::open().await;
    let check = async |dna: &str, code: &str, at: u64, begin: u64, end: u64| {
        let told = explain(&club, dna, "d4").await;
        let error = &told["error"];
        assert_eq!(error["code"], code, "{dna}: {told}");
        let place = (error["at"].as_u64(), error["begin"].as_u64(), error["end"].as_u64());
        assert_eq!(place, (Some(at), Some(begin), Some(end)), "{dna}: {told}");
        assert_eq!(told["genome"], json!(null));
    };
    check("", "E_EMPTY", 0, 0, 0).await;
    check("AHH XSH", "E_ALPHABET", 1, 4, 7).await;
    check("AHH éSH", "E_ALPHABET", 1, 4, 7).await;
    check("AHH AAA HAA", "E_OWNER", 1, 4, 7).await;
    check("AHH HAA HAA CHA CHA CHA HHA SAS", "E_DEBUFF_REPEAT", 2, 8, 11).await;
    check("AHH HSH HAA", "E_TRUNCATED", 3, 11, 11).await;
    check("AHH HSH HAA C", "E_LENGTH", 3, 12, 13).await;
    check("AHH HSH HAA CHA CHA CHA HHA", "E_BODY_EMPTY", 7, 27, 27).await;
}

#[tokio::test]
async fn every_piece_of_a_board_tells_where_it_may_go() {
    let club = Club::open().await;
    let board = json!({"pieces": [piece("a1", "white", ROOK), piece("a3", "white", ROOK), piece("c1", "black", ROOK)]});
    let told = club.browser().post("/api/v1/gmo/lab/targets", board).await.expect(200);
    let groups: Vec<&str> = told["targets"].as_str().unwrap().split(' ').collect();
    assert_eq!(groups.len(), 3);
    let mut of_a1: Vec<String> =
        groups[0].as_bytes().chunks(2).map(|s| String::from_utf8_lossy(s).into()).collect();
    of_a1.sort();
    assert_eq!(
        of_a1,
        ["a1", "a2", "a3", "b1", "c1"],
        "the origin, and what the specification names"
    );
    assert_eq!(told["pieces"][0]["look"], told["pieces"][2]["look"]);
}

#[tokio::test]
async fn a_move_in_the_lab_needs_no_turn_and_tells_what_it_did() {
    let club = Club::open().await;
    let king = |piece: Value| {
        let mut piece = piece;
        piece["king"] = json!(true);
        piece
    };
    let pieces = json!([king(piece("a1", "white", ROOK)), king(piece("c1", "black", ROOK))]);
    let wanted = json!({"pieces": pieces, "from": "c1", "to": "a1"});
    let played = club.browser().post("/api/v1/gmo/lab/moves", wanted).await.expect(200);
    assert_eq!((&played["landing"], &played["lost_king"]), (&json!("a1"), &json!("white")));
    assert_eq!(played["pieces"].as_array().map(Vec::len), Some(1));
    let wrong = json!({"pieces": pieces, "from": "a1", "to": "b3"});
    club.browser().post("/api/v1/gmo/lab/moves", wrong).await.expect_problem(422, "M_TARGET");
    let off = json!({"pieces": [piece("j9", "white", ROOK)]});
    club.browser().post("/api/v1/gmo/lab/targets", off).await.expect_problem(422, "L_SQUARE");
}

#[tokio::test]
async fn a_mutation_is_one_letter_away() {
    let club = Club::open().await;
    let mutated =
        club.browser().post("/api/v1/gmo/mutation", json!({"dna": ROOK})).await.expect(200);
    let changed =
        mutated["dna"].as_str().unwrap().bytes().zip(ROOK.bytes()).filter(|(a, b)| a != b);
    assert_eq!(changed.count(), 1);
    club.browser()
        .post("/api/v1/gmo/mutation", json!({"dna": "AHH"}))
        .await
        .expect_problem(422, "E_TRUNCATED");
}

/// The DNA of a step of the guided tour, as the page writes it into the editor.
fn tour(text: &str) -> String {
    let steps: Value =
        serde_json::from_str(include_str!("../../../../web/src/lib/lab/tour.json")).unwrap();
    let step = steps.as_array().unwrap().iter().find(|step| step["text"] == text);
    step.unwrap_or_else(|| panic!("no step {text}"))["dna"].as_str().unwrap().to_owned()
}

/// The squares that a step's piece moves to from d4, block by block.
async fn moves_of(club: &Club, text: &str) -> Vec<String> {
    let told = explain(club, &tour(text), "d4").await;
    assert_eq!(told["error"], json!(null), "{text}");
    let blocks = told["genome"]["blocks"].as_array().unwrap().iter();
    blocks.map(|block| block["moves"].as_str().unwrap().to_owned()).collect()
}

/// What stands where after a move of a white piece on d4: square and owner.
async fn tried(club: &Club, dna: &str, to: &str, other: Option<Value>) -> (Vec<String>, Value) {
    let pieces: Vec<Value> = [piece("d4", "white", dna)].into_iter().chain(other).collect();
    let wanted = json!({"pieces": pieces, "from": "d4", "to": to});
    let played = club.browser().post("/api/v1/gmo/lab/moves", wanted).await.expect(200);
    let pieces = played["pieces"].as_array().unwrap().iter();
    let text = |piece: &Value| format!("{} {}", piece["square"], piece["owner"]).replace('"', "");
    (pieces.map(text).collect(), played)
}

#[tokio::test]
async fn every_step_of_the_tour_does_what_it_says() {
    const KNIGHT: &str = "c2e2b3f3b5f5c6e6";
    const LIKE_A_ROOK: &str = "d1d2d3a4b4c4e4f4g4h4d5d6d7d8";
    let club = Club::open().await;
    assert_eq!(moves_of(&club, "tour.letters").await, ["d3c4e4d5"], "one square straight");
    assert_eq!(moves_of(&club, "tour.steps").await, ["d2b4f4d6"], "two squares");
    assert_eq!(moves_of(&club, "tour.turn").await, [LIKE_A_ROOK]);
    let circle = tour("tour.turn").strip_suffix(" AAA").unwrap().to_owned();
    let circle = explain(&club, &circle, "d4").await["genome"]["blocks"][0]["moves"].clone();
    assert_eq!(circle, "c3d3e3c4e4c5d5e5", "without one AAA it walks in circles");
    assert_eq!(moves_of(&club, "tour.pass").await, [KNIGHT]);
    let pawn_like = moves_of(&club, "tour.blocks").await;
    assert_eq!(pawn_like, ["d3c4e4d5", ""], "straight with the first, and takes with the second");

    let shooter = tour("tour.effects");
    let shot = tried(&club, &shooter, "d7", Some(piece("d7", "black", ROOK))).await.0;
    assert_eq!(shot, ["d4 white"], "it shoots, stays and stays White's");
    let swapped = tried(&club, &shooter, "d7", Some(piece("d7", "white", ROOK))).await;
    assert_eq!(swapped.0, ["d4 white", "d7 white"]);
    assert_eq!(swapped.1["pieces"][0]["dna"], ROOK, "they change places");
    assert_eq!(tried(&club, &shooter, "d7", None).await.0, ["d7 white"]);

    let (kept, played) = tried(&club, &tour("tour.owners"), "d7", None).await;
    assert_eq!((kept, &played["freezes"]), (vec!["d7 white".to_owned()], &json!(true)));
    let given_away = tour("tour.owners").replace("HSC", "HSH");
    assert_eq!(tried(&club, &given_away, "d7", None).await.0, ["d7 black"]);
    let by_chance = tried(&club, &tour("tour.chance"), "d7", None).await.1;
    assert!(by_chance["mutation"].is_string() && by_chance["landing"] != "d7", "{by_chance}");
}

#[tokio::test]
async fn the_chance_of_a_lab_follows_from_its_seed_and_its_counter() {
    let club = Club::open().await;
    let dna = tour("tour.chance");
    let play = async |seed: &str, ply: u32| {
        let wanted = json!({"pieces": [piece("d4", "white", &dna)], "from": "d4", "to": "d7",
            "seed": seed, "ply": ply});
        club.browser().post("/api/v1/gmo/lab/moves", wanted).await
    };
    let seed = "07".repeat(32);
    let first = play(&seed, 0).await.expect(200);
    assert_eq!(play(&seed, 0).await.expect(200), first);
    let mut others = 0;
    for ply in 1..5 {
        others += u32::from(play(&seed, ply).await.expect(200) != first);
    }
    assert!(others > 0, "every move has a chance of its own");
    play("07", 0).await.expect_problem(400, "bad_seed");
}
