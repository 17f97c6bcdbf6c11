/** A database of each release, upgraded to this checkout, gives the same answers and has the shape of a new database. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createScratchDatabase } from '../../dev/scratch-database.ts';
import { VERSION } from '../../lib/version.ts';
import { applySchema } from '../../tooling/schema/apply-schema.ts';
import { addApiKey } from '../security/tenant.ts';
import { SERVER } from '../services/server.ts';
import { expectSameAnswers } from './expect-same-answers.ts';
import { type Before, RELEASES, readBefore, readFunctions, restore } from './releases.ts';
import { readCatalogue } from './schema-catalogue.ts';
import { type Functions, openService, type Service, signIn } from './service.ts';

/** Enough for a busy machine with other tests. */
const TIMEOUT_MS = 300_000;

async function openEmpty(functions?: Functions): Promise<Service> {
  const scratch = await createScratchDatabase(SERVER, { isDurable: false });
  const service = await openService({ url: scratch.url }, functions);
  const close = async (): Promise<void> => {
    await service.close();
    await scratch.drop();
  };
  return { ...service, close };
}

describe.each(RELEASES)('a database of %s', (version) => {
  let service: Service;
  beforeAll(async () => {
    service = await openEmpty();
    await service.neon.withClient(async (client) => {
      await restore(client, version);
      await applySchema(client);
    });
  }, TIMEOUT_MS);
  afterAll(() => service.close());

  test('is of this version afterwards', async () => {
    const [row] = await service.sql`select version from schema_version`;
    expect(row).toEqual({ version: VERSION });
  });

  test('locks nobody out: whoever had an account has a confirmed address', async () => {
    const people = await service.sql`select email_verified from users`;
    expect(people.length).toBeGreaterThan(0);
    expect(people.filter((person) => !person.email_verified)).toEqual([]);
  });

  if (version === '0.1.0')
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

  test('answers as before', () => expectSameAnswers(service, version), TIMEOUT_MS);
});

/** Between `db:apply` and the end of `deploy` the functions of the last release work on this schema. */
describe('the functions of the last release', () => {
  const version = RELEASES.at(-1) ?? '';
  let service: Service;
  let before: Before;
  beforeAll(async () => {
    // Deployed functions log each request.
    vi.spyOn(console, 'log').mockImplementation(() => {});
    before = await readBefore(version);
    service = await openEmpty(await readFunctions(version));
    await service.neon.withClient(async (client) => {
      await restore(client, version);
      await applySchema(client);
    });
  }, TIMEOUT_MS);
  afterAll(async () => {
    vi.restoreAllMocks();
    await service.close();
  });

  test('answer every report as before', () => expectSameAnswers(service, version), TIMEOUT_MS);

  test('store events, and make what an owner makes', async () => {
    const [siteId = ''] = before.filled.siteIds;
    const cookie = await signIn(service.sql, before.filled.userId);
    const [today] = new Date(before.now).toISOString().split('T');
    const events = `/api/v1/sites/${siteId}/analytics/events?from=${today}&to=${today}`;
    const by = { token: await addApiKey(service.sql, before.filled) };
    const path = `/api/v1/sites/${siteId}`;
    await service.ask(by, 'POST', `${path}/events`, {
      events: [{ id: randomUUID(), name: 'Stored by the last release', props: { plan: 'yearly' } }],
    });
    const { data } = await service.ask<{ data: { name: string }[] }>(by, 'GET', `${events}&limit=100`);
    expect(data.map(({ name }) => name)).toContain('Stored by the last release');
    await service.ask(by, 'POST', `${path}/shares`, { name: 'A share' });
    await service.ask(by, 'POST', `${path}/analytics/goals`, { name: 'A goal', event: 'a goal' });
    const { projectId, environmentId } = before.filled;
    for (const [route, body] of [
      [`/api/v1/projects/${projectId}/members`, { role: 'viewer' }],
      ['/api/v1/account/query-tokens', { name: 'A token', scopes: ['sites:read'] }],
      [
        `/api/v1/telemetry/projects/${projectId}/environments/${environmentId}/ingest-keys`,
        { name: 'A key' },
      ],
    ] as const)
      await service.ask({ cookie }, 'POST', route, body);
  });
});
