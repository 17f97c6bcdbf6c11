/** Puts reports that are asked for at the same moment into one request (docs/reports.md#several-reports-at-once). */
import { ApiError, type ErrorDetail } from './operation.ts';
import type { ReportMeta } from './operations.generated.ts';

const MAX_REPORTS = 16;

export interface Answer<Data = unknown, Meta = ReportMeta> {
  data: Data;
  meta: Meta;
}

type Entry =
  | { data: unknown; meta?: object | undefined }
  | { error: string; message: string; details?: ErrorDetail[] | undefined };

export interface BatchAnswer {
  data: Record<string, Entry>;
  meta: object;
}

/** Parameters that all reports of a request have in common. */
export type Common = Readonly<Record<string, string | number | undefined>>;

interface Waiting {
  /** `name`, `name:limit` or `name:limit:sort`. */
  report: string;
  /** Parameters that not all reports have. Each stands once in a request. */
  own: Common;
  resolve: (answer: Answer) => void;
  reject: (error: unknown) => void;
}

export type AskReport = (report: string, common: Common, own: Common) => Promise<Answer>;

/** Makes a function that asks for one report. `send` asks for several, which it gets as `name,name:limit`. */
export function inBatches(send: (common: Common & { report: string }) => Promise<BatchAnswer>): AskReport {
  let groups = new Map<string, { common: Common; waiting: Waiting[] }>();

  const sendAll = (): void => {
    const all = [...groups.values()];
    groups = new Map();
    for (const { common, waiting } of all) {
      for (let first = 0; first < waiting.length; first += MAX_REPORTS)
        void sendSome(common, waiting.slice(first, first + MAX_REPORTS));
    }
  };
  const sendSome = async (common: Common, waiting: readonly Waiting[]): Promise<void> => {
    try {
      const report = [...new Set(waiting.map((one) => one.report))].join(',');
      const own = Object.assign({}, ...waiting.map((one) => one.own));
      const { data, meta } = await send({ ...common, ...own, report });
      for (const one of waiting) {
        settle(one, data[nameOf(one.report)], meta);
        // Each is drawn in a task of its own. In between the page answers to whoever uses it.
        await new Promise((resolve) => setTimeout(resolve));
      }
    } catch (error) {
      for (const { reject } of waiting) reject(error);
    }
  };

  return (report, common, own) =>
    new Promise((resolve, reject) => {
      if (groups.size === 0) queueMicrotask(() => setTimeout(sendAll));
      const key = keyOf(report, common, own, groups);
      const group = groups.get(key) ?? { common, waiting: [] };
      groups.set(key, group);
      group.waiting.push({ report, own, resolve, reject });
    });
}

const nameOf = (report: string): string => report.split(':')[0] ?? '';

/** A request has each name and each parameter once: the same with something else goes with another request. */
function keyOf(
  report: string,
  common: Common,
  own: Common,
  groups: ReadonlyMap<string, { waiting: Waiting[] }>,
): string {
  const key = JSON.stringify(Object.entries(common).sort(([a], [b]) => (a < b ? -1 : 1)));
  const isTaken = groups
    .get(key)
    ?.waiting.some(
      (one) =>
        (one.report !== report && nameOf(one.report) === nameOf(report)) ||
        Object.keys(own).some((name) => name in one.own && one.own[name] !== own[name]),
    );
  return isTaken ? `${key} ${report} ${JSON.stringify(own)}` : key;
}

function settle({ resolve, reject }: Waiting, entry: Entry | undefined, meta: object): void {
  if (entry === undefined) reject(new ApiError('INTERNAL_ERROR', 'The answer lacks a report.'));
  else if ('error' in entry)
    reject(new ApiError(entry.error, entry.message, { status: 400, details: entry.details ?? [] }));
  else resolve({ data: entry.data, meta: { ...meta, ...entry.meta } as ReportMeta });
}
