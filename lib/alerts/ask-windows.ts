/** Reads the sums of many windows by one statement (schema/functions/alert-sums.sql). */
import type { Ports } from '../context.ts';
import { DomainError } from '../errors.ts';
import { readMetric } from '../telemetry/metrics/read-metric.ts';
import type { Reading } from './alert-condition.ts';
import type { Rule } from './alert-subject.ts';
import {
  type RuleAt,
  readingOf,
  sourceOf,
  type WindowAsked,
  type WindowSource,
  type WindowSum,
  windowsOf,
} from './read-windows.ts';

type Answers = Record<WindowSource, ({ n: number } & Record<string, unknown>)[]>;

const SOURCES: readonly WindowSource[] = ['site', 'spans', 'outcomes', 'logs', 'received', 'errors'];

/** A rule at a minute, and where the metric of a catalogue is asked. */
export interface RuleAsked extends RuleAt {
  environment: { projectId: string; environmentId: string } | null;
}

/**
 * What the sums say about rules at minutes, in their order. One statement for all of them, whose cost grows with the windows and the hours
 * in them; a metric of the catalogue is a statement of its own.
 */
export async function readRules(ports: Ports, asked: readonly RuleAsked[]): Promise<Reading[]> {
  const windows = asked.map(windowsOf);
  const numbered = windows.flat().map((window, n) => ({ ...window, n }));
  const starts = startsOf(windows);
  const sources = asked.flatMap(({ rule }, n) => (windows[n] ?? []).map(() => sourceOf(rule)));
  const bySource = (source: WindowSource) =>
    JSON.stringify(numbered.filter(({ n }) => sources[n] === source));
  const sums = numbered.length === 0 ? [] : await ask(ports, bySource, numbered.length);
  const readings: Reading[] = [];
  for (const [n, one] of asked.entries()) {
    const start = starts[n] ?? 0;
    readings.push(
      sourceOf(one.rule) === 'metric'
        ? await readCatalogueMetric(ports, one)
        : readingOf(one, sums.slice(start, start + (windows[n]?.length ?? 0))),
    );
  }
  return readings;
}

function startsOf(windows: readonly (readonly WindowAsked[])[]): number[] {
  let start = 0;
  return windows.map(({ length }) => {
    start += length;
    return start - length;
  });
}

async function ask(
  { sql }: Ports,
  bySource: (source: WindowSource) => string,
  count: number,
): Promise<WindowSum[]> {
  const [site, spans, outcomes, logs, received, errors] = SOURCES.map(bySource);
  const rows = await sql`
    select
      (select jsonb_agg(to_jsonb(sum)) from sum_site_minutes(${site}::jsonb) sum where ${site !== '[]'}::boolean) as site,
      (select jsonb_agg(to_jsonb(sum)) from sum_environment_minutes(${spans}::jsonb) sum where ${spans !== '[]'}::boolean) as spans,
      (select jsonb_agg(to_jsonb(sum)) from count_window_outcomes(${outcomes}::jsonb) sum where ${outcomes !== '[]'}::boolean) as outcomes,
      (select jsonb_agg(to_jsonb(sum)) from count_window_logs(${logs}::jsonb) sum where ${logs !== '[]'}::boolean) as logs,
      (select jsonb_agg(to_jsonb(sum)) from last_received_in(${received}::jsonb) sum where ${received !== '[]'}::boolean) as received,
      (select jsonb_agg(to_jsonb(sum)) from count_window_errors(${errors}::jsonb) sum where ${errors !== '[]'}::boolean) as errors`;
  const [answers] = rows as Partial<Answers>[];
  const sums = new Array<WindowSum>(count);
  for (const source of SOURCES) for (const row of answers?.[source] ?? []) sums[row.n] = toSum(row);
  return sums;
}

const toSum = (row: Record<string, unknown>): WindowSum => ({
  total: Number(row.total ?? row.entries ?? 0),
  low: row.low === undefined ? null : (row.low as number | null),
  high: row.high === undefined ? null : (row.high as number | null),
  isCovered: row.is_covered === true,
  errors: Number(row.errors ?? 0),
  buckets: (row.buckets ?? null) as WindowSum['buckets'],
  isAlive: row.is_alive === true,
  lastAt: typeof row.at === 'string' ? Date.parse(row.at) : null,
});

const MINUTE_MS = 60_000;

/**
 * A metric of the catalogue, by its values of the minutes: added up, or their mean, least or most. A question that the metric refuses is one
 * without an answer: it ends no other rule's round.
 */
async function readCatalogueMetric(ports: Ports, { rule, at, environment }: RuleAsked): Promise<Reading> {
  const { metricName: name, aggregation = 'avg', service } = rule.subject;
  if (environment === null || name === undefined) return { value: null, reason: 'never_received' };
  const answer = await readMetric(
    { ...ports, actor: { kind: 'operator' } },
    {
      ...environment,
      name,
      aggregation,
      service,
      groupBy: [],
      attributes: {},
      resource: {},
      interval: '1m',
      from: new Date(at - rule.forMinutes * MINUTE_MS).toISOString(),
      to: new Date(at).toISOString(),
    },
  ).catch((error: unknown) => {
    if (error instanceof DomainError && error.code === 'VALIDATION_ERROR') return undefined;
    throw error;
  });
  if (answer === undefined) return { value: null, reason: 'nothing_to_divide' };
  const { data } = answer;
  const values = data.groups.flatMap((group) => group.values.flatMap(({ value }) => value ?? []));
  const value = combine(values, aggregation);
  return {
    value,
    reason: value === null ? (data.type === null ? 'never_received' : 'nothing_to_divide') : null,
  };
}

function combine(
  values: readonly number[],
  aggregation: NonNullable<Rule['subject']['aggregation']>,
): number | null {
  if (values.length === 0) return null;
  const total = values.reduce((sum, value) => sum + value, 0);
  switch (aggregation) {
    case 'sum':
      return total;
    case 'min':
      return Math.min(...values);
    case 'max':
      return Math.max(...values);
    case 'avg':
    case 'rate':
      return total / values.length;
  }
}
