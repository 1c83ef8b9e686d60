//! The application: one folder per subject, HTTP, the socket, jobs.
