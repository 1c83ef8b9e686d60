//! Round robin, knockout, Swiss; standings and tie-breaks; TRF files.
