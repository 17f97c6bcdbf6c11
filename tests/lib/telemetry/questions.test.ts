/** Queries of telemetry in a URL: the text becomes the typed input of a verb, or an error that names the broken rule. */
import { describe, expect, test } from 'vitest';
import { DomainError } from '../../../lib/errors.ts';
import { check } from '../../../lib/http/issues.ts';
import { type InputSchema, parameterPath, readParameters } from '../../../lib/http/url-input.ts';
import { asJsonSchema } from '../../../lib/json-schema.ts';
import { ListOutcomes } from '../../../lib/outcomes/schemas.ts';
import { FindLogs } from '../../../lib/telemetry/log-schemas.ts';
import { ListMetrics, ReadMetric } from '../../../lib/telemetry/metrics/metric-schemas.ts';
import { ListServices, MapServices, SummarizeService } from '../../../lib/telemetry/span-schemas.ts';
import { FindTraces, OneTrace } from '../../../lib/telemetry/trace-schemas.ts';

const PLACE = {
  projectId: '1b9e4f70-3c2d-4e5f-8a6b-9c0d1e2f3a4b',
  environmentId: '3f6b2d90-7c14-4e8a-b5d1-60a9c8e7f214',
};

const read = (schema: InputSchema, query: string) =>
  check(schema, { ...readParameters(schema, new URLSearchParams(query)), ...PLACE }, parameterPath);

function detailsOf(schema: InputSchema, query: string) {
  try {
    return read(schema, query);
  } catch (error) {
    if (error instanceof DomainError) return error.details;
    throw error;
  }
}

describe('what a URL asks', () => {
  test.each<[string, InputSchema, string, object]>([
    ['the least', FindTraces, '', { limit: 10, attributes: {}, resource: {} }],
    [
      'numbers',
      FindTraces,
      'minDurationMs=20.5&maxDurationMs=86400000&limit=100',
      { minDurationMs: 20.5, maxDurationMs: 86_400_000, limit: 100, attributes: {}, resource: {} },
    ],
    [
      'attributes',
      FindTraces,
      'attr.http.route=/a&attr.n=5&resource.service.name=shop',
      { limit: 10, attributes: { 'http.route': '/a', n: '5' }, resource: { 'service.name': 'shop' } },
    ],
    [
      'a severity by name',
      FindLogs,
      'severity=warn',
      { severity: 13, limit: 10, attributes: {}, resource: {} },
    ],
    [
      'a severity by number',
      FindLogs,
      'severity=24',
      { severity: 24, limit: 10, attributes: {}, resource: {} },
    ],
    [
      'a trace’s id in capitals',
      FindLogs,
      `traceId=${'AB'.repeat(16)}`,
      { traceId: 'ab'.repeat(16), limit: 10, attributes: {}, resource: {} },
    ],
    [
      'keys of groups',
      ReadMetric,
      'name=a&aggregation=p95&groupBy=http.route,service',
      { name: 'a', aggregation: 'p95', groupBy: ['http.route', 'service'], attributes: {}, resource: {} },
    ],
    ['no groups', ReadMetric, 'name=a&aggregation=avg', { name: 'a', aggregation: 'avg', groupBy: [] }],
  ])('%s', (_, schema, query, expected) => {
    expect(read(schema, query)).toMatchObject({ ...PLACE, ...expected });
  });

  const either = { path: '', message: 'must have either `period`, or both `from` and `to`' };
  const many = { path: '', message: 'must ask for at most 8 attributes' };
  const unknown = (path: string) => ({ path, message: 'is not a known field' });
  const groups = 'must be at most 3 different attribute keys';
  const metric = 'name=a&aggregation=avg&';
  const nine = Array.from({ length: 9 }, (_, n) => `${n % 2 === 0 ? 'attr' : 'resource'}.k${n}=1`);

  test.each<[query: string, schema: InputSchema, detail: { path: string; message: string }]>([
    ['period=1h&from=2026-11-20T09:00:00Z&to=2026-11-21T09:00:00Z', ListServices, either],
    ['from=2026-11-20T09:00:00Z', MapServices, either],
    [nine.join('&'), FindTraces, many],
    [nine.join('&'), FindLogs, many],
    [metric + nine.join('&'), ReadMetric, many],
    ['attr.=1', FindTraces, unknown('attr.')],
    ['attr=1', FindTraces, unknown('attr')],
    ['attributes=1', FindTraces, unknown('attributes')],
    ['attrs.a=1', FindTraces, unknown('attrs.a')],
    ['attr.constructor=1', FindTraces, unknown('attr.constructor')],
    ['resource.__proto__=1', FindTraces, unknown('resource.__proto__')],
    ['__proto__=1', FindTraces, unknown('__proto__')],
    [`attr.${'k'.repeat(257)}=1`, FindTraces, unknown('*')],
    ['attr.a%07b=1', FindTraces, unknown('*')],
    ['attr.a=', FindTraces, { path: 'attr.a', message: 'must not be empty' }],
    ['attr.a=1', ListOutcomes, unknown('attr.a')],
    ['minDurationMs=-1', FindTraces, { path: 'minDurationMs', message: 'must be a number of milliseconds' }],
    ['maxDurationMs=86400001', FindTraces, { path: 'maxDurationMs', message: 'must be at most 86400000' }],
    ['limit=1.5', FindTraces, { path: 'limit', message: 'must be a whole number from 1 to 100' }],
    [
      'severity=25',
      FindLogs,
      {
        path: 'severity',
        message: 'must be one of trace, debug, info, warn, error, fatal, or a whole number from 1 to 24',
      },
    ],
    [
      'severity=constructor',
      FindLogs,
      { path: 'severity', message: expect.stringContaining('one of trace') },
    ],
    ['traceId=1', FindLogs, { path: 'traceId', message: 'must be 32 hexadecimal digits' }],
    [`${metric}groupBy=a,b,c,d`, ReadMetric, { path: 'groupBy', message: groups }],
    [`${metric}groupBy=a,a`, ReadMetric, { path: 'groupBy', message: groups }],
    [`${metric}groupBy=a,`, ReadMetric, { path: 'groupBy.1', message: groups }],
  ])('%s is refused', (query, schema, detail) => {
    expect(detailsOf(schema, query)).toEqual([detail]);
  });
});

test.each(
  Object.entries({
    ...{ FindTraces, OneTrace, FindLogs, ListMetrics, ReadMetric },
    ...{ ListServices, MapServices, SummarizeService, ListOutcomes },
  }),
)('%s can be written as JSON Schema', (_, schema) => {
  expect(asJsonSchema(schema)).toMatchObject({ type: 'object', additionalProperties: false });
});
