/** Where each view is, and when all of it is drawn. */
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import type { Account } from './filled-account.ts';

/** The addresses of each view, by its folder in `web/app/views`. */
export function addressesOf(account: Account): Record<string, readonly string[]> {
  const site = `/sites/${account.siteId}`;
  const backend = `/projects/${account.projectId}/${account.environmentId}`;
  return {
    account: ['/settings/account'],
    alerts: [
      `${site}/alerts`,
      `${site}/alerts?alert=new:visitsFell`,
      `${site}/alerts?alert=${account.alertId}`,
      `${backend}/alerts`,
      `${backend}/alerts?alert=new`,
    ],
    audit: ['/settings/audit'],
    channels: [
      `/projects/${account.projectId}/channels`,
      `/projects/${account.projectId}/channels?channel=${account.channelId}`,
    ],
    connection: [`${backend}/connection`],
    errors: [`${backend}/errors?period=24h`, `${backend}/errors?error=${account.errorId}`],
    events: [`${site}/events`],
    funnels: [`${site}/funnels?funnel=${account.funnelId}`],
    goals: [`${site}/goals`],
    heatmap: [`${site}/heatmap`],
    install: [`${site}/install`],
    journeys: [`${site}/journeys`],
    keys: ['/settings/keys'],
    live: [`${site}/live`],
    logs: [`${backend}/logs`],
    members: ['/settings/members'],
    metrics: [`${backend}/metrics`, `${backend}/metrics?name=order.size&aggregation=p95`],
    'new-site': ['/sites/new'],
    'not-found': ['/nowhere'],
    outcomes: [`${backend}/outcomes?period=30d`],
    'own-projects': ['/settings/projects'],
    projects: ['/projects'],
    retention: [`${site}/retention`],
    services: [
      `${backend}/services`,
      `${backend}/services?service=shop`,
      `${backend}/services?service=shop&latencies=time`,
    ],
    settings: [`${site}/settings`],
    share: ['', '?view=heatmap', '?view=journeys', '?view=retention', '?view=funnels'].map(
      (view) => `/share/${account.share}${view}`,
    ),
    site: [
      site,
      `${site}?filter_country=PT&filter_page=!/none`,
      `${site}?filter_page=/checkout`,
      `${site}?by=channel&places=map`,
      `${site}?metric=bounceRate&compare=previous`,
    ],
    sites: ['/sites'],
    trace: [`${backend}/traces/${account.traceId}?span=${account.spanId}`],
    traces: [`${backend}/traces`],
  };
}

/** Call the result to wait until nothing is asked for any more and all of it is drawn. */
export function watchRequests(page: Page): () => Promise<void> {
  const open = new Set<import('playwright-core').Request>();
  page.on('request', (request) => open.add(request));
  page.on('requestfinished', (request) => open.delete(request));
  page.on('requestfailed', (request) => open.delete(request));
  const drawn = () =>
    page.evaluate(
      () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
    );
  return async () => {
    await page.locator('h1').waitFor();
    // An answer that came may lead to further requests once it is drawn.
    for (let quiet = 0; quiet < 2; quiet += open.size === 0 ? 1 : -quiet) {
      await expect.poll(() => [...open].map((request) => request.url()), { interval: 5 }).toEqual([]);
      await drawn();
    }
  };
}
