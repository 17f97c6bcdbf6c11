import { describe, expect, test } from 'vitest';
import { protectedRoute } from '../../security/protected-route.ts';
import { surfaces } from '../../security/surfaces.ts';
import { createTenant } from '../../security/tenant.ts';
import { useStack } from '../../services/use-stack.ts';
import { newOutcome, newSender } from './backend-sender.ts';

const stack = useStack();
const PATH = '/api/v1/telemetry/outcomes';

protectedRoute(stack, {
  method: 'POST',
  path: () => PATH,
  body: newOutcome(),
  surface: 'ingestKey',
  status: 201,
  writes: true,
  owned: false,
  personal: true,
  limit: { name: 'outcomes', quota: 600, windowSeconds: 60 },
});

// The errors of these routes are a google.rpc.Status.
describe.each(['traces', 'logs', 'metrics'])('POST /v1/%s', (signal) => {
  test.each(surfaces.ingestKey.refused)('answers 401 to %s', async (_, credentialFor) => {
    const { sql } = stack();
    const credential = await credentialFor(sql, await createTenant(sql));
    const response = await stack().fetch(`/v1/${signal}`, {
      method: 'POST',
      body: '{}',
      headers: { 'Content-Type': 'application/json', ...credential },
    });
    expect([response.status, await response.json()]).toEqual([
      401,
      { code: 16, message: expect.stringMatching(/\.$/) },
    ]);
    expect(response.headers.get('WWW-Authenticate')).toBe('Bearer');
  });

  test('answers 401 to a key that was revoked', async () => {
    const sender = await newSender(stack());
    await surfaces.ingestKey.revoke?.(stack().sql, sender);
    expect((await sender.send(`/v1/${signal}`, {})).status).toBe(401);
  });
});

test('a key without outcomes sends telemetry, and is refused with 403', async () => {
  const sender = await newSender(stack(), { outcomes: false });
  expect((await sender.send('/v1/traces', {})).status).toBe(200);
  expect(await sender.outcomes(newOutcome())).toMatchObject([403, { error: 'FORBIDDEN' }]);
  const rows = await stack().sql`select from outcomes where environment_key = ${sender.environmentKey}`;
  expect(rows).toEqual([]);
});

test('a key of another environment writes there, and touches nothing here', async () => {
  const [here, there] = [await newSender(stack()), await newSender(stack())];
  const outcome = newOutcome({ value: { amount: '1.00', currency: 'EUR' } });
  const other = { ...outcome, value: { amount: '9999.00', currency: 'EUR' } };
  expect((await here.outcomes(outcome))[0]).toBe(201);
  const stored = () => stack().sql`select * from outcomes where environment_key = ${here.environmentKey}`;
  const before = await stored();
  expect((await there.outcomes(other))[0]).toBe(201);
  expect((await there.outcomes(outcome))[0]).toBe(409);
  expect(await stored()).toEqual(before);
  const sendings = await stack()
    .sql`select from outcome_sendings where environment_key = ${here.environmentKey}`;
  expect(sendings).toHaveLength(1);
});

test('an ingest key reads nothing', async () => {
  const { key, projectId, environmentId } = await newSender(stack());
  for (const path of ['outcomes', 'services', 'connection-status', 'origins', 'retention', 'ingest-keys']) {
    const response = await stack().fetch(
      `/api/v1/telemetry/projects/${projectId}/environments/${environmentId}/${path}`,
      { headers: { Authorization: `Bearer ${key}` } },
    );
    expect([path, response.status]).toEqual([path, 401]);
  }
});
