//! Lists of people as they are pasted: one a line, from a mail, a table or another program.
//!
//! With a head line the columns are known by their names, in any order. Without one a line is a name, perhaps followed
//! by a rating; or columns name, rating, club. Columns are set apart by tabs or semicolons, or by commas where a head
//! line shows it: names are written `Last, First`.

use super::super::event::{Details, Person};
use super::super::wire::ReadList;

/// Lines that are read at most.
const MOST: usize = 2_000;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Column {
    Name,
    First,
    Rating,
    Title,
    Federation,
    FideId,
    Birth,
    Club,
    Sex,
    Other,
}

/// Reads a list. Lines that make no sense are told and passed over.
pub(crate) fn read_people(text: &str) -> ReadList {
    let mut list = ReadList { people: Vec::new(), problems: Vec::new() };
    let lines: Vec<(usize, &str)> = text
        .lines()
        .enumerate()
        .map(|(index, line)| (index + 1, line.trim()))
        .filter(|(_, line)| !line.is_empty())
        .collect();
    if lines.len() > MOST {
        list.problems.push(format!("only the first {MOST} lines were read"));
    }
    let head = lines.first().and_then(|(_, line)| read_head(line));
    let (separator, columns, skip) = match head {
        Some((separator, columns)) => (Some(separator), columns, 1),
        None => (None, vec![Column::Name, Column::Rating, Column::Club], 0),
    };
    for (number, line) in lines.into_iter().skip(skip).take(MOST) {
        let fields =
            match separator.or_else(|| ['\t', ';'].into_iter().find(|sign| line.contains(*sign))) {
                Some(separator) => split(line, separator),
                None => name_and_rating(line),
            };
        match person(&columns, &fields) {
            Ok(person) => list.people.push(person),
            Err(problem) => list.problems.push(format!("line {number}: {problem}")),
        }
    }
    list
}

fn read_head(line: &str) -> Option<(char, Vec<Column>)> {
    let separator = ['\t', ';', ','].into_iter().find(|sign| line.contains(*sign)).unwrap_or('\t');
    let columns: Vec<Column> = split(line, separator).iter().map(|name| column(name)).collect();
    columns.contains(&Column::Name).then_some((separator, columns))
}

fn column(name: &str) -> Column {
    match name.to_lowercase().replace([' ', '_', '-', '.'], "").as_str() {
        "name" | "player" | "lastname" | "surname" => Column::Name,
        "firstname" | "forename" | "givenname" => Column::First,
        "rating" | "elo" | "rtg" | "fiderating" => Column::Rating,
        "title" => Column::Title,
        "federation" | "fed" | "country" => Column::Federation,
        "fideid" | "fide" | "id" => Column::FideId,
        "birthyear" | "birth" | "year" | "born" | "dateofbirth" => Column::Birth,
        "club" | "school" | "team" | "class" => Column::Club,
        "sex" | "gender" => Column::Sex,
        _ => Column::Other,
    }
}

/// Fields of a line; a quoted one may hold the separator.
fn split(line: &str, separator: char) -> Vec<String> {
    let mut fields = vec![String::new()];
    let mut quoted = false;
    for sign in line.chars() {
        match sign {
            '"' => quoted = !quoted,
            _ if sign == separator && !quoted => fields.push(String::new()),
            _ => fields.last_mut().into_iter().for_each(|field| field.push(sign)),
        }
    }
    fields.into_iter().map(|field| field.trim().to_owned()).collect()
}

/// `Last, First 1850`: a number at the end is the rating.
fn name_and_rating(line: &str) -> Vec<String> {
    match line.rsplit_once(char::is_whitespace) {
        Some((name, rating))
            if (3..=4).contains(&rating.len()) && rating.parse::<u16>().is_ok() =>
        {
            vec![name.trim().trim_end_matches(',').to_owned(), rating.to_owned()]
        }
        _ => vec![line.to_owned()],
    }
}

fn person(columns: &[Column], fields: &[String]) -> Result<Person, String> {
    let mut person = Person::default();
    let details: &mut Details = &mut person.details;
    let mut first = "";
    for (column, field) in columns.iter().zip(fields).filter(|(_, field)| !field.is_empty()) {
        let number = || field.parse::<u16>().map_err(|_| format!("{field:?} is no number"));
        match column {
            Column::Name => person.name.clone_from(field),
            Column::First => first = field,
            Column::Rating if field == "0" => {}
            Column::Rating => details.rating = Some(number()?),
            Column::Title => details.title = Some(field.clone()),
            Column::Federation => details.federation.clone_from(field),
            Column::FideId => details.fide_id.clone_from(field),
            Column::Birth => {
                let year = field.split(['.', '/', '-']).find(|part| part.len() == 4);
                details.birth_year = year.and_then(|year| year.parse().ok());
            }
            Column::Club => details.club.clone_from(field),
            Column::Sex => {
                let first = field.to_lowercase().chars().next();
                let sex = first.map(|sign| if sign == 'f' { 'w' } else { sign });
                details.sex = sex.map(String::from);
            }
            Column::Other => {}
        }
    }
    if person.name.is_empty() {
        return Err("there is no name".to_owned());
    }
    if !first.is_empty() {
        person.name = format!("{}, {first}", person.name);
    }
    Ok(person)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &[(&str, Option<u16>, &str)]) {
        let list = read_people(text);
        let found: Vec<(&str, Option<u16>, &str)> = list
            .people
            .iter()
            .map(|person| {
                (person.name.as_str(), person.details.rating, person.details.club.as_str())
            })
            .collect();
        assert_eq!(found, expected, "{:?}", list.problems);
        assert_eq!(list.problems, [""; 0]);
    }

    #[test]
    fn a_list_of_names_is_enough() {
        check(
            "One, Test\n\n  Two, Test 1850 \nThree 2000\n",
            &[("One, Test", None, ""), ("Two, Test", Some(1850), ""), ("Three", Some(2000), "")],
        );
    }

    #[test]
    fn columns_are_known_by_their_heads_in_any_order() {
        check(
            "Elo,Name,Club\n1500,\"One, Test\",Rook End\n,Two,",
            &[("One, Test", Some(1500), "Rook End"), ("Two", None, "")],
        );
        check("Last name\tFirst name\tSchool\nOne\tTest\tHill", &[("One, Test", None, "Hill")]);
    }

    #[test]
    fn tabs_and_semicolons_set_columns_apart_without_heads() {
        check(
            "One, Test;1500;Rook End\nTwo\t\tHill",
            &[("One, Test", Some(1500), "Rook End"), ("Two", None, "Hill")],
        );
    }

    #[test]
    fn a_line_that_makes_no_sense_is_told_and_the_others_are_read() {
        let list = read_people("One;abc\nTwo;1500");
        assert_eq!(list.people.len(), 1);
        assert_eq!(list.problems, ["line 1: \"abc\" is no number"]);
    }
}
