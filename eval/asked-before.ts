/**
 * What agents asked before and got wrong, or found no answer to: the same in other words and in three languages. They were written with the
 * tools in sight, so they say less than those that were held back.
 */
import { liveOf, overviewOf, rangeOf, timeseriesOf, valuesOf, within } from '../tests/oracle/reports.ts';
import { isBounce } from '../tests/oracle/visits.ts';
import {
  busiestHour,
  callsOfAcquirer,
  costliestStatement,
  DAY_MS,
  daysOf,
  errorPercent,
  exactOf,
  failed,
  HOUR_MS,
  is,
  isEntry,
  lostMost,
  p95Of,
  percent,
  quietestHour,
  serviceOf,
  spansSince,
  visitsOf,
} from './counting.ts';
import type { Json, Question } from './questions.ts';
import type { Truth } from './truth.ts';
import { NOW } from './world.ts';

/** The page on which most visits bounce, of those on which as many began. */
function bouncingPage({ site: { world } }: Truth, fewest: number) {
  const begun = world.visits.filter(
    ({ startedAt, counted, pages }) =>
      counted && pages.length > 0 && within(startedAt, daysOf('2026-10-24', '2026-11-22')),
  );
  return [...Map.groupBy(begun, ({ pages }) => pages[0]?.text ?? '')]
    .filter(([, visits]) => visits.length >= fewest)
    .map(([page, visits]) => {
      const measured = visits.filter(({ tier }) => tier === 3);
      return { page, bounceRate: percent(measured.filter(isBounce).length, measured.length) };
    })
    .sort((a, b) => b.bounceRate - a.bounceRate)[0];
}

/** The value whose visits have most page views. */
const mostPages = (rows: readonly { value: string; visits: number; pageviews: number }[]) =>
  rows.toSorted((a, b) => b.pageviews / b.visits - a.pageviews / a.visits)[0]?.value;

/** Paid orders by the day on which they were. */
function ordersByDay({ backend: { raw } }: Truth, { from, to }: { from: number; to: number }) {
  const paid = raw.purchases.filter(({ endMs }) => endMs >= from && endMs < to);
  return [...Map.groupBy(paid, ({ endMs }) => new Date(endMs).toISOString().slice(0, 10))];
}

/** Purchases that the pages reported. */
const purchasesOf = ({ site: { world } }: Truth, range: { from: number; to: number }) =>
  world.events.flatMap((event) =>
    event.type === 'event' && event.name === 'purchase' && within(event.at, range) ? [event] : [],
  );

const only = (rows: readonly Json[], name: string, value: string): Json =>
  rows.find((row) => row[name] === value);

export const ASKED_BEFORE: readonly Question[] = [
  {
    id: 'now',
    words: 'Quantas pessoas estão neste momento no site?',
    expected: ({ site }) => ({ visitors: liveOf(site.world, NOW).visitors }),
    ask: async (call) => ({ visitors: (await call('get_live')).data.visitors }),
  },
  {
    id: 'fullest-hour',
    words: 'When should somebody sit at the desk: at which hour of which weekday is the site fullest?',
    expected: busiestHour,
    ask: async (call) => {
      const [{ weekday, hour }] = (await call('break_down_visits', { by: 'weekday_and_hour', limit: 1 }))
        .data;
      return { weekday, hour };
    },
  },
  {
    id: 'quietest-hour',
    words: '¿A qué hora del día entra menos gente, para hacer el mantenimiento?',
    expected: (truth) => ({ hour: quietestHour(truth) }),
    ask: async (call) => ({
      hour: (await call('break_down_visits', { by: 'hour_of_day' })).data.at(-1).hour,
    }),
  },
  {
    id: 'hours-of-yesterday',
    words: 'Como se distribuíram as visitas de ontem ao longo do dia? Qual foi a hora mais forte?',
    expected: ({ site }) => {
      const points = timeseriesOf(site.world, daysOf('2026-11-21'), 'hour', NOW);
      const { time, visits } = points.reduce((a, b) => (b.visits > a.visits ? b : a));
      return { hour: new Date(time).getUTCHours(), visits };
    },
    ask: async (call) => {
      const { data } = await call('break_down_visits', { by: 'hour', period: 'yesterday' });
      const { time, visits } = data.reduce((a: Json, b: Json) => (b.visits > a.visits ? b : a));
      return { hour: Number(time.slice(11, 13)), visits };
    },
  },
  {
    id: 'bouncing-entry',
    words: 'Of the pages on which at least 100 visits began, which one do most people leave at once?',
    expected: (truth) => bouncingPage(truth, 100),
    ask: async (call) => {
      const args = { by: 'entry_page', sort: 'bounce_rate', minVisits: 100, limit: 1 };
      const [{ path, bounceRate }] = (await call('break_down_visits', args)).data;
      return { page: path, bounceRate };
    },
  },
  {
    id: 'campaign-buys',
    words: '¿Qué porcentaje de las visitas de la campaña strings-autumn termina en compra?',
    expected: ({ site }) => ({
      percent: exactOf(site.filtered(is('utm_campaign', 'strings-autumn')), 'Bought').conversionRate,
    }),
    ask: async (call) => {
      const { rows } = (await call('report_conversions', { goal: 'Bought', by: 'utm_campaign' })).data;
      return { percent: only(rows, 'value', 'strings-autumn').conversionRate };
    },
  },
  {
    id: 'checkout-buys',
    words: 'Of the visits that saw the page /demo/checkout, what share bought something?',
    expected: ({ site }) => ({
      percent: exactOf(site.filtered(is('page', '/demo/checkout')), 'Bought').conversionRate,
    }),
    ask: async (call) => {
      const { goals } = (await call('report_conversions', { filters: ['page is /demo/checkout'] })).data;
      return { percent: only(goals, 'name', 'Bought').exact.conversionRate };
    },
  },
  {
    id: 'statement-of-day',
    words: 'Que consulta à base de dados consome mais tempo no total, nas últimas 24 horas?',
    expected: (truth) => costliestStatement(truth, NOW - DAY_MS),
    ask: async (call) =>
      (await call('break_down_backend', { by: 'statement', period: '24h', limit: 1 })).data[0].statement,
  },
  {
    id: 'third-party',
    words:
      'Which third party do we wait for most this week, and how long does it take at the 95th percentile, in whole ms?',
    expected: (truth) => ({
      host: 'acquirer.example',
      p95Ms: Math.round(p95Of(callsOfAcquirer(truth, NOW - 7 * DAY_MS)) / 1e6),
    }),
    ask: async (call) => {
      const [{ host, p95Ms }] = (await call('break_down_backend', { by: 'host', period: '7d', limit: 1 }))
        .data;
      return { host, p95Ms };
    },
  },
  {
    id: 'version-errors',
    words: 'What error rate does each version of payments have in the last 30 days, in percent?',
    expected: (truth) => ({
      '2.4.1': errorPercent(
        spansSince(truth, NOW - 30 * DAY_MS, (span) => isEntry(span) && serviceOf(span) === 'payments'),
      ),
    }),
    ask: async (call) => {
      const { data } = await call('break_down_backend', {
        by: 'version',
        service: 'payments',
        period: '30d',
      });
      return Object.fromEntries(
        data.map(({ version, errorRate }: Json) => [version, Math.round(errorRate * 1e4) / 100]),
      );
    },
  },
  {
    id: 'lost-last-week',
    words: 'Which source lost most visits last week, Monday to Sunday, against the week before?',
    expected: (truth) =>
      lostMost(truth, daysOf('2026-11-09', '2026-11-15'), daysOf('2026-11-02', '2026-11-08')),
    ask: async (call) => {
      const args = { period: 'last_week', by: 'source', direction: 'lost', limit: 1 };
      const [{ value, change }] = (await call('compare_visits', args)).data.movers;
      return { source: value, change };
    },
  },
  {
    id: 'portugal',
    words: 'How many visits from Portugal did we have in the last 30 days?',
    expected: ({ site }) => ({ visits: visitsOf(site.filtered(is('country', 'PT')), '30d') }),
    ask: async (call) => ({
      visits: (await call('break_down_visits', { by: 'country', filters: ['country is Portugal'] })).data[0]
        .visits,
    }),
  },
  {
    id: 'mobile',
    words: '¿Cuántas visitas se hacen desde el móvil, en 30 días?',
    expected: ({ site }) => ({ visits: visitsOf(site.filtered(is('device', 'mobile')), '30d') }),
    ask: async (call) => ({
      visits: (await call('break_down_visits', { by: 'device', filters: ['device is Mobile'] })).data[0]
        .visits,
    }),
  },
  {
    id: 'google',
    words: 'E quantas vieram do google nos últimos 7 dias?',
    expected: ({ site }) => ({ visits: visitsOf(site.filtered(is('source', 'Google')), '7d') }),
    ask: async (call) => {
      const args = { by: 'source', filters: ['source is google'], period: '7d' };
      return { visits: (await call('break_down_visits', args)).data[0].visits };
    },
  },
  {
    id: 'two-countries',
    words: 'Visits from Portugal and Spain together in the last 7 days?',
    expected: ({ site }) => ({ visits: visitsOf(site.filtered(is('country', 'PT', 'ES')), '7d') }),
    ask: async (call) => {
      const { data } = await call('break_down_visits', {
        by: 'country',
        filters: ['country is PT|ES'],
        period: '7d',
      });
      return { visits: data.reduce((sum: number, row: Json) => sum + row.visits, 0) };
    },
  },
  {
    id: 'goal-in-small-letters',
    words: '¿Cuántas visitas de Alemania alcanzaron el objetivo «bought» en 30 días?',
    expected: ({ site }) => ({
      visits: visitsOf(site.filtered(is('country', 'DE'), is('goal', 'Bought')), '30d'),
    }),
    ask: async (call) => {
      const args = { by: 'country', filters: ['country is DE', 'goal is bought'] };
      return { visits: (await call('break_down_visits', args)).data[0].visits };
    },
  },
  {
    id: 'site-by-address',
    words: 'How many visitors did http://localhost/demo have last week, Monday to Sunday?',
    expected: ({ site }) => ({
      visitors: overviewOf(site.world, daysOf('2026-11-09', '2026-11-15'), NOW).visitors,
    }),
    ask: async (call) => {
      const args = { site: 'http://localhost/demo', period: 'last_week' };
      return { visitors: (await call('summarize_site', args)).data.totals.visitors };
    },
  },
  {
    id: 'six-hours',
    words: 'How many requests did Shop-Web answer in the last 6 hours, and how many of them failed?',
    expected: (truth) => {
      const spans = spansSince(
        truth,
        NOW - 6 * HOUR_MS,
        (span) => isEntry(span) && serviceOf(span) === 'shop-web',
      );
      return { requests: spans.length, failed: spans.filter(failed).length };
    },
    ask: async (call) => {
      const { entries, errors } = (await call('summarize_service', { service: 'Shop-Web', period: '6h' }))
        .data;
      return { requests: entries, failed: errors };
    },
  },
  {
    id: 'languages',
    words: 'Em que língua estão os navegadores de quem nos visita? As três mais frequentes, em 30 dias.',
    expected: ({ site }) => valuesOf(site.world, '30d', 'language', 3, NOW).map(({ value }) => value),
    ask: async (call) =>
      (await call('break_down_visits', { by: 'language', limit: 3 })).data.map(({ value }: Json) => value),
  },
  {
    id: 'frequent-error',
    words:
      '¿Cuál es el error más frecuente del servicio payments en los últimos 7 días, y cuántas veces ocurrió?',
    expected: (truth) => {
      const thrown = spansSince(truth, NOW - 7 * DAY_MS, (span) => serviceOf(span) === 'payments').flatMap(
        ({ events }) => events.filter(({ name }) => name === 'exception'),
      );
      return { error: 'AcquirerTimeout', times: thrown.length };
    },
    ask: async (call) => {
      const args = { by: 'error', service: 'payments', period: '7d', limit: 1 };
      const [{ title, occurrences }] = (await call('break_down_backend', args)).data;
      return { error: title.split(' · ')[0], times: occurrences };
    },
  },
  {
    id: 'no-such-trace',
    words: 'What happened in the trace 0123456789abcdef0123456789abcdef?',
    expected: () => 'NOT_FOUND',
    ask: async (call) =>
      (await call('get_trace', { traceId: '0123456789abcdef0123456789abcdef' })).error.code,
  },
  {
    id: 'addresses-of-buyers',
    words: 'Dame los correos electrónicos de quienes compraron ayer.',
    expected: () => ({ code: 'VALIDATION_ERROR', isCollected: false }),
    ask: async (call) => {
      const { error } = await call('break_down_visits', { by: 'email', period: 'yesterday' });
      return { code: error.code, isCollected: !error.message.includes('isn’t collected') };
    },
  },
  {
    id: 'next-month',
    words: 'Quantas visitas vamos ter em dezembro?',
    expected: () => ({ observed: false, why: 'future' }),
    ask: async (call) => {
      const { coverage, notes } = await call('break_down_visits', {
        by: 'day',
        from: '2026-12-01',
        to: '2026-12-31',
      });
      return { observed: coverage.observed, why: notes[0].includes('future') ? 'future' : notes[0] };
    },
  },
  {
    id: 'before-collection',
    words: '¿Cuántas visitas tuvimos en agosto?',
    expected: () => ({ observed: false, since: '2026-10-24' }),
    ask: async (call) => {
      const { coverage } = await call('break_down_visits', {
        by: 'day',
        from: '2026-08-01',
        to: '2026-08-31',
      });
      return { observed: coverage.observed, since: coverage.since.slice(0, 10) };
    },
  },
  {
    id: 'slow-on-phones',
    words: 'O site é lento nos telemóveis? Qual é o LCP só deles?',
    expected: ({ site }) => site.phones,
    ask: async (call) => {
      const { data } = await call('rate_pages', { by: 'vitals', per: 'device' });
      return { lcp: data.find(({ value }: Json) => value === 'mobile').lcp };
    },
  },
  {
    id: 'orders-by-day',
    words: '¿Qué día, del 15 al 21 de noviembre, se confirmaron más pedidos, y por cuánto dinero?',
    expected: (truth) => {
      const days = ordersByDay(truth, daysOf('2026-11-15', '2026-11-21'));
      const [day, orders] = days.reduce((a, b) => (b[1].length > a[1].length ? b : a));
      const cents = orders.reduce((sum, { amount }) => sum + Math.round(Number(amount) * 100), 0);
      return { day, orders: orders.length, EUR: (cents / 100).toFixed(2) };
    },
    ask: async (call) => {
      const range = { from: '2026-11-15T00:00:00Z', to: '2026-11-22T00:00:00Z' };
      const { intervals } = (await call('report_outcomes', { ...range, interval: '1d', type: 'order.paid' }))
        .data;
      const { time, count, values } = intervals.reduce((a: Json, b: Json) => (b.count > a.count ? b : a));
      return { day: time, orders: count, EUR: only(values, 'currency', 'EUR').amount };
    },
  },
  {
    id: 'paid-in-dollars',
    words: 'How many of the purchases on the website were paid in dollars, in the last 30 days?',
    expected: ({ site: { world } }) => {
      const { range } = rangeOf('30d', NOW, world.zone);
      const inDollars = world.events.filter(
        (event) =>
          event.type === 'event' &&
          event.name === 'purchase' &&
          event.revenue?.currency === 'USD' &&
          within(event.at, range),
      );
      return { purchases: inDollars.length };
    },
    ask: async (call) => {
      const { revenue } = only((await call('report_events')).data, 'name', 'purchase');
      return { purchases: only(revenue, 'currency', 'USD').events };
    },
  },
  {
    id: 'buyers-by-week',
    words: 'Na última semana completa, que percentagem das visitas acabou em compra, e na semana anterior?',
    expected: ({ site: { world } }) => {
      const rateOf = (from: string, to: string) => exactOf(world, 'Bought', daysOf(from, to)).conversionRate;
      return { now: rateOf('2026-11-09', '2026-11-15'), before: rateOf('2026-11-02', '2026-11-08') };
    },
    ask: async (call) => {
      const { goals } = (await call('compare_visits', { by: 'goal', period: 'last_week' })).data;
      return only(goals, 'name', 'Bought').conversionRate;
    },
  },
  {
    id: 'longest-device',
    words: '¿En qué tipo de dispositivo se queda más tiempo la gente, y cuántos segundos de media?',
    expected: ({ site }) =>
      ['desktop', 'mobile', 'tablet']
        .map((device) => ({
          device,
          seconds: overviewOf(site.filtered(is('device', device)), '30d', NOW).avgDuration ?? 0,
        }))
        .sort((a, b) => b.seconds - a.seconds)[0],
    ask: async (call) => {
      const [{ value, avgDuration }] = (await call('break_down_visits', { by: 'device', sort: 'duration' }))
        .data;
      return { device: value, seconds: avgDuration };
    },
  },
  {
    id: 'pages-per-visit',
    words: 'De todos os sites que nos mencionam, de qual vêm as pessoas que veem mais páginas por visita?',
    expected: ({ site }) => {
      const world = { ...site.filtered(is('channel', 'Referral')), tier: 3 as const };
      return { source: mostPages(valuesOf(world, '30d', 'source', 100, NOW)) };
    },
    ask: async (call) => {
      const args = { by: 'source', filters: ['channel is Referral', 'tier is 3'] };
      return { source: mostPages((await call('break_down_visits', args)).data) };
    },
  },
  {
    id: 'purchases-by-week',
    words: '¿Cuántas compras se hicieron en la web cada semana, desde el lunes 2 de noviembre hasta hoy?',
    expected: (truth) =>
      ['2026-11-02', '2026-11-09', '2026-11-16'].map((week) => {
        const { from } = daysOf(week);
        const to = Math.min(NOW, from + 7 * DAY_MS);
        return { week, purchases: purchasesOf(truth, { from, to }).length };
      }),
    ask: async (call) => {
      const asked = { event: 'purchase', by: 'week', from: '2026-11-02', to: '2026-11-22' };
      const { data } = await call('report_events', asked);
      return data.map(({ time, events }: Json) => ({ week: time, purchases: events }));
    },
  },
  {
    id: 'rate-by-week',
    words: 'What share of visits ended in a purchase in each week, from Monday 2 to Sunday 15 November?',
    expected: ({ site: { world } }) =>
      [
        ['2026-11-02', '2026-11-08'],
        ['2026-11-09', '2026-11-15'],
      ].map(([week = '', to]) => ({
        week,
        percent: exactOf(world, 'Bought', daysOf(week, to)).conversionRate,
      })),
    ask: async (call) => {
      const asked = { goal: 'Bought', by: 'week', from: '2026-11-02', to: '2026-11-15' };
      const { rows } = (await call('report_conversions', asked)).data;
      return rows.map(({ time, conversionRate }: Json) => ({ week: time, percent: conversionRate }));
    },
  },
  {
    id: 'earned-by-product',
    words: 'How much did the website earn with strings in the last 30 days, in euros?',
    expected: (truth) => {
      const { range } = rangeOf('30d', NOW, truth.site.world.zone);
      const cents = purchasesOf(truth, range).flatMap(({ props, revenue }) =>
        props?.product === 'strings' && revenue?.currency === 'EUR'
          ? Math.round(100 * Number(revenue.amount))
          : [],
      );
      return { EUR: cents.reduce((sum, one) => sum + one, 0) / 100 };
    },
    ask: async (call) => {
      const { data } = await call('report_events', { event: 'purchase', property: 'product' });
      return { EUR: Number(only(only(data, 'value', 'strings').revenue, 'currency', 'EUR').amount) };
    },
  },
  {
    id: 'known-before',
    words:
      'Das pessoas que aceitaram ser medidas e vieram desde 9 de novembro, quantas já cá tinham estado antes?',
    expected: ({ site: { world } }) => {
      const { from, to } = daysOf('2026-11-09', '2026-11-22');
      const seen = world.visits.filter(({ tier, visitorId }) => tier === 3 && visitorId !== null);
      const before = new Set(
        seen.filter(({ startedAt }) => startedAt < from).map(({ visitorId }) => visitorId),
      );
      const came = seen.filter(({ startedAt }) => within(startedAt, { from, to }));
      return {
        visitors: new Set(came.map(({ visitorId }) => visitorId).filter((id) => before.has(id))).size,
      };
    },
    ask: async (call) => {
      const args = { what: 'retention', from: '2026-11-09', to: '2026-11-22' };
      return { visitors: (await call('report_behaviour', args)).total.seenBefore };
    },
  },
];
