//! Moves as text: SAN in and out, lenient in; piece letters of seven languages.
