/** The version of this code. Equal to the version in package.json. */
export const VERSION = '0.3.0-dev';
/** The last migration of `schema/migrations/`. The database must have it. Written by `npm run generate`. */
export const MIGRATION = 63;
