/** Some thousand hostile requests to every documented route: each gets a documented error, none a 5xx, and nothing is stored. */
import fc from 'fast-check';
import * as v from 'valibot';
import { expect, test } from 'vitest';
import type { StackRequestInit } from '../../dev/stack.ts';
import { SAMPLE } from '../../lib/http/examples.ts';
import { type DocumentedRoute, readContracts } from '../../scripts/openapi/contracts.ts';
import { errorsOf } from '../../scripts/openapi/errors.ts';
import { bodyInput } from '../../scripts/openapi/inputs.ts';
import { analytics } from '../../scripts/openapi/services.ts';
import { useOwnStack } from '../services/use-stack.ts';
import { garbage, spoiled } from './hostile-values.ts';
import { addIngestKey } from './session.ts';
import { createTenant, newToken, type Tenant } from './tenant.ts';

const stack = useOwnStack();
const routes = (await readContracts(analytics)).flatMap((contract) => contract.routes);
// OTLP ignores unknown fields and has its own bodies: tests/lib/otlp/fuzz.test.ts.
const writing = routes.filter((route) => bodyInput(route) !== undefined && route.errorBody === undefined);

const contentType = fc.constantFrom('application/json', 'application/json', 'text/plain', 'text/html', '');
const authorization = (tenant: Tenant) =>
  fc.oneof(
    fc.constant(`Bearer ${tenant.token}`),
    fc.constantFrom('', 'Bearer', `Bearer ${newToken()}`, "Bearer vapi_' or 1=1 --", `Basic ${tenant.token}`),
  );

const pathOf = (route: DocumentedRoute, id: string) =>
  route.path.replaceAll(/:[A-Za-z]+/g, encodeURIComponent(id));
const id = (tenant: Tenant) =>
  fc.oneof(
    fc.constantFrom(tenant.siteId, SAMPLE.siteId, "' or '1'='1", '1); delete from users; --'),
    fc.string({ minLength: 1, maxLength: 20 }).filter((part) => !/^\.{1,2}$/.test(part)),
  );

async function snapshot(): Promise<unknown> {
  const { sql } = stack();
  const [row] = await sql`
    select
      (select count(*) from sites) as sites, (select count(*) from events) as events,
      (select count(*) from dead_letters) as dead, (select count(*) from outcomes) as outcomes, (select max(updated_at) from sites) as updated
  `;
  return row;
}

async function expectRefused(route: DocumentedRoute, path: string, init: StackRequestInit): Promise<void> {
  const response = await stack().fetch(path, { method: route.method, ...init });
  const answer = await response.text();
  const documented = [...errorsOf(route, analytics).keys()].filter(
    (status) => status < 500 && status !== 429,
  );
  expect([route.operationId, response.status, answer]).toEqual([
    route.operationId,
    expect.toBeOneOf(documented),
    expect.any(String),
  ]);
  expect(v.is(analytics.errorBody, JSON.parse(answer))).toBe(true);
}

function bodyFor(route: DocumentedRoute, tenant: Tenant): fc.Arbitrary<BodyInit> {
  const examples = route.examples.filter(({ body }) => body !== undefined);
  const example = (examples.find(({ status }) => status < 300) ?? examples[0])?.body;
  const own = JSON.stringify(example).replaceAll(SAMPLE.siteId, tenant.siteId);
  return fc.oneof(garbage, spoiled(JSON.parse(own) as object), spoiled(JSON.parse(own) as object));
}

/** Requests per tenant. Fewer than any rate limit allows, because a rate-limited request would prove nothing. */
const BATCH = 50;
const BATCHES = 4;
/** Tenants that attack at the same time. */
const LANES = 6;

test('hostile requests', { timeout: 360_000 }, async () => {
  const { sql } = stack();
  const tenants = await Promise.all(
    Array.from({ length: writing.length * BATCHES }, () => createTenant(sql)),
  );
  const before = await snapshot();
  let sent = 0;
  const attack = async (route: DocumentedRoute, tenant: Tenant): Promise<void> => {
    const key = route.auth === 'ingestKey' ? (await addIngestKey(sql, tenant.projectId)).key : '';
    const input = fc.tuple(bodyFor(route, tenant), contentType, authorization(tenant), id(tenant));
    for (const [body, type, token, siteId] of fc.sample(input, BATCH)) {
      const headers = {
        'Content-Type': type,
        ...(route.auth === 'member' && { Authorization: token }),
        ...(route.auth === 'ingestKey' && {
          Authorization: token === `Bearer ${tenant.token}` ? `Bearer ${key}` : token,
        }),
        ...(route.auth === 'session' && {
          Cookie: token === `Bearer ${tenant.token}` ? tenant.cookie : token,
        }),
      };
      // Limits count requests without sign-in by address.
      const address = `198.51.${sent % 256}.${Math.floor(sent / 256) % 256}`;
      sent += 1;
      await expectRefused(route, pathOf(route, siteId), { body, headers, address });
    }
  };
  const left = tenants.entries();
  // Each lane takes the next tenant when it is done with one.
  const lane = async (): Promise<void> => {
    for (const [index, tenant] of left) {
      const route = writing[index % writing.length];
      if (route !== undefined) await attack(route, tenant);
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  expect(sent).toBeGreaterThanOrEqual(2000);
  expect(await snapshot()).toEqual(before);
});
