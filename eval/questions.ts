/**
 * Questions in the words of people, each with what is to be found and the fewest calls that find it. Agents get `words` or `again`; their
 * answers have the shape of `expected`.
 */
import type { Truth } from './truth.ts';

/** Parsed JSON. */
export type Json = ReturnType<typeof JSON.parse>;
export type Call = (tool: string, args?: Record<string, unknown>) => Promise<Json>;

export interface Question {
  id: string;
  /** In English, Spanish or Portuguese. */
  words: string;
  /** The same in other words. */
  again?: string;
  /** The answer as the generator knows it. */
  expected: (truth: Truth) => unknown;
  /** `expected` is a list, and each of it is a right answer: figures that the service keeps in bins may be as close as that. */
  isOneOf?: true;
  /** The plain way to the answer. */
  ask: (call: Call, truth: Truth) => Promise<unknown>;
}

const day = (time: string): string => time.slice(0, 10);
const best = <Row>(rows: readonly Row[], figure: (row: Row) => number): Row =>
  rows.reduce((a, b) => (figure(b) > figure(a) ? b : a));

export const QUESTIONS: readonly Question[] = [
  {
    id: 'visitors',
    words: 'How many visitors did we have in the last 7 days, and is that more than before?',
    again: 'Traffic this week vs the week before, in people please.',
    expected: ({ site }) => site.visitors,
    ask: async (call) => {
      const { totals } = (await call('summarize_site', { period: '7d' })).data;
      return { visitors: totals.visitors, changePercent: totals.visitorsChange };
    },
  },
  {
    id: 'peak',
    words: 'Which day of the last 30 was the busiest, and why?',
    again: 'There was a spike this month. When, and what caused it?',
    expected: ({ site }) => site.peak,
    ask: async (call) => {
      const { trend, annotations } = (await call('summarize_site', { period: '30d' })).data;
      const peak = best<Json>(trend.points, ({ visits }) => visits);
      const date = day(peak.time);
      const { data } = await call('break_down_visits', { by: 'source', from: date, to: date, limit: 1 });
      const note = annotations.find((one: Json) => one.date === date)?.text;
      return { day: date, visits: peak.visits, source: data[0].value, note };
    },
  },
  {
    id: 'pages',
    words: 'What are our three most popular pages?',
    again: 'Top 3 content of the last month?',
    expected: ({ site }) => site.pages,
    ask: async (call) =>
      (await call('break_down_visits', { by: 'page', limit: 3 })).data.map(({ path }: Json) => path),
  },
  {
    id: 'grown',
    words: 'Which traffic source grew most this week?',
    again: 'Where are our new visits coming from compared to last week? Just the one that went up most.',
    expected: ({ site }) => site.grown,
    ask: async (call) => {
      const { movers } = (await call('compare_visits', { by: 'source', period: '7d' })).data;
      const { value, change } = best<Json>(movers, (mover) => mover.change);
      return { source: value, change };
    },
  },
  {
    id: 'campaign',
    words: 'How did the campaign strings-autumn do, by source, in the last 30 days?',
    again: 'Split the strings-autumn traffic by where it came from.',
    expected: ({ site }) => site.campaign,
    ask: async (call) =>
      (
        await call('break_down_visits', { by: 'source', filters: ['utm_campaign is strings-autumn'] })
      ).data.map(({ value, visits }: Json) => ({ source: value, visits })),
  },
  {
    id: 'bought',
    words: 'What is the conversion rate of Bought, and how much revenue did it bring?',
    again: 'What share of visits buys something, and for how much in all?',
    expected: ({ site }) => site.bought,
    ask: async (call) => {
      const { goals } = (await call('report_conversions')).data;
      const { exact, revenue } = goals.find(({ name }: Json) => name === 'Bought');
      return { rate: exact.conversionRate, revenue };
    },
  },
  {
    id: 'funnel',
    words: 'Where do we lose most people on the way from a look to a purchase?',
    again: 'Which step of the purchase funnel leaks worst?',
    expected: ({ site }) => site.funnelStep,
    ask: async (call) => {
      const { steps } = (await call('report_conversions', { funnel: 'From a look to a purchase' })).data;
      const worst = best<Json>(steps.slice(1), ({ dropOff }) => dropOff);
      return { step: worst.event ?? worst.page, dropOff: worst.dropOff };
    },
  },
  {
    id: 'slowest',
    words: 'Which page has the worst LCP?',
    again: 'What is our slowest page to show its main content?',
    expected: ({ site }) => site.slowest,
    isOneOf: true,
    ask: async (call) => (await call('rate_pages', { by: 'vitals', sort: 'lcp', limit: 1 })).data[0].path,
  },
  {
    id: 'phones',
    words: 'What is the LCP on phones only?',
    again: 'Are we slow on mobile?',
    expected: ({ site }) => site.phones,
    ask: async (call) => {
      const args = { by: 'vitals', per: 'site', filters: ['device is mobile'] };
      return { lcp: (await call('rate_pages', args)).data[0].lcp };
    },
  },
  {
    id: 'germans',
    words: 'How many visits from Germany read the journal in the last 30 days?',
    again: 'German journal readers this month?',
    expected: ({ site }) => site.germans,
    ask: async (call) => {
      const filters = ['country is DE', 'goal is Read the journal'];
      return { visits: (await call('summarize_site', { filters })).data.totals.visits };
    },
  },
  {
    id: 'refused',
    words: 'How many requests were refused in the last 7 days, and for which reasons?',
    again: 'What did you not count last week: bots and the like?',
    expected: ({ site }) => site.refused,
    ask: async (call) => {
      const { dropped } = (await call('summarize_site', { period: '7d' })).coverage;
      return Object.fromEntries(Object.entries(dropped).filter(([, count]) => count !== 0));
    },
  },
  {
    id: 'services',
    words: 'Which services do we run, and which had the worst error rate in the last 7 days?',
    again: 'Backend health of the week: what runs, and what fails most?',
    expected: ({ backend }) => backend.services,
    ask: async (call) => {
      const { services } = (await call('check_backend', { period: '7d' })).data;
      const worst = best<Json>(services, ({ errors, entries }) => errors / entries);
      const errorRatePercent = Math.round((worst.errors / worst.entries) * 1e4) / 100;
      return { services: services.map(({ name }: Json) => name).sort(), worst: worst.name, errorRatePercent };
    },
  },
  {
    id: 'operation',
    words: 'What is the slowest operation of shop-web?',
    again: 'Which endpoint of the shop’s front service takes longest?',
    expected: ({ backend }) => backend.slowestOperation,
    ask: async (call) => {
      const { operations } = (await call('summarize_service', { service: 'shop-web', period: '7d' })).data;
      return best<Json>(operations, ({ p95Ms }) => p95Ms ?? 0).operation;
    },
  },
  {
    id: 'slow-days',
    words: 'On which three days of the last 30 was shop-api slowest at the 95th percentile?',
    again: 'When did shop-api have its worst days? Give me three.',
    expected: ({ backend }) => backend.slowDays,
    ask: async (call) => {
      const args = { service: 'shop-api', period: '30d', interval: '1d' };
      const { intervals } = (await call('summarize_service', args)).data;
      return [...intervals]
        .sort((a: Json, b: Json) => (b.p95Ms ?? 0) - (a.p95Ms ?? 0))
        .slice(0, 3)
        .map(({ time }: Json) => day(time))
        .sort();
    },
  },
  {
    id: 'failed-order',
    words: 'What is the newest order that failed, and why did it fail?',
    again: 'Why did the last broken checkout request break? Trace id please.',
    expected: ({ backend }) => backend.failed,
    ask: async (call) => {
      const args = { operation: 'POST /orders', status: 'error', period: '30d', limit: 1 };
      const [{ traceId }] = (await call('find_traces', args)).data;
      const { failed } = (await call('get_trace', { traceId })).data;
      return { traceId, why: failed[0].statusMessage };
    },
  },
  {
    id: 'orders',
    words: 'How many orders were confirmed in the last 30 days, and what are they worth?',
    again: 'Paid orders of the month: count and sum.',
    expected: ({ backend }) => backend.orders,
    ask: async (call) => {
      const [paid] = (await call('report_outcomes', { period: '30d', limit: 1 })).data.types;
      const [sum] = paid.values;
      return { count: paid.count, sum: `${sum.currency} ${sum.amount}` };
    },
  },
  {
    id: 'goal-revenue',
    words: 'Is the revenue of the goal Bought what the backend confirmed?',
    again: 'Does the website’s revenue match our real orders?',
    expected: ({ site, backend }) => ({
      same: false,
      goal: site.bought.revenue,
      confirmed: backend.orders.sum,
    }),
    ask: async (call) => {
      const { goals } = (await call('report_conversions')).data;
      const { revenue } = goals.find(({ name }: Json) => name === 'Bought');
      const [{ values }] = (await call('report_outcomes', { period: '30d', limit: 1 })).data.types;
      const confirmed = `${values[0].currency} ${values[0].amount}`;
      const same = revenue.length === 1 && `${revenue[0].currency} ${revenue[0].amount}` === confirmed;
      return { same, goal: revenue, confirmed };
    },
  },
  {
    id: 'error-logs',
    words: 'How many errors were logged in the last 7 days?',
    again: 'Count of log records at error level or worse, past week.',
    expected: ({ backend }) => backend.errorLogs,
    ask: async (call) => {
      const answer = await call('find_logs', { severity: 'error', period: '7d', limit: 25 });
      return { count: answer.more ? 'more' : answer.data.length };
    },
  },
  {
    id: 'memory',
    words: 'How much memory does the shop use today, and how much did it use yesterday, in MB on average?',
    again: 'Memory usage today against yesterday?',
    expected: ({ backend }) => backend.memory,
    ask: async (call, { yesterday, now }) => {
      const args = {
        name: 'process.memory.usage',
        aggregation: 'avg',
        interval: '1d',
        from: yesterday,
        to: now,
      };
      const [before, after] = (await call('query_metric', args)).data.groups[0].values;
      const megabytes = (value: Json) => Math.round(value / 1e6);
      return { todayMB: megabytes(after.value ?? after), yesterdayMB: megabytes(before.value ?? before) };
    },
  },
  {
    id: 'page-views-before',
    words: 'Which pages did the visitor see before the newest failed order?',
    again: 'What did that customer look at before the order broke?',
    // If no page reported the trace, an empty list would be wrong.
    expected: ({ failedOrderPages }) => failedOrderPages,
    ask: async (call) => {
      const args = { operation: 'POST /orders', status: 'error', period: '30d', limit: 1 };
      const [{ traceId }] = (await call('find_traces', args)).data;
      const { coverage, pageViews } = (await call('get_trace', { traceId, view: 'journey' })).data;
      return coverage.pageViews === 'observed' ? pageViews.map(({ path }: Json) => path) : coverage.pageViews;
    },
  },
  {
    id: 'received',
    words: 'When did each kind of telemetry arrive last?',
    again: 'Is our telemetry still coming in? Last time per signal.',
    expected: ({ backend }) => backend.received,
    ask: async (call) => {
      const { signals } = (await call('check_backend')).data;
      const times = new Set(signals.map(({ lastReceivedAt }: Json) => lastReceivedAt));
      return {
        at: times.size === 1 ? [...times][0] : [...times],
        signals: signals.map(({ signal }: Json) => signal).sort(),
      };
    },
  },
];

/** Questions without an answer: what an agent can learn is why. */
export const UNANSWERABLE: readonly Question[] = [
  {
    id: 'names',
    words: 'What are the names of our visitors?',
    again: 'Who exactly visited us?',
    expected: () => 'VALIDATION_ERROR by',
    ask: async (call) => {
      const { error } = await call('break_down_visits', { by: 'visitor' });
      return `${error.code} ${error.details[0].path}`;
    },
  },
  {
    id: 'long-ago',
    words: 'How many visitors did we have in November 2025?',
    again: 'Compare with a year ago: how many people came then?',
    expected: () => 'not observed',
    ask: async (call) => {
      const { coverage } = await call('summarize_site', { from: '2025-11-01', to: '2025-11-30' });
      return coverage.observed ? 'observed' : 'not observed';
    },
  },
  {
    id: 'other-site',
    words: 'How is blog.example doing?',
    again: 'Visitors of blog.example this week?',
    expected: () => ({ code: 'NOT_FOUND', instead: ['localhost'] }),
    ask: async (call) => {
      const { error } = await call('summarize_site', { site: 'blog.example' });
      return { code: error.code, instead: error.choices.map(({ domain }: Json) => domain) };
    },
  },
  {
    id: 'staging',
    words: 'Which services failed on staging?',
    again: 'Any errors in the staging environment?',
    expected: () => 'NOT_FOUND',
    ask: async (call) => (await call('check_backend', { environment: 'staging' })).error.code,
  },
];
