/**
 * A visit at tier 2 or 3 ends after this time without an event. Reports import it from here; the database has it as
 * `session_gap()`.
 */
export const SESSION_GAP_MINUTES = 30;
