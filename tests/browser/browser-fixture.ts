/**
 * A web server for one test: the test's pages, the built tracker, and endpoints that answer as the test says and record requests. The
 * service's own schema checks the bodies, so the endpoints refuse what the service refuses.
 */
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, beforeAll } from 'vitest';
import { readTrackRequest } from '../../functions/track/read-track-request.ts';
import type { TrackEvent, TrackRequest } from '../../lib/collection/track-request.ts';
import type { TierAnswer } from '../../lib/privacy/tier.ts';
import { bundleTracker, FILES, SERVED_AS, type TrackerFile } from '../../packages/tracker/bundle-tracker.ts';

export const SITE_ID = '0191d7a0-0000-7000-8000-000000000001';

/** What the service says of a site that there isn't. */
export const UNKNOWN = 'Vendor: no site is called so.';

export interface Seen {
  method: string;
  url: URL;
  headers: IncomingHttpHeaders;
  body: string;
}

export interface Fixture {
  origin: string;
  /** HTML by path. */
  pages: Record<string, string>;
  /** Answers what is none of the tracker's, before the pages do: true if it did. */
  answer: (seen: Seen, response: ServerResponse) => boolean;
  /** The policy answer for the consent in the request. Both endpoints use it. */
  policy: (consent: string | null | undefined) => TierAnswer | Promise<TierAnswer>;
  /** Makes an endpoint fail: with the returned status, or by cutting the connection. */
  fail: (seen: Seen) => number | 'cut' | undefined;
  /** Holds the answer for a part of the tracker until the promise is settled. If the result is true, the request fails. */
  withhold: (part: string) => boolean | Promise<boolean>;
  seen: Seen[];
  /** The requested parts, oldest first. */
  parts: () => string[];
  /** The requests to an endpoint, oldest first. */
  calls: (endpoint: 'policy' | 'track') => Seen[];
  /** The accepted bodies, oldest first. */
  bodies: () => TrackRequest[];
  /** The events of one type in these bodies. As in the service, an id that came twice counts once. */
  events: <T extends TrackEvent['type']>(type: T) => Extract<TrackEvent, { type: T }>[];
  close: () => Promise<void>;
}

async function startFixture(scripts: Map<TrackerFile, string>): Promise<Fixture> {
  const bodies: TrackRequest[] = [];
  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => response.destroy(error as Error));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const fixture: Fixture = {
    origin: `http://localhost:${(server.address() as AddressInfo).port}`,
    pages: {},
    answer: () => false,
    policy: () => ({ maxTier: 3 }),
    fail: () => undefined,
    withhold: () => false,
    seen: [],
    parts: () =>
      fixture.seen
        .flatMap(({ url }) => partOf(url) ?? [])
        .filter((part) => part !== 'core' && part !== 'whole' && part !== 'compat'),
    calls: (endpoint) => fixture.seen.filter(({ url }) => url.pathname === `/api/v1/${endpoint}`),
    bodies: () => bodies,
    events: <T extends TrackEvent['type']>(type: T) =>
      bodies
        .flatMap(({ events }) => events)
        .filter((event): event is Extract<TrackEvent, { type: T }> => event.type === type)
        .filter(({ id }, index, all) => all.findIndex((event) => event.id === id) === index),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url = '', headers } = request;
    const seen: Seen = { method, url: new URL(url, fixture.origin), headers, body: await text(request) };
    fixture.seen.push(seen);
    const { pathname } = seen.url;
    const part = partOf(seen.url);
    if (part !== undefined) await answerScript(part, response);
    else if (pathname.startsWith('/api/')) await answerApi(seen, response);
    else if (!fixture.answer(seen, response))
      reply(response, pathname in fixture.pages ? 200 : 404, fixture.pages[pathname] ?? '', 'text/html');
  }

  async function answerScript(part: TrackerFile, response: ServerResponse): Promise<void> {
    if (await fixture.withhold(part)) return void response.writeHead(403).end();
    response.setHeader('Cache-Control', 'max-age=60');
    reply(response, 200, scripts.get(part) ?? '', 'text/javascript');
  }

  async function answerApi(seen: Seen, response: ServerResponse): Promise<void> {
    const failure = fixture.fail(seen);
    if (failure === 'cut') return void response.destroy();
    if (failure !== undefined)
      return json(response, failure, {
        error: 'SCRIPTED',
        message: 'As the test says.',
        // As the service answers where no site has the name (tests/functions/track/policy.test.ts).
        ...(failure === 404 && { warnings: [UNKNOWN] }),
      });
    if (seen.url.pathname === '/api/v1/policy')
      return json(response, 200, await fixture.policy(seen.url.searchParams.get('consent')));
    const reading = read(seen.body);
    if (reading === undefined)
      return json(response, 400, { error: 'VALIDATION_ERROR', message: 'Not a request.' });
    const { request, invalid, warnings } = reading;
    const policy = await fixture.policy(request.consent);
    if (policy.stop === 'gpc') return void response.writeHead(204, CORS).end();
    bodies.push(request);
    const data = { accepted: request.events.length, dropped: invalid.length };
    json(response, 202, { data, policy, ...(warnings.length > 0 && { warnings }) });
  }
  return fixture;
}

/** The request as the service reads it; undefined where it answers 400. */
function read(body: string): ReturnType<typeof readTrackRequest> | undefined {
  try {
    return readTrackRequest(JSON.parse(body));
  } catch {
    return undefined;
  }
}

/** The tracker's file at an address, in any folder. */
const partOf = ({ pathname }: URL): TrackerFile | undefined =>
  FILES.find((file) => pathname.endsWith(`/${SERVED_AS[file]}`));

const CORS = { 'Access-Control-Allow-Origin': '*' };

function reply(response: ServerResponse, status: number, body: string, type: string): void {
  response.writeHead(status, { 'Content-Type': `${type}; charset=utf-8`, ...CORS }).end(body);
}

const json = (response: ServerResponse, status: number, value: unknown): void =>
  reply(response, status, JSON.stringify(value), 'application/json');

/** The tracker's files, built once for all tests of a worker. */
let built: Promise<Map<TrackerFile, string>> | undefined;

function buildScripts(): Promise<Map<TrackerFile, string>> {
  built ??= Promise.all(FILES.map(async (file) => [file, (await bundleTracker(file)).source] as const)).then(
    (scripts) => new Map(scripts),
  );
  return built;
}

/** Call the result to start a fixture. It is closed after the test. */
export function useFixtures(): () => Promise<Fixture> {
  const open: Fixture[] = [];
  beforeAll(async () => {
    await buildScripts();
  });
  afterEach(async () => {
    await Promise.all(open.splice(0).map((fixture) => fixture.close()));
  });
  return async () => {
    const fixture = await startFixture(await buildScripts());
    open.push(fixture);
    return fixture;
  };
}
