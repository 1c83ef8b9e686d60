//! From bytes to a tournament: dispatch by record code.

use super::assemble::Draft;
use super::player_line::PlayerLine;
use super::{Problem, TrfError, Warning, records, text};
use crate::model::{MAX_PLAYERS, Tournament};

pub(super) fn read(bytes: &[u8]) -> Result<(Tournament, Vec<Warning>), TrfError> {
    let text = text::decode(bytes);
    let mut draft = Draft::default();
    for line in text::lines(&text) {
        let code = line.field(1, 3);
        if code.len() < 3 {
            continue;
        }
        let header = &mut draft.header;
        match code {
            "001" => {
                if draft.players.len() == MAX_PLAYERS {
                    return Err(line.error(1, Problem::TooManyPlayers));
                }
                let player = PlayerLine::read(&line, &mut draft.warnings)?;
                draft.players.push(player);
            }
            "012" => line.rest(4).clone_into(&mut header.name),
            "022" => line.rest(4).clone_into(&mut header.city),
            "032" => line.rest(4).clone_into(&mut header.federation),
            "042" => line.rest(4).clone_into(&mut header.start_date),
            "052" => line.rest(4).clone_into(&mut header.end_date),
            // The numbers of players are counted, not believed.
            "062" | "072" => {}
            "092" => line.rest(4).clone_into(&mut header.kind),
            "102" => line.rest(4).clone_into(&mut header.chief_arbiter),
            "112" if line.rest(4).is_empty() => {}
            "112" => header.deputies.push(line.rest(4).to_owned()),
            "122" => line.rest(4).clone_into(&mut header.time_control),
            "132" => header.round_dates.extend(line.words(4).map(|(_, date)| date.to_owned())),
            "142" | "XXR" => records::read_rounds(&line, &mut draft)?,
            "152" => records::read_initial_colour(&line, &mut draft)?,
            "162" => records::read_scoring(&line, &mut draft)?,
            "192" => draft.system = line.rest(4).to_ascii_uppercase(),
            "202" | "212" => records::read_tie_breaks(&line, &mut draft),
            "240" => records::read_byes(&line, &mut draft)?,
            "250" => records::read_acceleration(&line, &mut draft)?,
            "260" => records::read_forbidden(&line, &mut draft)?,
            "299" => records::read_abnormal_points(&line, &mut draft)?,
            "XXA" => records::read_player_acceleration(&line, &mut draft)?,
            "XXC" => records::read_configuration(&line, &mut draft),
            "XXP" => records::read_forbidden_group(&line, &mut draft)?,
            "XXS" => records::read_scoring_words(&line, &mut draft)?,
            "XXZ" => records::read_absent(&line, &mut draft)?,
            "BBW" | "BBD" | "BBL" | "BBZ" | "BBF" | "BBU" => {
                records::read_scoring_line(&line, code, &mut draft)?;
            }
            _ => header.other_lines.push(line.text.to_owned()),
        }
    }
    draft.assemble()
}
