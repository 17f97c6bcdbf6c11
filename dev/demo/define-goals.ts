import { createAnnotation, listAnnotations } from '../../lib/annotations/annotations.ts';
import type { ControlActor } from '../../lib/context.ts';
import { createFunnel, listFunnels } from '../../lib/goals/funnel-definitions.ts';
import { createGoal, listGoals } from '../../lib/goals/goal-definitions.ts';
import type { CreateFunnel, CreateGoal } from '../../lib/goals/schemas.ts';
import type { OneEnvironment } from '../../lib/projects/schemas.ts';
import { createShare, listShares, type ShareContext } from '../../lib/shares/shares.ts';
import { getOrigins, setOrigin } from '../../lib/telemetry/origins.ts';
import { BURST_DAY_OF_MONTH } from './generate-traffic.ts';
import { API_ORIGIN } from './telemetry/shop-requests.ts';

const DAY_MS = 86_400_000;

const GOALS: readonly Omit<CreateGoal, 'siteId'>[] = [
  { name: 'Bought', event: 'purchase' },
  { name: 'Put into the basket', event: 'Add to basket' },
  { name: 'Read the journal', page: '/demo/journal/*' },
];
const FUNNELS: readonly Omit<CreateFunnel, 'siteId'>[] = [
  {
    name: 'From a look to a purchase',
    steps: [
      { page: '/demo/**' },
      { event: 'Add to basket' },
      { page: '/demo/checkout' },
      { event: 'purchase' },
    ],
  },
  {
    name: 'From the journal to the strings',
    steps: [{ page: '/demo/journal/*' }, { page: '/demo/strings' }],
  },
];
const SHARE = 'For everybody';

/** What the audit log names for what the demo defines. */
export const demoCall = { requestId: 'demo', tool: 'npm run demo', inputHash: null };

/**
 * Creates what a member would create by hand: the origin of the shop's backend, goals, funnels, annotations of the last `days`, and a
 * share. Existing ones are kept. Returns the share's link if the share is new.
 */
export async function defineDemo(
  ctx: ShareContext & { actor: ControlActor },
  { siteId, days, ...environment }: OneEnvironment & { siteId: string; days: number },
): Promise<{ shareUrl: string | undefined }> {
  const { origins } = await getOrigins(ctx, environment);
  if (!origins.some(({ origin }) => origin === API_ORIGIN))
    await setOrigin(ctx, { ...environment, origin: API_ORIGIN, siteIds: [siteId], remove: false });
  const goals = (await listGoals(ctx, { siteId })).map(({ name }) => name);
  for (const goal of GOALS) if (!goals.includes(goal.name)) await createGoal(ctx, { siteId, ...goal });
  const funnels = (await listFunnels(ctx, { siteId })).map(({ name }) => name);
  for (const funnel of FUNNELS)
    if (!funnels.includes(funnel.name)) await createFunnel(ctx, { siteId, ...funnel });
  await annotate(ctx, siteId, days);
  if ((await listShares(ctx, { siteId })).some(({ name }) => name === SHARE)) return { shareUrl: undefined };
  const { url } = await createShare(ctx, { siteId, name: SHARE });
  return { shareUrl: url };
}

/** The first day gets its annotation only once, however often the site is filled. */
async function annotate(ctx: ShareContext, siteId: string, days: number): Promise<void> {
  const dates = Array.from({ length: days }, (_, ago) => new Date(ctx.now() - ago * DAY_MS));
  const known = (await listAnnotations(ctx, { siteId, range: { period: '90d' } })).map(({ text }) => text);
  const notes = [
    { date: dates.at(-1), text: 'The shop opens' },
    { date: dates.find((date) => date.getUTCDate() === BURST_DAY_OF_MONTH), text: 'A post goes round' },
  ];
  for (const { date, text } of notes) {
    if (date === undefined || known.includes(text)) continue;
    await createAnnotation(ctx, { siteId, date: date.toISOString().slice(0, 10), text });
  }
}
