/** Page views for a running `npm start`, and whether each that it accepted is counted once. */
import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { expect } from 'vitest';
import type { HostFolder } from './running-host.ts';

const SENDERS = 8;
/** Longer than any request of the service may take. */
const PATIENCE_MS = 30_000;
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';

/** The id of a new site of a project of its own. */
export async function makeSite({ query }: HostFolder): Promise<string> {
  const [project] = await query<{ id: string }>(`insert into projects (name) values ('host') returning id`);
  const [site] = await query<{ id: string }>(
    `insert into sites (project_id, domain, name) values ($1, 'example.com', 'host') returning id`,
    [project?.id],
  );
  return site?.id ?? '';
}

/** Page views from many visitors until `stop`, whatever becomes of them. */
export function sendPageViews(origin: string, siteId: string) {
  const accepted = new Set<string>();
  const others: Record<string, number> = {};
  let isOver = false;
  let visitors = 0;
  const send = async (): Promise<void> => {
    const id = randomUUID();
    visitors += 1;
    const address = `198.18.${(visitors >> 8) & 255}.${visitors & 255}`;
    const url = `https://example.com/${visitors}`;
    const response = await fetch(`${origin}/api/v1/track`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'User-Agent': FIREFOX, 'X-Forwarded-For': address },
      body: JSON.stringify({ site: siteId, events: [{ id, type: 'pageview', pageId: randomUUID(), url }] }),
      signal: AbortSignal.timeout(PATIENCE_MS),
    }).catch((error: Error) => (error.name === 'TimeoutError' ? 'hangs' : 'broken'));
    if (typeof response === 'object') await response.body?.cancel();
    const outcome = typeof response === 'object' ? response.status : response;
    if (outcome === 202) accepted.add(id);
    else {
      others[outcome] = (others[outcome] ?? 0) + 1;
      await wait(20);
    }
  };
  const senders = Array.from({ length: SENDERS }, async () => {
    while (!isOver) await send();
  });
  return {
    accepted,
    others,
    stop: async () => {
      isOver = true;
      await Promise.all(senders);
      // A connection that broke is sent again by its client. One that hangs is not.
      expect(others.hangs).toBeUndefined();
    },
  };
}

/** Waits until all accepted page views are stored, and checks that nothing counts twice. */
export async function expectCounted(
  { query }: HostFolder,
  siteId: string,
  accepted: ReadonlySet<string>,
): Promise<void> {
  const stored = async (): Promise<string[]> =>
    (
      await query<{ id: string }>(
        'select e.event_id as id from events e join sites s on s.key = e.site_key where s.id = $1',
        [siteId],
      )
    ).map(({ id }) => id);
  const missing = async (): Promise<number> => {
    const ids = new Set(await stored());
    return [...accepted].filter((id) => !ids.has(id)).length;
  };
  await expect.poll(missing, { timeout: 60_000, interval: 200 }).toBe(0);
  const ids = await stored();
  expect(new Set(ids).size).toBe(ids.length);
  const [sum] = await query<{ pageviews: number }>(
    'select sum(r.pageviews)::int as pageviews from rollup_hours r join sites s on s.key = r.site_key where s.id = $1',
    [siteId],
  );
  expect(sum?.pageviews).toBe(ids.length);
  expect(accepted.size).toBeGreaterThan(20);
}

/** Resolves when so much more is accepted. */
export const accept = async (views: { accepted: ReadonlySet<string> }, more: number): Promise<void> => {
  const before = views.accepted.size;
  await expect
    .poll(() => views.accepted.size, { timeout: 60_000, interval: 20 })
    .toBeGreaterThan(before + more);
};
