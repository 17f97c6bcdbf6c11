/** Limits of imports (docs/import.md) that readers in a browser need too: without the schemas. */

/** Maximum of PostgreSQL's integer, the type in the rollups. */
export const MAX_FIGURE = 2_147_483_647;
/** Maximum days and values in a piece. 64 KiB of JSON have room for about 1500. */
export const MAX_PIECE_ROWS = 2000;
/** Maximum days and values in an import, so that a statement can undo it. */
export const MAX_IMPORT_ROWS = 1_000_000;
