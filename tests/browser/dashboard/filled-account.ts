/** A person for whom every view of the dashboard has something to show. */
import type { Stack } from '../../../dev/stack.ts';
import { foldBatch } from '../../../lib/collection/fold-batch.ts';
import type { StoredEvent } from '../../../lib/collection/track-message.ts';
import { newBrowser } from '../../functions/account/browser.ts';
import { newOutcome } from '../../functions/receiver/backend-sender.ts';
import { histogram, minute, point, send } from '../../functions/telemetry/metric-points.ts';
import { createWorld, minutesAgo, order, type TestSpan } from '../../functions/telemetry/sent-spans.ts';
import { traceIdOf } from '../../functions/telemetry/test-environment.ts';
import { consented, counts, custom, pageview, session } from '../../lib/analytics/reports-world.ts';
import { linkPage } from '../../lib/associations/link-page.ts';
import { createSite, type Person } from '../../security/tenant.ts';
import { addAlert } from '../../security/test-alert.ts';
import { addShare } from '../../security/test-share.ts';
import { askApi } from './open-dashboard.ts';

const DAY_MS = 86_400_000;
const ago = (ms: number): string => new Date(Date.now() - ms).toISOString();

/** Visits of these days, with each tier, some events and measurements. */
function visitsOf(day: number) {
  const at = (seconds: number): string => ago(day * DAY_MS + 3_600_000 - 1000 * seconds);
  const pageId = crypto.randomUUID();
  const measured = { at: Date.parse(at(20)), pageId };
  const read: StoredEvent[] = [
    pageview(at(0), '/', { pageId }),
    pageview(at(30), '/pricing'),
    { type: 'engagement', id: crypto.randomUUID(), ...measured, seconds: 25, scrollDepth: 80 },
    {
      ...{ type: 'vitals', id: crypto.randomUUID(), ...measured, hostname: 'example.com', path: '/' },
      ...{ lcp: 1900, inp: 90, cls: 0.3, fcp: 700, ttfb: 100 },
    },
    custom(at(40), 'order'),
  ];
  return [
    consented('Ada', read, { country: 'PT', browser: 'Firefox', device: 'desktop' }),
    session(`Bo ${day}`, [pageview(at(50), '/')], { country: 'ES', browser: 'Safari', device: 'mobile' }),
    counts([pageview(at(60), '/pricing')], { country: 'DE' }),
  ];
}

/** The backend says of the first request alone which page asked. */
const markEntry = (span: TestSpan): TestSpan =>
  span.traceId === traceIdOf(1) && span.parentSpanId === undefined
    ? { ...span, attributes: { ...span.attributes, 'vendor.page.origin': 'https://example.com' } }
    : span;

/** A channel of each state, and of a webhook deliveries of each result. Returns the webhook's id. */
async function addChannels(stack: Stack, owner: Person, projectId: string, siteId: string): Promise<string> {
  const add = async (body: object): Promise<string> =>
    (await newBrowser(stack, owner.cookie).json('POST', `/api/v1/projects/${projectId}/channels`, body)).data
      .id;
  const webhook = await add({
    ...{ kind: 'webhook', name: 'Incidents', url: 'https://hooks.example.com/vendor' },
    events: ['alert.firing', 'alert.over'],
  });
  const chat = await add({ kind: 'slack', name: 'Ops', url: 'https://hooks.slack.com/services/T0/B0/x' });
  const { sql } = stack;
  await sql`update message_channels set paused_at = now(), pause_reason = 'gone' where id = ${chat}`;
  await sql`update message_channels set failing_since = now() - interval '1 hour' where id = ${webhook}`;
  await newBrowser(stack, owner.cookie).json('POST', `/api/v1/sites/${siteId}/mail-reports`, {
    ...{ every: 'week', weekday: 1, recipients: [`${crypto.randomUUID()}@example.com`] },
  });
  const answers = [
    { status: 200, answer: 'ok', fault: null, state: 'sent', due: null },
    { status: 500, answer: '<h1>Error</h1>\n<p>out of memory</p>', fault: null, state: 'failed', due: null },
    { status: null, answer: '', fault: 'The connection was refused.', state: 'waiting', due: '1 hour' },
  ];
  for (const { status, answer, fault, state, due } of answers)
    await sql`
      with message as (
        insert into outbox (project_id, channel_id, event, payload, dedupe, decided_at, due_at, attempts, state)
        values (${projectId}, ${webhook}, 'alert.firing', '{}', gen_random_uuid()::text, now(), now() + ${due}::interval, 2, ${state})
        returning project_id, id, channel_id
      )
      insert into message_deliveries (project_id, outbox_id, channel_id, at, attempt, status, duration_ms, answer, fault)
      select project_id, id, channel_id, now(), 2, ${status}::smallint, 84, ${answer}, ${fault}::text from message`;
  return webhook;
}

export type Account = Awaited<ReturnType<typeof fillAccount>>;

/** The person's cookie and token, a site with visits of 9 days, and an environment with every signal. */
export async function fillAccount(stack: Stack) {
  const environment = await createWorld(stack);
  const { owner } = environment;
  const siteId = await createSite(stack.sql, environment.projectId);
  const messages = Array.from({ length: 9 }, (_, day) => visitsOf(day)).flat();
  await foldBatch(
    stack.sql,
    messages.map((message) => ({ ...message, siteId })),
    Date.now(),
  );
  const ask = (path: string, body: object) => askApi(stack, owner, 'POST', `/sites/${siteId}/${path}`, body);
  await ask('analytics/goals', { name: 'Bought', event: 'order' });
  const funnel = await ask('analytics/funnels', {
    name: 'To an order',
    steps: [{ page: '/' }, { event: 'order' }],
  });
  await ask('analytics/annotations', { date: ago(2 * DAY_MS).slice(0, 10), text: 'A new price' });

  for (let n = 1; n <= 9; n += 1) await environment.send(order(n, minutesAgo(3 * n)).map(markEntry));
  const [, , failed] = order(1, minutesAgo(3));
  const traceId = failed?.traceId ?? '';
  // A request of each evidence that a page can have: of a marked span, of another one, and without any.
  for (const [n, linkedTrace] of [traceId, traceIdOf(2), traceIdOf(700)].entries())
    await linkPage(stack.sql, {
      ...{ environmentId: environment.environmentId, siteId, traceId: linkedTrace },
      ...{ at: minutesAgo(3 * (n + 1)) + 500, pages: ['/', '/cart', '/checkout'] },
    });
  await environment.sendLogs([
    { traceId, ...(failed && { spanId: failed.spanId }), timeMs: minutesAgo(3), text: 'card declined' },
    { traceId, timeMs: minutesAgo(2), text: 'order given up' },
  ]);
  const sizes = { count: 3, sum: 60, min: 5, max: 40, explicitBounds: [10, 50], bucketCounts: [1, 2, 0] };
  await send(environment, 'shop', [histogram('order.size', [point(minute(3), sizes, { country: 'PT' })])]);
  await environment.tell(newOutcome({ value: { amount: '129.90', currency: 'EUR' }, traceId, siteId }));
  await environment.rollUp();
  const alertId = await addAlert(stack.sql, { projectId: environment.projectId, siteId });
  const channelId = await addChannels(stack, owner, environment.projectId, siteId);
  const errors = await environment.get<{ data: { id: string; example: { traceId: string } | null }[] }>(
    'errors',
  );
  return {
    errorId: errors.data.find(({ example }) => example?.traceId === traceId)?.id ?? '',
    ...{ owner, siteId, traceId, projectId: environment.projectId, environmentId: environment.environmentId },
    alertId,
    channelId,
    funnelId: funnel.body.data.id as string,
    spanId: failed?.spanId ?? '',
    share: (await addShare(stack.sql, siteId)).secret,
  };
}
