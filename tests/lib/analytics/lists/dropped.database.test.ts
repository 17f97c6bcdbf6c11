import { expect, test } from 'vitest';
import { EXAMPLES, reportDropped } from '../../../../lib/analytics/lists/dropped.ts';
import { counts, dropped, useWorlds } from '../reports-world.ts';

const makeWorld = useWorlds();

test('refused events are listed by reason and day, most first', async () => {
  const { siteId, ctx, fold } = await makeWorld();
  await fold(
    counts([dropped('2026-06-15T23:00:00Z', 'bot')]),
    counts([dropped('2026-06-16T01:00:00Z', 'bot')]),
    counts([dropped('2026-06-16T02:00:00Z', 'bot')]),
    counts([dropped('2026-06-16T02:00:00Z', 'spam')]),
    counts([dropped('2026-06-16T02:00:00Z', 'datacenter')]),
  );
  const { data, meta } = await reportDropped(ctx(), { siteId, range: { period: '7d' } });
  const on = (day: string, events: number) => ({ time: `${day}T00:00:00.000Z`, events });
  expect(data).toEqual([
    { reason: 'bot', events: 3, example: EXAMPLES.bot, days: [on('2026-06-15', 1), on('2026-06-16', 2)] },
    { reason: 'datacenter', events: 1, example: EXAMPLES.datacenter, days: [on('2026-06-16', 1)] },
    { reason: 'spam', events: 1, example: EXAMPLES.spam, days: [on('2026-06-16', 1)] },
  ]);
  expect(meta.coverage.dropped).toEqual({
    bot: 3,
    datacenter: 1,
    spam: 1,
    invalid: 0,
    hostname: 0,
    tier: 0,
    properties: 0,
  });
  const day = { from: '2026-06-15', to: '2026-06-15' };
  expect((await reportDropped(ctx(), { siteId, range: day })).data).toEqual([
    { reason: 'bot', events: 1, example: EXAMPLES.bot, days: [on('2026-06-15', 1)] },
  ]);
});
