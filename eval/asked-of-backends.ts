/** What people ask about failures, and what agents were misled by: failed requests, whom they hit, when the last one was, since when there is data. */
import { DAY_MS, failed, isEntry, type Span, serviceOf, spansSince, startOf } from './counting.ts';
import type { Json, Question } from './questions.ts';
import type { Truth } from './truth.ts';
import { NOW } from './world.ts';

const isTimeout = ({ events }: Span): boolean =>
  events.some(({ attributes }) => attributes['exception.type'] === 'AcquirerTimeout');

/** The traces of the timeouts of 30 days, the newest first. */
function timedOut(truth: Truth): string[] {
  const spans = spansSince(truth, NOW - 30 * DAY_MS, isTimeout).toSorted((a, b) => startOf(b) - startOf(a));
  return [...new Set(spans.map(({ traceId }) => traceId))];
}

const TIMEOUTS = { by: 'error', service: 'payments', period: '30d', limit: 1 };

export const ASKED_OF_BACKENDS: readonly Question[] = [
  {
    id: 'timed-out-requests',
    words: 'In how many requests did the payment service get no answer from the acquirer, in 30 days?',
    expected: (truth) => ({ requests: timedOut(truth).length }),
    ask: async (call) => ({ requests: (await call('break_down_backend', TIMEOUTS)).data[0].traces }),
  },
  {
    id: 'hit-by-timeouts',
    words: '¿A cuántas visitas afectaron los últimos fallos de pago, hasta donde se sabe?',
    expected: (truth) => ({ visits: truth.visitsOf(timedOut(truth).slice(0, 20)) }),
    ask: async (call) => ({ visits: (await call('break_down_backend', TIMEOUTS)).data[0].affected.visits }),
  },
  {
    id: 'last-error',
    words: 'Houve erros hoje? Se não, quando foi o último?',
    expected: ({ backend: { raw } }) => {
      const times = [
        ...raw.spans.filter((span) => failed(span) || isTimeout(span)).map(startOf),
        ...raw.logs
          .filter(({ severityNumber }) => severityNumber >= 17)
          .map(({ timeNano }) => Number(timeNano.slice(0, -6))),
      ].filter((at) => at < NOW);
      return { last: new Date(Math.max(...times)).toISOString().slice(0, 19) };
    },
    ask: async (call) => {
      const { data, notes } = await call('break_down_backend', { by: 'error', period: 'today' });
      const seen = data.map(({ lastSeenAt }: Json) => lastSeenAt.slice(0, 19)).toSorted();
      return { last: seen.at(-1) ?? /last error .* at (\S{19})/.exec(notes.join(' '))?.[1] };
    },
  },
  {
    id: 'succeeded',
    words: 'Quantos pedidos ao serviço payments correram bem nos últimos 7 dias?',
    expected: (truth) => ({
      requests: spansSince(
        truth,
        NOW - 7 * DAY_MS,
        (span) => serviceOf(span) === 'payments' && isEntry(span) && !failed(span),
      ).length,
    }),
    ask: async (call) => {
      const { entries, errors } = (await call('summarize_service', { service: 'payments', period: '7d' }))
        .data;
      return { requests: entries - errors };
    },
  },
  {
    id: 'marked-ok',
    words: 'Show me requests of payments that went well today.',
    expected: () => ({ markedOk: 0, others: 'unset' }),
    ask: async (call) => {
      const { data, next } = await call('find_traces', {
        service: 'payments',
        status: 'ok',
        period: 'today',
      });
      return { markedOk: data.length, others: next[0].arguments.status };
    },
  },
  {
    id: 'whole-october',
    words: 'Did we take more orders this month than in October, and is October there in full?',
    expected: ({ backend }) => ({ since: backend.firstOrder, isWhole: false }),
    ask: async (call) => {
      const { coverage, range, notes } = await call('report_outcomes', { period: 'last_month', limit: 1 });
      const isSaid = notes.some((note: string) => note.startsWith('Observed from '));
      return { since: coverage.since.slice(0, 16), isWhole: !(isSaid && coverage.since > range.from) };
    },
  },
  {
    id: 'visit-of-failed-checkout',
    words: '¿Qué páginas vio la última persona a la que le falló el pago?',
    expected: (truth) => {
      const orders = truth.backend.raw.spans
        .filter((span) => span.name === 'POST /orders' && failed(span))
        .toSorted((a, b) => startOf(b) - startOf(a));
      const newest = [...new Set(orders.map(({ traceId }) => traceId))].slice(0, 10);
      return newest.map(truth.pagesAround).find((pages) => pages !== 'not observed') ?? 'not observed';
    },
    ask: async (call) => {
      const asked = { operation: 'POST /orders', status: 'error', period: '30d' };
      const { next } = await call('find_traces', asked);
      const journey = next.find(({ arguments: { view } }: Json) => view === 'journey');
      if (journey === undefined) return 'not observed';
      return (await call('get_trace', journey.arguments)).data.pageViews.map(({ path }: Json) => path);
    },
  },
];
