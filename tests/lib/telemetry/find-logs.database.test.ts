/** For any query, page size and effort, the pages have the records that a search through all records finds, in the same order. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { countLogs } from '../../../lib/telemetry/count-logs.ts';
import { findLogs } from '../../../lib/telemetry/find-logs.ts';
import { storeLogs } from '../../../lib/telemetry/store-logs.ts';
import { ORACLE_RUNS } from '../../oracle-runs.ts';
import { addIngestKey } from '../../security/session.ts';
import { createTenant } from '../../security/tenant.ts';
import { useDatabase } from '../../services/database.ts';

const database = useDatabase();
const NOW = Date.UTC(2026, 10, 21, 10, 17);
const DAY_MS = 86_400_000;

const WORDS = ['card', 'declined', 'cash', 'late'];
const SERVICES = ['shop', 'web'];

const drawnLog = fc.record({
  // Times within some days. Some records have the same time.
  ago: fc.oneof(fc.integer({ min: 0, max: 20 }), fc.integer({ min: 0, max: 4 * DAY_MS })),
  words: fc.array(fc.constantFrom(...WORDS), { maxLength: 3 }),
  service: fc.integer({ min: 0, max: 1 }),
  severity: fc.constantFrom(0, 9, 13, 17, 21),
  order: fc.constantFrom(undefined, 1, 2, '1'),
  trace: fc.constantFrom(undefined, 1, 2),
});

const drawn = fc.record({
  logs: fc.array(drawnLog, { maxLength: 60, size: 'max' }),
  asked: fc.record(
    {
      severity: fc.constantFrom(1, 9, 17, 21),
      service: fc.constantFrom(...SERVICES, 'nobody'),
      text: fc.subarray(WORDS, { minLength: 1, maxLength: 2 }),
      trace: fc.constantFrom(1, 2, 3),
      order: fc.constantFrom('1', '2', '3'),
      host: fc.constantFrom('h0', 'h1'),
    },
    { requiredKeys: [] },
  ),
  limit: fc.integer({ min: 1, max: 7 }),
  maxExamined: fc.constantFrom(1, 10, 20, 100, 20_000),
});

const hexOf = (n: number): string => n.toString(16).padStart(32, '0');

test('a search finds what looking at every record does', { timeout: 300_000 }, async () => {
  const { sql } = database();
  await fc.assert(
    fc.asyncProperty(drawn, async ({ logs, asked, limit, maxExamined }) => {
      const { projectId, userId } = await createTenant(sql);
      const { actor } = await addIngestKey(sql, projectId);
      await storeLogs(
        { sql, now: () => NOW, actor },
        {
          resources: SERVICES.map((service, n) => ({
            ...{
              attributes: { 'service.name': service, 'host.name': `h${n}` },
              schemaUrl: '',
              droppedAttributes: 0,
              cutAttributes: 0,
              bodyCut: false,
            },
          })),
          scopes: [{ name: '', version: '', attributes: {}, schemaUrl: '', droppedAttributes: 0 }],
          logs: logs.map(({ ago, words, service, severity, order, trace }, n) => ({
            ...{
              resource: service,
              scope: 0,
              timeNano: `${NOW - 1 - ago}000000`,
              observedNano: '0',
              flags: 0,
            },
            ...{ severityNumber: severity, severityText: '', eventName: `${n}`, body: words.join(' ') },
            attributes: order === undefined ? {} : { order },
            ...{
              droppedAttributes: 0,
              cutAttributes: 0,
              bodyCut: false,
              traceId: trace === undefined ? null : hexOf(trace),
              spanId: null,
            },
          })),
          bytes: 0,
          partial: undefined,
        },
      );
      const { severity, service, text, trace, order, host } = asked;
      const filters = {
        ...{ severity, service, text: text?.join(' ') },
        traceId: trace === undefined ? undefined : hexOf(trace),
        attributes: order === undefined ? {} : { order },
        resource: host === undefined ? {} : { 'host.name': host },
      };
      const expected = logs
        .map((log, n) => ({ ...log, name: `${n}` }))
        .filter(
          (log) =>
            (severity === undefined || log.severity >= severity) &&
            (service === undefined || SERVICES[log.service] === service) &&
            (text === undefined || text.every((word) => log.words.includes(word))) &&
            (trace === undefined || log.trace === trace) &&
            (order === undefined || String(log.order) === order) &&
            (host === undefined || `h${log.service}` === host),
        );
      const found: { name: string | null; ago: number }[] = [];
      let cursor: string | undefined;
      do {
        const page = await findLogs(
          { sql, now: () => NOW, actor: { kind: 'session', sessionId: '', userId } },
          {
            ...{ projectId, environmentId: actor.environmentId, period: '7d' },
            ...{ ...filters, limit, cursor, maxExamined },
          },
        );
        expect(page.data.length).toBeLessThanOrEqual(limit);
        for (const { eventName, time } of page.data)
          found.push({ name: eventName, ago: NOW - 1 - Date.parse(time) });
        cursor = page.meta.nextCursor ?? undefined;
      } while (cursor !== undefined);
      const agos = found.map(({ ago }) => ago);
      expect(agos).toEqual([...agos].sort((a, b) => a - b));
      expect(found.map(({ name }) => name).sort()).toEqual(expected.map(({ name }) => name).sort());

      const { data, meta } = await countLogs(
        { sql, now: () => NOW, actor: { kind: 'session', sessionId: '', userId } },
        {
          ...{ projectId, environmentId: actor.environmentId, period: '7d', interval: '6h' },
          ...{ ...filters, maxExamined },
        },
      );
      const timeOf = ({ ago }: { ago: number }) => NOW - 1 - ago;
      for (const { time, ...counts } of data.intervals) {
        const start = Date.parse(time);
        const within = expected.filter((log) => timeOf(log) >= start && timeOf(log) < start + DAY_MS / 4);
        const isIn = (from: string) => start >= Date.parse(from) || Date.parse(from) === NOW - 7 * DAY_MS;
        const count = (...severities: number[]) =>
          within.filter((log) => severities.includes(log.severity)).length;
        const [all, severe] = [isIn(meta.countedFrom), isIn(meta.severeCountedFrom)];
        expect(counts).toEqual({
          ...{ unspecified: all ? count(0) : null, trace: all ? 0 : null, debug: all ? 0 : null },
          ...{ info: all ? count(9) : null, warn: all ? count(13) : null },
          ...{ error: severe ? count(17) : null, fatal: severe ? count(21) : null },
        });
      }
      // Nothing is left out that could be counted.
      const isWhole = (from: string) => Date.parse(from) === NOW - 7 * DAY_MS;
      if (logs.length <= maxExamined) expect(isWhole(meta.countedFrom)).toBe(true);
      if (logs.filter((log) => log.severity >= 17).length <= maxExamined && trace === undefined)
        expect(isWhole(meta.severeCountedFrom)).toBe(true);
      expect(Date.parse(meta.severeCountedFrom)).toBeLessThanOrEqual(Date.parse(meta.countedFrom));
    }),
    { numRuns: ORACLE_RUNS, endOnFailure: true },
  );
});
