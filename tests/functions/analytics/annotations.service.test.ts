import { describe, expect, test } from 'vitest';
import { createTenant, type Tenant } from '../../security/tenant.ts';
import { useStack } from '../../services/use-stack.ts';
import { type Door, doors } from './doors.ts';

const stack = useStack();
const DAY_MS = 86_400_000;

describe.each<[string, Door]>(Object.entries(doors))('annotations in %s', (_, door) => {
  async function call(tenant: Tenant, method: string, path = '', body?: object) {
    const response = await door(stack(), `/api/v1/sites/${tenant.siteId}/analytics/annotations${path}`, {
      method,
      headers: { Authorization: `Bearer ${tenant.token}`, 'Content-Type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, body: text === '' ? undefined : JSON.parse(text) };
  }
  const textsOf = async (tenant: Tenant, query: string): Promise<string[]> =>
    (await call(tenant, 'GET', query)).body.data.map(({ text }: { text: string }) => text);

  test('what was noted is listed by date, and only of the range', async () => {
    const tenant = await createTenant(stack().sql);
    const made = await call(tenant, 'POST', '', { date: '2026-03-31', text: ' Relaunch \n' });
    expect(made).toEqual({
      status: 201,
      body: {
        data: {
          id: expect.stringMatching(/^[0-9a-f-]{36}$/),
          date: '2026-03-31',
          text: 'Relaunch',
          createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:]{8}\.\d{3}Z$/),
        },
      },
    });
    for (const [date, text] of [
      ['2026-04-01', 'April'],
      ['2026-03-01', 'March'],
      ['2026-02-28', 'February'],
      ['2026-03-01', 'More of March'],
    ]) {
      expect((await call(tenant, 'POST', '', { date, text })).status).toBe(201);
    }
    const march = await textsOf(tenant, '?from=2026-03-01&to=2026-03-31');
    expect(march).toEqual(['March', 'More of March', 'Relaunch']);
    const lastOfMarch = await call(tenant, 'GET', '?from=2026-03-31&to=2026-03-31');
    expect(lastOfMarch.body).toEqual({ data: [made.body.data] });
    expect(await textsOf(tenant, '?from=2026-01-01&to=2026-01-31')).toEqual([]);
  });

  test.each(['Pacific/Kiritimati', 'Pacific/Pago_Pago', 'UTC'])(
    'days are those of a site in %s',
    async (zone) => {
      const { sql } = stack();
      const tenant = await createTenant(sql);
      const [site] = await sql`
      update sites set timezone = ${zone} where id = ${tenant.siteId}
      returning (now() at time zone timezone)::date::text as today`;
      const day = (offset: number) =>
        new Date(Date.parse(site?.today) + offset * DAY_MS).toISOString().slice(0, 10);
      for (const offset of [-30, -29, -2, -1, 0, 1]) {
        await call(tenant, 'POST', '', { date: day(offset), text: String(offset) });
      }
      expect(await textsOf(tenant, '?period=30d')).toEqual(['-29', '-2', '-1', '0']);
      expect(await textsOf(tenant, '')).toEqual(['-29', '-2', '-1', '0']);
      const ofHours = await textsOf(tenant, '?period=24h');
      expect(ofHours.at(-1)).toBe('0');
      expect(['-1', '0']).toEqual(expect.arrayContaining(ofHours));
    },
  );

  test('a deleted one is gone, and another site’s can’t be deleted', async () => {
    const { sql } = stack();
    const [tenant, other] = await Promise.all([createTenant(sql), createTenant(sql)]);
    const { body } = await call(tenant, 'POST', '', { date: '2026-03-31', text: 'x' });
    const path = `/${body.data.id}`;
    expect((await call(other, 'DELETE', path)).status).toBe(404);
    expect(await textsOf(tenant, '?from=2026-03-31&to=2026-03-31')).toEqual(['x']);
    expect(await call(tenant, 'DELETE', path)).toEqual({ status: 204, body: undefined });
    expect((await call(tenant, 'DELETE', path)).status).toBe(404);
    expect((await call(tenant, 'DELETE', '/1')).status).toBe(404);
    expect(await textsOf(tenant, '?from=2026-03-31&to=2026-03-31')).toEqual([]);
  });

  test.each<[object, string]>([
    [{ date: '2026-02-30', text: 'x' }, 'date'],
    [{ date: '2026-02-03T00:00:00Z', text: 'x' }, 'date'],
    [{ date: '1999-01-01', text: 'x' }, 'date'],
    [{ date: '2026-02-03', text: '' }, 'text'],
    [{ date: '2026-02-03', text: ' \t' }, 'text'],
    [{ date: '2026-02-03', text: 'x'.repeat(501) }, 'text'],
    [{ text: 'x' }, 'date'],
    [{ date: '2026-02-03', text: 'x', id: crypto.randomUUID() }, 'id'],
  ])('%j is refused, and %s named', async (body, path) => {
    const tenant = await createTenant(stack().sql);
    expect(await call(tenant, 'POST', '', body)).toMatchObject({
      status: 400,
      body: { error: 'VALIDATION_ERROR', details: [{ path }] },
    });
  });

  test('a site holds 100', async () => {
    const { sql } = stack();
    const tenant = await createTenant(sql);
    await sql`
      insert into site_annotations (site_id, date, text)
      select ${tenant.siteId}, '2026-01-01', n::text from generate_series(1, 99) as n`;
    const note = { date: '2026-01-01', text: 'x'.repeat(500) };
    expect((await call(tenant, 'POST', '', note)).status).toBe(201);
    expect(await call(tenant, 'POST', '', note)).toMatchObject({ status: 409, body: { error: 'CONFLICT' } });
  });
});
