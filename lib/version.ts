/** The version of this code, as in package.json. */
export const VERSION = '0.2.0-dev';
/** The last migration of `schema/migrations/`, which the database must have. */
export const MIGRATION = 13;
