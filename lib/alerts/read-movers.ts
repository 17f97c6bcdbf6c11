/** What changed most while an alert began to fire: "Reddit +412". */
import type { Ports } from '../context.ts';
import type { ErrorKey } from '../telemetry/errors/error-grouping.ts';
import { titleOf } from '../telemetry/errors/error-title.ts';
import type { Rule } from './alert-subject.ts';
import { errorSeriesOf, sourceOf } from './read-windows.ts';

export interface Mover {
  dimension: string;
  value: string;
  change: number;
}

/** Shorter windows hold too little to say what changed. */
const SHORTEST_MINUTES = 10;

interface Fired {
  rule: Rule;
  key: number;
  zone: string;
  at: number;
}

/**
 * Up to three sources, countries and pages of visits, or operations, in the window of each rule against the same length of time before it;
 * or up to three groups of errors, each with how often it occurred. Null: nothing is known. Reads sums, for rules that fire in this minute alone.
 */
export async function readMovers({ sql }: Ports, fired: readonly Fired[]): Promise<(Mover[] | null)[]> {
  const asked = fired.map(({ rule, key, zone, at }, n) => ({
    n,
    key,
    zone,
    to: new Date(at).toISOString(),
    minutes: Math.max(SHORTEST_MINUTES, rule.forMinutes),
    weeks: 0,
    service: rule.subject.service,
    by_minute: rule.metric !== 'error_rate',
    ...(sourceOf(rule) === 'errors' && { series: errorSeriesOf(rule) }),
    source: sourceOf(rule),
  }));
  const sites = JSON.stringify(asked.filter(({ source }) => source === 'site'));
  const backends = JSON.stringify(asked.filter(({ source }) => source === 'spans'));
  const errors = JSON.stringify(asked.filter(({ source }) => source === 'errors'));
  if ([sites, backends, errors].every((none) => none === '[]')) return fired.map(() => null);
  const rows = await sql`
    select n, movers from site_movers(${sites}::jsonb) union all select n, movers from environment_movers(${backends}::jsonb)
    union all select n, movers from error_movers(${errors}::jsonb)`;
  const found = new Map(
    (rows as { n: number; movers: (Mover | FoundError)[] | null }[]).map(({ n, movers }) => [
      n,
      movers?.map(toMover) ?? null,
    ]),
  );
  return fired.map((_, n) => found.get(n) ?? null);
}

type FoundError = ErrorKey & { change: number };

const toMover = (found: Mover | FoundError): Mover =>
  'location' in found ? { dimension: 'error', value: titleOf(found), change: found.change } : found;
