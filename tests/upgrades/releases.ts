/** Databases and functions of releases, as `make-release.ts` made them. 0.1.0 has no functions. */
import { readdirSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gunzipSync } from 'node:zlib';
import type pg from 'pg';
import type { Answers } from './answers.ts';
import type { Filled } from './fill.ts';
import { FUNCTIONS, type Functions } from './service.ts';

const FOLDER = new URL('releases/', import.meta.url);

/** The oldest first. */
export const RELEASES: readonly string[] = readdirSync(FOLDER).sort();

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

/** The built functions of a release, as they were deployed. */
export async function readFunctions(version: string): Promise<Functions> {
  const folder = await mkdtemp(join(tmpdir(), 'vendor-release-'));
  try {
    const load = async (name: string) => {
      const file = join(folder, `${name}.mjs`);
      await writeFile(file, await read(`${version}/${name}.js.gz`));
      return import(/* @vite-ignore */ pathToFileURL(file).href);
    };
    const [account, analytics, ingest, receiver, sites, telemetry] = await Promise.all(FUNCTIONS.map(load));
    return {
      ...{ account: account.default, analytics: analytics.default, receiver: receiver.default },
      ...{ sites: sites.default, telemetry: telemetry.default, messages: ingest.Messages },
    };
  } finally {
    await rm(folder, { recursive: true });
  }
}

const read = async (path: string): Promise<string> =>
  gunzipSync(await readFile(new URL(path, FOLDER))).toString('utf8');
