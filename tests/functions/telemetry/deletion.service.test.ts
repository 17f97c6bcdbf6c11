/** Deletion over HTTP: access ends with the answer, and crons delete the rows. */
import { expect, test } from 'vitest';
import { rowsOf, totalOf } from '../../lib/telemetry/telemetry-rows.ts';
import { useStack } from '../../services/use-stack.ts';
import { newOutcome, newSender, type Sender, spansOf } from '../receiver/backend-sender.ts';
import { asMember } from './member.ts';

const stack = useStack();

const deletions: [what: string, path: (sender: Sender) => string][] = [
  ['an environment', ({ projectId, environmentId }) => `${projectId}/environments/${environmentId}`],
  ['a project', ({ projectId }) => projectId],
];

test.each(deletions)('%s', async (_, path) => {
  const { sql } = stack();
  const [sender, other] = [await newSender(stack()), await newSender(stack())];
  await sql`insert into environments (project_id, name) values (${sender.projectId}, 'staging')`;
  for (const { send, outcomes } of [sender, other]) {
    await send('/v1/traces', spansOf('shop', [{}, {}]));
    await outcomes(newOutcome());
  }
  const response = await stack().fetch(`/api/v1/projects/${path(sender)}`, {
    method: 'DELETE',
    headers: { Cookie: sender.cookie },
  });
  expect(response.status).toBe(204);
  const ask = asMember(stack(), sender, sender);
  for (const resource of ['services', 'outcomes', 'connection-status', 'origins', 'retention', 'ingest-keys'])
    expect([resource, (await ask.get(resource))[0]]).toEqual([resource, 404]);
  expect((await sender.outcomes(newOutcome()))[0]).toBe(401);
  await stack().scheduled('receiver', '* * * * *');
  expect(totalOf(await rowsOf(sql, sender))).toBe(0);
  expect(await rowsOf(sql, other)).toMatchObject({
    spans: 2,
    outcomes: 1,
    outcome_sendings: 1,
  });
});
