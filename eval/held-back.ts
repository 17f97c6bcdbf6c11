/**
 * Thirty questions that were written as owners, marketers and engineers ask, before the tools' words were read. Their words stay as they are:
 * a question that the tools can't answer stays in the table as wrong (eval/README.md).
 */

import { eventPropsOf, pagePropsOf, retentionOf } from '../tests/oracle/behaviour.ts';
import { engagementOf } from '../tests/oracle/measures.ts';
import { edgePagesOf, liveOf, timeseriesOf, valuesOf, within } from '../tests/oracle/reports.ts';
import { isBounce } from '../tests/oracle/visits.ts';
import {
  busiestHour,
  callsOfAcquirer,
  costliestStatement,
  DAY_MS,
  daysOf,
  errorPercent,
  exactOf,
  HOUR_MS,
  is,
  isEntry,
  lostMost,
  percent,
  type Span,
  serviceOf,
  spansSince,
  startOf,
  visitsOf,
} from './counting.ts';
import type { Json, Question } from './questions.ts';
import type { Truth } from './truth.ts';
import { NOW } from './world.ts';

const best = <Row>(rows: readonly Row[], figure: (row: Row) => number): Row =>
  rows.reduce((a, b) => (figure(b) > figure(a) ? b : a));
const namedRow = (rows: readonly Json[], value: string): Json => rows.find((row) => row.value === value);
const MINUTE_MS = 60_000;

/** The page that most of those who are there now have open. */
function openPage({ site: { world } }: Truth): string {
  const recent = world.events.filter(({ at, tier }) => tier > 1 && at > NOW - 30 * MINUTE_MS && at <= NOW);
  const pages = [...Map.groupBy(recent, ({ tier, visitorId }) => `${tier} ${visitorId}`).values()]
    .filter((events) => events.some(({ at }) => at > NOW - 5 * MINUTE_MS))
    .flatMap((events) => {
      const views = events.flatMap((event) => (event.type === 'pageview' ? [event] : []));
      return views.length === 0 ? [] : [best(views, ({ at }) => at).path];
    });
  return best([...Map.groupBy(pages, (path) => path)], ([, all]) => all.length)[0];
}

/** Landing page of most visits from Google, and how many of these are left at once. */
function googleLanding({ site }: Truth) {
  const world = site.filtered(is('source', 'Google'));
  const [{ path = '' } = {}] = edgePagesOf(world, '30d', 'entry', 1, NOW);
  const measured = world.visits.filter(
    ({ tier, counted, startedAt, pages, values }) =>
      tier === 3 &&
      counted &&
      within(startedAt, daysOf('2026-10-24', '2026-11-22')) &&
      pages[0]?.text === path &&
      values.source === 'Google',
  );
  return { page: path, bounceRate: percent(measured.filter(isBounce).length, measured.length) };
}

/** The exception of a service between two instants, and the first file of its own code. */
function thrownBy(truth: Truth, service: string, [from, to]: [string, string]) {
  const spans = spansSince(
    truth,
    Date.parse(from),
    (span) => serviceOf(span) === service && startOf(span) < Date.parse(to),
  );
  const [exception] = spans.flatMap(({ events }) => events);
  const frames = String(exception?.attributes['exception.stacktrace']).split('\n').slice(1);
  const own = frames.find((frame) => !frame.includes('node_modules')) ?? '';
  return { exception: exception?.attributes['exception.type'], file: /([\w-]+\.js):/.exec(own)?.[1] };
}

const isOf =
  (service: string) =>
  (span: Span): boolean =>
    isEntry(span) && serviceOf(span) === service;

export const HELD_BACK: readonly Question[] = [
  {
    id: 'held-yesterday',
    words: 'How many visits did we get yesterday?',
    expected: ({ site }) => ({ visits: visitsOf(site.world, daysOf('2026-11-21')) }),
    ask: async (call) => ({
      visits: (await call('break_down_visits', { by: 'day', period: 'yesterday' })).data[0].visits,
    }),
  },
  {
    id: 'held-now',
    words: '¿Hay alguien ahora mismo en la web? ¿Cuántos son y qué están mirando?',
    expected: (truth) => ({ visitors: liveOf(truth.site.world, NOW).visitors, page: openPage(truth) }),
    ask: async (call) => {
      const { visitors, pages } = (await call('get_live')).data;
      return { visitors, page: pages[0].path };
    },
  },
  {
    id: 'held-busiest',
    words: 'Em que dia da semana e a que horas vem mais gente ao site?',
    expected: busiestHour,
    ask: async (call) => {
      const [{ weekday, hour }] = (await call('break_down_visits', { by: 'weekday_and_hour', limit: 1 }))
        .data;
      return { weekday, hour };
    },
  },
  {
    id: 'held-phones-buy',
    words: 'Do people on phones buy less often than people on computers? Give me both rates.',
    expected: ({ site }) => {
      const rate = (device: string) => exactOf(site.filtered(is('device', device)), 'Bought').conversionRate;
      return { phones: rate('mobile'), computers: rate('desktop') };
    },
    ask: async (call) => {
      const { rows } = (await call('report_conversions', { goal: 'Bought', by: 'device' })).data;
      const rate = (device: string) => namedRow(rows, device).conversionRate;
      return { phones: rate('mobile'), computers: rate('desktop') };
    },
  },
  {
    id: 'held-cities',
    words: '¿Desde qué ciudades de Portugal nos visitan más?',
    expected: ({ site }) =>
      valuesOf(site.filtered(is('country', 'PT')), '30d', 'city', 3, NOW).map(({ value }) => value),
    ask: async (call) =>
      (await call('break_down_visits', { by: 'city', filters: ['country is Portugal'], limit: 3 })).data.map(
        ({ value }: Json) => value,
      ),
  },
  {
    id: 'held-exits',
    words: 'Em que páginas é que as pessoas abandonam o site?',
    expected: ({ site }) => edgePagesOf(site.world, '30d', 'exit', 3, NOW).map(({ path }) => path),
    ask: async (call) =>
      (await call('break_down_visits', { by: 'exit_page', limit: 3 })).data.map(({ path }: Json) => path),
  },
  {
    id: 'held-longest-read',
    words: 'Which journal article keeps people reading the longest?',
    expected: ({ site }) => {
      const read = engagementOf(site.world, '30d', NOW).filter(({ path }) => path.includes('/journal/'));
      const longest = Math.max(...read.map(({ seconds }) => seconds));
      return read.filter(({ seconds }) => seconds === longest).map(({ path }) => path);
    },
    isOneOf: true,
    ask: async (call) => {
      const args = { by: 'engagement', filters: ['page contains /journal/'], limit: 50 };
      return best<Json>((await call('rate_pages', args)).data, ({ seconds }) => seconds).path;
    },
  },
  {
    id: 'held-money',
    words: '¿Cuánto dinero entró este mes por las compras de la web, en euros?',
    expected: ({ site }) => ({
      EUR: exactOf(site.world, 'Bought', daysOf('2026-11-01', '2026-11-22')).revenue.find(
        ({ currency }) => currency === 'EUR',
      )?.amount,
    }),
    ask: async (call) => {
      const { goals } = (await call('report_conversions', { from: '2026-11-01', to: '2026-11-22' })).data;
      const { revenue } = goals.find(({ name }: Json) => name === 'Bought');
      return { EUR: revenue.find(({ currency }: Json) => currency === 'EUR').amount };
    },
  },
  {
    id: 'held-came-back',
    words: 'Dos visitantes novos da semana de 2 de novembro, que parte voltou na semana seguinte?',
    expected: ({ site }) => {
      const cohorts = retentionOf(site.world, daysOf('2026-10-24', '2026-11-22'), NOW);
      const { visitors = 0, returned = [] } = cohorts.find(({ week }) => week.startsWith('2026-11-02')) ?? {};
      return { percent: percent(returned[0] ?? 0, visitors) };
    },
    ask: async (call) => {
      const { data } = await call('report_behaviour', { what: 'retention' });
      const { visitors, returned } = data.find(({ week }: Json) => week.startsWith('2026-11-02'));
      return { percent: percent(returned[0], visitors) };
    },
  },
  {
    id: 'held-outbound',
    words: 'When people leave the journal for other sites, where do they go?',
    expected: ({ site }) =>
      eventPropsOf(site.world, '30d', 'Outbound link', 'url', NOW).map(({ value }) => value),
    ask: async (call) =>
      (await call('report_events', { event: 'Outbound link', property: 'url' })).data.map(
        ({ value }: Json) => value,
      ),
  },
  {
    id: 'held-robots',
    words: '¿Cuántos robots habéis bloqueado en la última semana?',
    expected: ({ site }) => ({ robots: site.refused.bot }),
    ask: async (call) => ({ robots: (await call('summarize_site', { period: '7d' })).coverage.dropped.bot }),
  },
  {
    id: 'held-weakest-day',
    words: 'Qual foi o dia mais fraco da última semana completa?',
    expected: ({ site }) => {
      const days = timeseriesOf(site.world, daysOf('2026-11-09', '2026-11-15'), 'day', NOW);
      return { day: best(days, ({ visits }) => -visits).time.slice(0, 10) };
    },
    ask: async (call) => {
      const { data } = await call('break_down_visits', { by: 'day', period: 'last_week' });
      return { day: best<Json>(data, ({ visits }) => -visits).time };
    },
  },
  {
    id: 'held-best-campaign',
    words: 'Which campaign sells best, as the share of its visits that end in a purchase?',
    expected: ({ site }) => {
      const campaigns = valuesOf(site.world, '30d', 'utm_campaign', 100, NOW).map(({ value }) => ({
        campaign: value,
        percent: exactOf(site.filtered(is('utm_campaign', value)), 'Bought').conversionRate,
      }));
      return best(campaigns, (one) => one.percent ?? 0);
    },
    ask: async (call) => {
      const args = { goal: 'Bought', by: 'utm_campaign', sort: 'rate', limit: 1 };
      const [{ value, conversionRate }] = (await call('report_conversions', args)).data.rows;
      return { campaign: value, percent: conversionRate };
    },
  },
  {
    id: 'held-newsletter',
    words: '¿Cuántas visitas trajo el boletín que mandamos el martes?',
    expected: ({ site }) => ({
      visits: visitsOf(site.filtered(is('utm_campaign', 'string-theory')), daysOf('2026-11-17')),
    }),
    ask: async (call) => {
      const { data } = await call('break_down_visits', {
        by: 'source',
        from: '2026-11-17',
        to: '2026-11-17',
      });
      return { visits: namedRow(data, 'newsletter').visits };
    },
  },
  {
    id: 'held-assistants',
    words: 'Quantas visitas nos chegam do ChatGPT e de outros assistentes de IA?',
    expected: ({ site }) => ({ visits: visitsOf(site.filtered(is('channel', 'AI assistants')), '30d') }),
    ask: async (call) => {
      const { data } = await call('break_down_visits', { by: 'channel' });
      return { visits: namedRow(data, 'AI assistants').visits };
    },
  },
  {
    id: 'held-google-landing',
    words: 'On which page do most people who come from Google land, and how many of them leave right away?',
    expected: googleLanding,
    ask: async (call) => {
      const args = { by: 'entry_page', filters: ['source is Google'], limit: 1 };
      const [{ path, bounceRate }] = (await call('break_down_visits', args)).data;
      return { page: path, bounceRate };
    },
  },
  {
    id: 'held-lost',
    words: '¿Qué fuente ha perdido más visitas respecto a la semana anterior?',
    expected: (truth) => lostMost(truth, '7d'),
    ask: async (call) => {
      const args = { by: 'source', period: '7d', direction: 'lost', limit: 1 };
      const [{ value, change }] = (await call('compare_visits', args)).data.movers;
      return { source: value, change };
    },
  },
  {
    id: 'held-author',
    words: 'Qual é o autor mais lido do blogue?',
    expected: ({ site }) => pagePropsOf(site.world, '30d', 'author', NOW)[0]?.value,
    ask: async (call) =>
      (await call('report_events', { of: 'pages', property: 'author', limit: 1 })).data[0].value,
  },
  {
    id: 'held-reddit-or-youtube',
    words: 'Reddit or YouTube: whose visitors put something into the basket more often?',
    expected: ({ site }) => {
      const rate = (source: string) =>
        exactOf(site.filtered(is('source', source)), 'Put into the basket').conversionRate ?? 0;
      return { more: best(['Reddit', 'YouTube'], rate), Reddit: rate('Reddit'), YouTube: rate('YouTube') };
    },
    ask: async (call) => {
      const args = { goal: 'Put into the basket', by: 'source', filters: ['source is Reddit|YouTube'] };
      const { rows } = (await call('report_conversions', args)).data;
      const rate = (source: string) => namedRow(rows, source).conversionRate;
      return { more: best(['Reddit', 'YouTube'], rate), Reddit: rate('Reddit'), YouTube: rate('YouTube') };
    },
  },
  {
    id: 'held-keywords',
    words: '¿Con qué palabras clave de los anuncios llega más gente?',
    expected: ({ site }) => valuesOf(site.world, '30d', 'utm_term', 1, NOW)[0]?.value,
    ask: async (call) => (await call('break_down_visits', { by: 'utm_term', limit: 1 })).data[0].value,
  },
  {
    id: 'held-checkout',
    words: 'De quem chega à página de pagamento, quantos compram mesmo?',
    expected: ({ site }) => {
      const { conversions, conversionRate } = exactOf(site.filtered(is('page', '/demo/checkout')), 'Bought');
      return { buyers: conversions, percent: conversionRate };
    },
    ask: async (call) => {
      const { rows } = (await call('report_conversions', { goal: 'Bought', by: 'page' })).data;
      const { conversions, conversionRate } = rows.find(({ path }: Json) => path === '/demo/checkout');
      return { buyers: conversions, percent: conversionRate };
    },
  },
  {
    id: 'held-statement',
    words: 'Which database query eats the most time overall, this past week?',
    expected: (truth) => costliestStatement(truth, NOW - 7 * DAY_MS),
    ask: async (call) =>
      (await call('break_down_backend', { by: 'statement', period: '7d', limit: 1 })).data[0].statement,
  },
  {
    id: 'held-provider',
    words: '¿Nos falla algún proveedor externo? ¿Cuál y en qué porcentaje de las llamadas?',
    expected: (truth) => ({
      host: 'acquirer.example',
      percent: errorPercent(callsOfAcquirer(truth, NOW - 7 * DAY_MS)),
    }),
    ask: async (call) => {
      const { data } = await call('break_down_backend', { by: 'host', period: '7d' });
      const { host, errorRate } = best<Json>(data, (row) => row.errorRate);
      return { host, percent: Math.round(errorRate * 1e4) / 100 };
    },
  },
  {
    id: 'held-payments-errors',
    words: 'Qual foi a taxa de erros do serviço payments nas últimas 24 horas?',
    expected: (truth) => ({ percent: errorPercent(spansSince(truth, NOW - DAY_MS, isOf('payments'))) }),
    ask: async (call) => {
      const { errorRate } = (await call('summarize_service', { service: 'payments', period: '24h' })).data;
      return { percent: Math.round(errorRate * 1e4) / 100 };
    },
  },
  {
    id: 'held-wednesday',
    words:
      'Checkouts broke on Wednesday afternoon. Which exception did the payment service throw then, and from which file?',
    expected: (truth) => thrownBy(truth, 'payments', ['2026-11-18T12:00:00Z', '2026-11-18T18:00:00Z']),
    ask: async (call) => {
      const range = { from: '2026-11-18T12:00:00Z', to: '2026-11-18T18:00:00Z' };
      const [{ title }] = (await call('break_down_backend', { by: 'error', service: 'payments', ...range }))
        .data;
      return { exception: title.split(' · ')[0], file: title.split('/').at(-1) };
    },
  },
  {
    id: 'held-versions',
    words: '¿Qué versión de cada servicio está en producción?',
    expected: () => ({ payments: '2.4.1', 'shop-api': '2.4.1', 'shop-web': '2.4.1' }),
    ask: async (call) => {
      const { data } = await call('break_down_backend', { by: 'version', period: '24h' });
      return Object.fromEntries(data.map(({ service, version }: Json) => [service, version]));
    },
  },
  {
    id: 'held-declined',
    words: 'Quantas encomendas foram recusadas nos últimos 7 dias porque o emissor recusou o cartão?',
    expected: ({ backend }) => ({
      refused: backend.raw.logs.filter(
        ({ body, timeNano }) =>
          String(body).includes('declined by the issuer') &&
          Number(timeNano.slice(0, -6)) >= NOW - 7 * DAY_MS,
      ).length,
    }),
    ask: async (call) => {
      const { data, total = data.length } = await call('find_logs', {
        text: 'declined',
        period: '7d',
        limit: 1,
      });
      return { refused: total };
    },
  },
  {
    id: 'held-night-job',
    words: 'When did the nightly newsletter job last run and how long did it take?',
    expected: (truth) => {
      const runs = spansSince(truth, NOW - 2 * DAY_MS, ({ name }) => name === 'send newsletter');
      const last = best(runs, startOf);
      return { at: new Date(startOf(last)).toISOString(), ms: Math.round(last.durationNano / 1e6) };
    },
    ask: async (call) => {
      const [{ start, durationMs }] = (
        await call('find_traces', { text: 'newsletter', period: '24h', limit: 1 })
      ).data;
      return { at: start, ms: durationMs };
    },
  },
  {
    id: 'held-calls',
    words: '¿A qué llama shop-api?',
    expected: () => ({ services: ['payments'], databases: ['postgresql'] }),
    ask: async (call) => {
      const { calls } = (await call('check_backend', { period: '24h' })).data;
      const { data } = await call('break_down_backend', {
        by: 'statement',
        service: 'shop-api',
        period: '24h',
      });
      return {
        services: calls.filter(({ caller }: Json) => caller === 'shop-api').map(({ callee }: Json) => callee),
        databases: [...new Set(data.map(({ system }: Json) => system))],
      };
    },
  },
  {
    id: 'held-busiest-of-api',
    words: 'Ontem, em que hora é que a shop-api recebeu mais pedidos?',
    expected: (truth) => {
      const day = Date.parse('2026-11-21');
      const spans = spansSince(truth, day, isOf('shop-api')).filter((span) => startOf(span) < day + DAY_MS);
      const byHour = Map.groupBy(spans, (span) => Math.floor((startOf(span) - day) / HOUR_MS));
      const [hour, all] = best([...byHour], ([, ones]) => ones.length);
      return { hour, requests: all.length };
    },
    ask: async (call) => {
      const args = { service: 'shop-api', interval: '1h', period: 'yesterday' };
      const { time, entries } = best<Json>(
        (await call('summarize_service', args)).data.intervals,
        (point) => point.entries,
      );
      return { hour: Number(time.slice(11, 13)), requests: entries };
    },
  },
];
