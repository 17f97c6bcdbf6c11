/**
 * A visit ends where so long passes without an event, at tiers 2 and 3. Reports take it from here, the database as
 * `session_gap()`.
 */
export const SESSION_GAP_MINUTES = 30;
