/** `GET /metrics`: what the service knows of itself, in Prometheus' text format 0.0.4. */
import * as v from 'valibot';
import type { Counts } from './counts.ts';

/** As much of `GET /api/health` as is shown. */
export const Health = v.object({
  data: v.object({
    functions: v.array(
      v.object({
        name: v.string(),
        status: v.string(),
        cronSucceededAt: v.optional(v.nullable(v.string())),
      }),
    ),
  }),
});

export interface Known {
  counts: Counts;
  queues: readonly { queue: string; messages: number; oldestMs: number }[];
  health: v.InferOutput<typeof Health>['data'];
  /** Undefined: the database is out of reach. */
  deadLetters: number | undefined;
}

interface Sample {
  labels?: Record<string, string>;
  value: number;
}

export function renderMetrics({ counts, queues, health, deadLetters }: Known): string {
  const { functions } = health;
  return [
    metric(
      'vendor_answers_total',
      'counter',
      'Answers of each function since the start, by status. Of ingest: folds.',
      Object.entries(counts).map(([key, value]) => {
        const [fn = '', status = ''] = key.split(' ');
        return { labels: { function: fn, status }, value };
      }),
    ),
    metric(
      'vendor_function_ok',
      'gauge',
      '1 if the function answers, is of this version, and its cron is in time.',
      functions.map(({ name, status }) => ({ labels: { function: name }, value: status === 'ok' ? 1 : 0 })),
    ),
    metric(
      'vendor_cron_succeeded_timestamp_seconds',
      'gauge',
      'When a cron last did all of its work.',
      functions.flatMap(({ name, cronSucceededAt }) =>
        cronSucceededAt ? [{ labels: { function: name }, value: Date.parse(cronSucceededAt) / 1000 }] : [],
      ),
    ),
    metric(
      'vendor_queue_messages',
      'gauge',
      'Messages that wait in a queue.',
      queues.map(({ queue, messages }) => ({ labels: { queue }, value: messages })),
    ),
    metric(
      'vendor_queue_oldest_seconds',
      'gauge',
      'How long the oldest message of a queue has waited.',
      queues.map(({ queue, oldestMs }) => ({ labels: { queue }, value: oldestMs / 1000 })),
    ),
    metric(
      'vendor_dead_letters',
      'gauge',
      'Messages that could not be stored.',
      deadLetters === undefined ? [] : [{ value: deadLetters }],
    ),
  ].join('');
}

function metric(name: string, type: 'counter' | 'gauge', help: string, samples: readonly Sample[]): string {
  const lines = samples.map(({ labels = {}, value }) => {
    const pairs = Object.entries(labels).map(
      ([label, text]) => `${label}="${text.replace(/["\\\n]/g, '\\$&')}"`,
    );
    return `${name}${pairs.length === 0 ? '' : `{${pairs.join(',')}}`} ${value}\n`;
  });
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines.join('')}`;
}
