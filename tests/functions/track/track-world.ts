import { createTrackApp } from '../../../functions/track/app.ts';
import type { TrackMessage } from '../../../lib/collection/track-message.ts';
import type { LogLine } from '../../../lib/http/log.ts';
import type { SitePolicy } from '../../../lib/privacy/policy.ts';

export const CHROME =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36';

export interface WorldOptions {
  redis?: { url: string; token: string };
  botExceptions?: string;
  networkExceptions?: string;
}

interface EdgeChoices {
  country?: string;
  /** All properties that the edge sets, instead of the country only. */
  cf?: Record<string, unknown>;
  address?: string;
}

/**
 * The track function with a test version of everything outside of it: `ingest` and a queue that collect messages, the sites, and a clock.
 */
export function makeWorld({ redis, botExceptions = '', networkExceptions = '' }: WorldOptions = {}) {
  const world = {
    now: Date.UTC(2026, 10, 21, 12, 34, 56, 789),
    /** The messages that were handed over, and by which way. */
    sent: [] as TrackMessage[],
    ways: [] as ('folded' | 'queued')[],
    queueIsAway: false,
    ingestIsAway: false,
    sites: new Map<string, SitePolicy>(),
    sitesAreAway: false,
    sitesAsked: 0,
    log: [] as LogLine[],
    addSite,
    request,
    track,
  };
  const app = createTrackApp({ now: () => world.now, log: (line) => world.log.push(line) });
  const env = {
    UPSTASH_REDIS_REST_URL: redis?.url ?? 'http://127.0.0.1:9',
    UPSTASH_REDIS_REST_TOKEN: redis?.token ?? 'none',
    ADDRESS_KEY: 'k'.repeat(32),
    BOT_EXCEPTIONS: botExceptions,
    NETWORK_EXCEPTIONS: networkExceptions,
    EVENTS: {
      sendBatch: async (messages: Iterable<{ body: TrackMessage }>) => {
        if (world.queueIsAway) throw new Error('the queue is away');
        for (const { body } of messages) take('queued', JSON.stringify(body));
      },
    },
    INGEST: {
      fetch: async (_url: string, { body }: RequestInit) => {
        if (world.ingestIsAway) return new Response(null, { status: 503 });
        for (const message of JSON.parse(String(body))) take('folded', JSON.stringify(message));
        return new Response(null, { status: 204 });
      },
    },
    SITES: {
      fetch: async (url: string) => {
        world.sitesAsked += 1;
        if (world.sitesAreAway) return new Response('away', { status: 503 });
        const site = world.sites.get(new URL(url).pathname.slice(1));
        return site === undefined ? new Response(null, { status: 404 }) : Response.json(site);
      },
    },
  };

  function take(way: 'folded' | 'queued', message: string): void {
    world.ways.push(way);
    world.sent.push(JSON.parse(message));
  }

  function addSite(privacy: SitePolicy['privacy'] = null, domain = 'example.com'): string {
    const siteId = crypto.randomUUID();
    world.sites.set(siteId, { siteId, domain, domains: [], privacy });
    return siteId;
  }

  async function request(path: string, init: RequestInit & EdgeChoices = {}) {
    const { country, cf = { country }, address = '192.0.2.7', ...rest } = init;
    const headers = new Headers({ 'User-Agent': CHROME, 'CF-Connecting-IP': address });
    for (const [name, value] of new Headers(init.headers)) headers.set(name, value);
    const made = new Request(`https://vendor.example${path}`, { ...rest, headers });
    Object.assign(made, { cf });
    return app.fetch(made, env);
  }

  async function track(body: unknown, init: Parameters<typeof request>[1] = {}) {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    const headers = {
      'Content-Type': 'text/plain;charset=UTF-8',
      ...(init.headers as Record<string, string>),
    };
    return request('/api/v1/track', { method: 'POST', body: text, ...init, headers });
  }
  return world;
}

export type World = ReturnType<typeof makeWorld>;

/** A page view as the tracker sends it. */
export const pageview = (changes: Record<string, unknown> = {}) => ({
  id: crypto.randomUUID() as string,
  type: 'pageview',
  pageId: crypto.randomUUID() as string,
  url: 'https://example.com/shop?utm_source=newsletter&secret=1',
  referrer: 'https://www.google.com/',
  ...changes,
});
