/** Databases of releases, as `make-release.ts` made them. */
import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { gunzipSync } from 'node:zlib';
import type pg from 'pg';
import type { Answers } from './answers.ts';
import type { Filled } from './fill.ts';

const FOLDER = new URL('releases/', import.meta.url);

export const RELEASES: readonly string[] = readdirSync(FOLDER);

export interface Before {
  /** The time of the answers, in epoch milliseconds. */
  now: number;
  filled: Filled;
  answers: Answers;
}

/** The answers of the release's own code. */
export const readBefore = async (version: string): Promise<Before> =>
  JSON.parse(await read(`${version}/answers.json.gz`));

/** Restores a release's database into an empty one. */
export async function restore(client: pg.ClientBase, version: string): Promise<void> {
  await client.query(await read(`${version}/database.sql.gz`));
  await client.query(
    'reset search_path; reset check_function_bodies; reset client_min_messages; reset row_security',
  );
}

const read = async (path: string): Promise<string> =>
  gunzipSync(await readFile(new URL(path, FOLDER))).toString('utf8');
