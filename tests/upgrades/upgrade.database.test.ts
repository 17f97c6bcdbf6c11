/** A database of each release, upgraded to this checkout, gives the same answers and has the shape of a new database. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createScratchDatabase } from '../../dev/scratch-database.ts';
import { VERSION } from '../../lib/version.ts';
import { applySchema } from '../../tooling/schema/apply-schema.ts';
import { copyEmptyEmbedded } from '../services/database.ts';
import { collectAnswers } from './answers.ts';
import { RELEASES, readBefore, restore } from './releases.ts';
import { readCatalogue } from './schema-catalogue.ts';
import { openService, type Service } from './service.ts';

const { TEST_DATABASE_URL: server } = process.env;
/** Enough for a busy machine with other tests. */
const TIMEOUT_MS = 300_000;

async function openEmpty(): Promise<Service> {
  if (server === undefined) return openService(await copyEmptyEmbedded());
  const scratch = await createScratchDatabase(server);
  const service = await openService({ url: scratch.url });
  const close = async (): Promise<void> => {
    await service.close();
    await scratch.drop();
  };
  return { ...service, close };
}

/** Cursors differ between versions, so only their presence is compared. */
const withoutCursors = (answer: unknown): unknown =>
  JSON.parse(JSON.stringify(answer), (key, value) =>
    key === 'nextCursor' && value !== null ? 'a cursor' : value,
  );

/** A file, with the columns that it had before: later releases may add some at the end. Values have no commas. */
function withColumnsOf(before: unknown, file: unknown): unknown {
  if (typeof before !== 'string' || typeof file !== 'string') return file;
  const count = before.split('\r\n', 1)[0]?.split(',').length;
  return file
    .split('\r\n')
    .map((line) => line.split(',').slice(0, count).join(','))
    .join('\r\n');
}

interface Answer {
  data: unknown;
  meta: { approximate?: unknown };
}
const withoutFigures = ({ meta: { approximate: _, ...meta } }: Answer): unknown => ({ meta });

/**
 * Answers of a release that were wrong, and that later releases correct. 0.1.0: `filter_page=!` kept visits that saw the page and another
 * one, and counted some of their page views alone; a server's event outside of any visit had the source `Direct`.
 */
const CORRECTED: Readonly<Record<string, RegExp>> = {
  '0.1.0': /analytics\/((?!engagement|vitals).*filter_page=!|(goals\/report|events).*filter_source=)/,
};

describe.each(RELEASES)('a database of %s', (version) => {
  let service: Service;
  let applied: Awaited<ReturnType<typeof applySchema>>;
  beforeAll(async () => {
    service = await openEmpty();
    applied = await service.neon.withClient(async (client) => {
      await restore(client, version);
      return applySchema(client);
    });
  }, TIMEOUT_MS);
  afterAll(() => service.close());

  test('is of this version afterwards', async () => {
    expect(applied.functionsMade).toBe(true);
    const [row] = await service.sql`select version from schema_version`;
    expect(row).toEqual({ version: VERSION });
  });

  test('locks nobody out: whoever had an account has a confirmed address', async () => {
    const people = await service.sql`select email_verified from users`;
    expect(people.length).toBeGreaterThan(0);
    expect(people.filter((person) => !person.email_verified)).toEqual([]);
  });

  test('keeps all values of dictionaries until a month later, and searches all visits for what names them', async () => {
    for (const dictionary of ['texts', 'profiles', 'places', 'origins']) {
      const [row] = await service.sql`
        select count(*)::int as values, count(*) filter (where first_day = '-infinity' and last_day > now() + interval '29 days')::int as kept
        from ${service.sql.unsafe(`site_${dictionary}`)}`;
      expect(row?.values).toBeGreaterThan(0);
      expect(row?.kept).toBe(row?.values);
    }
  });

  test('has the shape of a new one, and stays so when it is brought up again', async () => {
    const fresh = await openEmpty();
    try {
      const wanted = await fresh.neon.withClient(async (client) => {
        await applySchema(client);
        return readCatalogue(client);
      });
      await service.neon.withClient(async (client) => {
        expect(await readCatalogue(client)).toEqual(wanted);
        expect(await applySchema(client)).toEqual({ migrations: [], functionsMade: false });
        expect(await readCatalogue(client)).toEqual(wanted);
      });
    } finally {
      await fresh.close();
    }
  });

  test(
    'answers as before',
    async () => {
      const before = await readBefore(version);
      service.at(before.now);
      const after = await collectAnswers(service, before.filled);
      for (const [path, answer] of Object.entries(before.answers)) {
        const expected = CORRECTED[version]?.test(path) ? withoutFigures(answer as Answer) : answer;
        expect
          .soft(withoutCursors(withColumnsOf(answer, after[path])), path)
          .toMatchObject(withoutCursors(expected) as object);
      }
      expect(Object.keys(after)).toHaveLength(Object.keys(before.answers).length);
    },
    TIMEOUT_MS,
  );
});
