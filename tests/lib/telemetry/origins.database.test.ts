/** Origins of an environment that several people change at once: none is lost, and there are never more than the limit. */
import { expect, test } from 'vitest';
import { MAX_ORIGINS } from '../../../lib/telemetry/control-schemas.ts';
import { getOrigins, setOrigin } from '../../../lib/telemetry/origins.ts';
import { createTenant } from '../../security/tenant.ts';
import { useDatabase } from '../../services/database.ts';
import { createEnvironment } from './stored-spans.ts';

const database = useDatabase();

async function newEnvironment() {
  const { sql } = database();
  const { ids, ctx } = await createEnvironment(sql);
  const audited = { ...ctx(Date.now()), requestId: 'test' };
  const set = (origin: string, more: { siteIds?: string[]; remove?: boolean } = {}) =>
    setOrigin(audited as never, { ...ids, origin, remove: false, ...more });
  const listed = async () => (await getOrigins(ctx(), ids)).origins;
  return { sql, set, listed };
}

test('what two set at once is both there; one is changed and removed alone', async () => {
  const { set, listed } = await newEnvironment();
  const origins = Array.from({ length: 12 }, (_, n) => `https://api-${String(n).padStart(2, '0')}.example`);
  await Promise.all(origins.map((origin) => set(origin)));
  expect(await listed()).toEqual(origins.map((origin) => ({ origin })));
  await Promise.all([
    set('https://api-00.example', { remove: true }),
    set('https://api-01.example', { siteIds: [] }),
  ]);
  expect(await listed()).toEqual([
    { origin: 'https://api-01.example', siteIds: [] },
    ...origins.slice(2).map((origin) => ({ origin })),
  ]);
});

test('of two who set the last one that there may be, one is refused', async () => {
  const { set, listed } = await newEnvironment();
  for (let n = 1; n < MAX_ORIGINS; n += 1) await set(`https://api-${n}.example`);
  const results = await Promise.allSettled([set('https://a.example'), set('https://b.example')]);
  expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  expect(results.find(({ status }) => status === 'rejected')).toMatchObject({
    reason: { code: 'VALIDATION_ERROR' },
  });
  expect(await listed()).toHaveLength(MAX_ORIGINS);
  // One that is there may be set again, and removed.
  await set('https://api-1.example');
  await set('https://api-1.example', { remove: true });
  expect(await listed()).toHaveLength(MAX_ORIGINS - 1);
});

test('a site of another project is no site', async () => {
  const { sql, set, listed } = await newEnvironment();
  const { siteId } = await createTenant(sql);
  await expect(set('https://api.example', { siteIds: [siteId] })).rejects.toMatchObject({
    code: 'NOT_FOUND',
  });
  expect(await listed()).toEqual([]);
});
