/** A page view and a span that are sent as browsers and backends send them can be read in reports. */
import { setTimeout } from 'node:timers/promises';
import { type Check, type Finding, type Patient, withoutDatabase } from '../check.ts';
import { makeProbe, type Probe } from '../probe.ts';

const PAUSE_MS = 500;
const REQUEST_MS = 15_000;
/** What a person's browser sends. */
const BROWSER =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36';

/** What the answer of a query of telemetry says about the environment, before the minute's sums are there. */
interface Answered {
  meta?: { freshness?: { lastReceivedAt?: string | null } };
}

type Send = (path: string, init?: RequestInit) => Promise<{ status: number; body: unknown }>;

export const arrivals: Check = {
  title: 'A page view and a span',
  async run(patient) {
    const { sql } = patient;
    if (sql === undefined) return withoutDatabase(patient);
    // Their answers would only repeat it.
    if (patient.redisFault !== undefined) return { findings: [], notChecked: 'Redis can’t be reached' };
    let probe: Probe;
    try {
      probe = await makeProbe({ sql });
    } catch (error) {
      return {
        findings: [
          {
            fault: `No project could be made to try it (${(error as Error).message}).`,
            mend: 'npm run db:apply',
          },
        ],
      };
    }
    try {
      const send = sender(patient);
      const found = await Promise.all([
        tryPageView(send, probe, patient.patienceMs),
        trySpan(send, probe, patient),
      ]);
      return { findings: found.flat(), well: 'both arrived, and are deleted again' };
    } finally {
      await probe.remove();
    }
  },
};

const sender =
  ({ fetch, url }: Patient): Send =>
  async (path, init = {}) => {
    try {
      const response = await fetch(url + path, { ...init, signal: AbortSignal.timeout(REQUEST_MS) });
      const text = await response.text();
      return { status: response.status, body: text === '' ? undefined : JSON.parse(text) };
    } catch (error) {
      return { status: 0, body: String((error as Error).message) };
    }
  };

const json = (token: string | undefined, body: unknown): RequestInit => ({
  method: 'POST',
  headers: {
    'Content-Type': 'application/json',
    'User-Agent': BROWSER,
    'Accept-Language': 'en-GB,en;q=0.9',
    'Sec-Fetch-Mode': 'cors',
    ...(token !== undefined && { Authorization: `Bearer ${token}` }),
  },
  body: JSON.stringify(body),
});

async function tryPageView(
  send: Send,
  { siteId, apiToken, domain }: Probe,
  patienceMs: number,
): Promise<Finding[]> {
  const id = crypto.randomUUID();
  const view = {
    id,
    type: 'pageview',
    pageId: crypto.randomUUID(),
    url: `https://${domain}/doctor`,
    referrer: '',
  };
  const sent = await send(
    '/api/v1/track',
    json(undefined, { site: siteId, consent: 'granted', events: [view] }),
  );
  if (sent.status !== 202)
    return [
      {
        fault: `A page view is answered ${sent.status || 'by nothing'}, and not 202.`,
        mend: 'npx wrangler tail vendor-track, and run this again: the log says why',
      },
    ];
  const dropped = JSON.stringify((sent.body as { data?: unknown } | undefined)?.data ?? {});
  const arrived = await until(patienceMs, async () => {
    const { body } = await send(`/api/v1/sites/${siteId}/analytics/overview?period=24h`, {
      headers: { Authorization: `Bearer ${apiToken}` },
    });
    return ((body as { data?: { pageviews?: number } } | undefined)?.data?.pageviews ?? 0) > 0;
  });
  if (arrived) return [];
  return [
    {
      fault: `A page view was accepted (${dropped}) and is in no report after ${patienceMs / 1000} s.`,
      mend:
        'npm run dead-letters -- list, and npx wrangler tail vendor-ingest. From a rented server views count as a robot’s: run this on a desk, ' +
        'or see NETWORK_EXCEPTIONS (docs/configuration.md)',
    },
  ];
}

async function trySpan(
  send: Send,
  { projectId, environmentId, ingestKey, apiToken }: Probe,
  { now, patienceMs }: Patient,
): Promise<Finding[]> {
  const sentAt = now();
  const traceId = crypto.randomUUID().replaceAll('-', '');
  const at = (ms: number): string => `${BigInt(sentAt - ms) * 1_000_000n}`;
  const span = {
    ...{ traceId, spanId: traceId.slice(0, 16), name: 'npm run doctor', kind: 2 },
    ...{ startTimeUnixNano: at(1500), endTimeUnixNano: at(1000) },
  };
  const sent = await send(
    '/v1/traces',
    json(ingestKey, {
      resourceSpans: [
        {
          resource: { attributes: [{ key: 'service.name', value: { stringValue: 'doctor' } }] },
          scopeSpans: [{ scope: { name: 'doctor' }, spans: [span] }],
        },
      ],
    }),
  );
  if (sent.status !== 200)
    return [
      {
        fault: `A span is answered ${sent.status || 'by nothing'}, and not 200.`,
        mend: 'npx wrangler tail vendor-receiver, and run this again: the log says why',
      },
    ];
  const path = `/api/v1/telemetry/projects/${projectId}/environments/${environmentId}/latency-histogram?service=doctor`;
  const arrived = await until(patienceMs, async () => {
    const { body } = await send(path, { headers: { Authorization: `Bearer ${apiToken}` } });
    const received = (body as Answered | undefined)?.meta?.freshness?.lastReceivedAt;
    return typeof received === 'string';
  });
  return arrived
    ? []
    : [
        {
          fault: `A span was accepted and can't be read after ${patienceMs / 1000} s.`,
          mend: 'npx wrangler tail vendor-receiver and vendor-telemetry, and run this again',
        },
      ];
}

async function until(patienceMs: number, check: () => Promise<boolean>): Promise<boolean> {
  const end = performance.now() + patienceMs;
  for (;;) {
    if (await check()) return true;
    if (performance.now() > end) return false;
    await setTimeout(PAUSE_MS);
  }
}
