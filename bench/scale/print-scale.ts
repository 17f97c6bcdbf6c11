import { quantile } from '../median.ts';
import { perSecond, printLines, printTable, whole } from '../print-table.ts';
import type { Fill } from './fill-size.ts';
import type { SignalName } from './made-signals.ts';
import type { Stretch } from './measure-stretch.ts';
import type { TableSize } from './table-sizes.ts';

const AIM_LAG_MS = 2000;
const MIB = 1024 ** 2;
const SHOWN_TABLES = 14;
const SHOWN_FAULTS = 12;

const ms = (value: number): string => (value < 10 ? value.toFixed(1) : whole(value));
const mib = (bytes: number): string => `${whole(bytes / MIB)} MiB`;
const three = (values: readonly number[]): string[] =>
  [0.5, 0.95, 0.99].map((share) => (values.length === 0 ? '–' : ms(quantile(values, share))));

export interface Scale {
  fill: Fill;
  rate: number;
  alone: Stretch;
  asked: Stretch;
  /** CPU of PostgreSQL for each question, without events. */
  cpuMs: Map<string, number>;
  /** CPU milliseconds of PostgreSQL for an item of telemetry. */
  signalCpuMs: Record<SignalName, number>;
}

export function printScale({ fill, rate, alone, asked, cpuMs, signalCpuMs }: Scale): void {
  console.log(`\nFilled until ${new Date(fill.until).toISOString()}: ${JSON.stringify(fill.size)}`);
  const lines = asked.answered.map(({ name, tookMs, errors }) => [
    ...[name, whole(tookMs.length), ...three(tookMs), ms(cpuMs.get(name) ?? Number.NaN)],
    errors.length === 0 ? '0' : `${errors.length}: ${errors[0]?.slice(0, 60)}`,
  ]);
  printLines(
    'Questions over HTTP, one at a time, in milliseconds; and PostgreSQL’s CPU of one without events',
    [['question', 'asked', 'p50', 'p95', 'p99', 'CPU', 'errors'], ...lines],
    (at) => at > 0 && at < 6,
  );
  for (const [title, stretch] of [
    [`${rate} events a second, nothing asked`, alone],
    [`${rate} events a second, and questions`, asked],
  ] as const)
    printStretch(title, stretch);
  printTable(
    'CPU of PostgreSQL for an item of telemetry, with its sums',
    Object.entries(signalCpuMs).map(([what, value]) => ({ what, figure: `${value.toFixed(2)} ms` })),
  );
  printGrowth(asked);
}

function printStretch(title: string, { before, after, peaks, load, lag, signals, faults }: Stretch): void {
  const seconds = (after.at - before.at) / 1000;
  const cores = (use: 'database' | 'workerd'): number =>
    (after[use].cpuMs - before[use].cpuMs) / 1000 / seconds;
  const anEvent = (use: 'database' | 'workerd'): string =>
    `${((after[use].cpuMs - before[use].cpuMs) / Math.max(1, load.accepted)).toFixed(2)} ms an event`;
  const row = (what: string, figure: string, baseline = '', aim = '') => ({ what, figure, baseline, aim });
  printTable(
    title,
    [
      row('accepted', perSecond(load.accepted / load.seconds), `held back: ${whole(load.heldBack)}`),
      row('answers other than 202', Object.entries(load.others).join('; ') || '0', '', 'none'),
      row('accepted in, p50, p95, p99', `${[load.medianMs, load.p95Ms, load.p99Ms].map(ms).join(', ')} ms`),
      row(
        'from acceptance to visible, p50, p95, p99',
        `${three(lag.tookMs).join(', ')} ms`,
        `${lag.tookMs.length} marks, ${lag.refused} refused, ${lag.lost} lost`,
        `p95 under ${AIM_LAG_MS} ms`,
      ),
      row(
        'telemetry stored in, p50, p95, p99',
        `${three(signals.tookMs).join(', ')} ms`,
        `${whole(signals.items)} items, ${signals.errors.length} errors ${signals.errors[0]?.slice(0, 60) ?? ''}`,
      ),
      row('CPU of PostgreSQL', `${cores('database').toFixed(2)} cores`, anEvent('database')),
      row('CPU of workerd', `${cores('workerd').toFixed(2)} cores`, anEvent('workerd')),
      row('memory of PostgreSQL, most', mib(peaks.database)),
      row('memory of workerd, most', mib(peaks.workerd)),
      row('connections, most', whole(peaks.connections), `waiting for locks: ${whole(peaks.waiting)}`),
      row('load of the machine, most', peaks.load.toFixed(1)),
      row(
        'write-ahead log',
        `${mib((after.wal - before.wal) / seconds)}/s`,
        `${whole((after.wal - before.wal) / Math.max(1, load.accepted))} B an event`,
      ),
      row(
        'the database grew by',
        mib(after.databaseBytes - before.databaseBytes),
        `of ${mib(before.databaseBytes)}`,
      ),
    ],
    { baseline: 'and', ratio: '' },
  );
  const shown = [...faults].sort(([, a], [, b]) => b - a).slice(0, SHOWN_FAULTS);
  for (const [what, times] of shown) console.log(`  ${times} times in the log: ${what}`);
}

/** The tables with the most dead rows or growth, before and after. */
function printGrowth({ before, after }: Stretch): void {
  const old = new Map(before.tables.map((table) => [table.name, table]));
  const bytes = ({ heap, indexes }: TableSize): number => heap + indexes;
  const grown = after.tables
    .map((table) => ({
      table,
      was: old.get(table.name) ?? { ...table, dead: 0, heap: 0, indexes: 0, rows: 0 },
    }))
    .sort((a, b) => bytes(b.table) - bytes(b.was) - (bytes(a.table) - bytes(a.was)));
  printLines(
    'Tables that grew most',
    [
      ['table', 'MiB before', 'after', 'rows before', 'after', 'dead before', 'after'],
      ...grown
        .slice(0, SHOWN_TABLES)
        .map(({ table, was }) => [
          ...[table.name, (bytes(was) / MIB).toFixed(1), (bytes(table) / MIB).toFixed(1)],
          ...[whole(was.rows), whole(table.rows), whole(was.dead), whole(table.dead)],
        ]),
    ],
    (at) => at > 0,
  );
}
