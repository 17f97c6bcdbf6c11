/** The PostgreSQL server of the run: that of TEST_DATABASE_URL, or one that the run has started (tests/setup/prepare-servers.ts). */
export const SERVER = process.env.TEST_DATABASE_URL ?? '';
if (SERVER === '') throw new Error('A file that needs a database is named *.database.test.ts');
