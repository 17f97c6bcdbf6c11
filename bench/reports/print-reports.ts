import { perSecond, printLines, printTable, times, whole } from '../print-table.ts';
import type { FoldedSample, Measured } from './measure-reports.ts';
import { keptBytes } from './table-bytes.ts';

const AIM_BYTES = 80;
const AIM_MS = 100;
/** `AIM_MS` applies to sizes up to this number of events, which allows for randomness. */
const AIM_EVENTS = 2_200_000;
const AIM_GROWTH = 1.5;
const FIVEFOLD = 5;
/** A page of twelve reports: how many times as long as `pages` without filters it may take with up to one filter and with more, and its growth. */
const TWELVE = { name: 'twelve reports', one: 12, more: 30, growth: 3 };

export function printSite({ site, sealing }: Measured, fold: FoldedSample): void {
  printTable(`A site of ${whole(site.events)} page views and custom events`, [
    {
      what: 'folded by `ingest_events`, batches of 100, two at once, its last two days',
      figure: perSecond(site.folded.events / site.folded.seconds),
    },
    { what: 'the same, a smaller site from its beginning', figure: perSecond(fold.eventsASecond) },
    ...(sealing === null ? [] : [{ what: 'all its days sealed', figure: `${sealing.toFixed(0)} s` }]),
  ]);
}

export function printBytes({ site, bytes, baseline }: Measured, fold: FoldedSample): void {
  const { events, engagements } = site;
  const each = (sum: number, of = events): string => `${(sum / of).toFixed(1)} B`;
  const grown = keptBytes(bytes) - bytes.visits + (fold.visitBytes / fold.events) * events;
  const umami = baseline && baseline.size.bytes / baseline.size.events;
  printTable(`Bytes an event, ${whole(events)} page views and custom events over 90 days, indexes included`, [
    { what: 'visits', figure: each(bytes.visits) },
    { what: 'dictionaries', figure: each(bytes.dictionaries) },
    { what: 'rollups', figure: each(bytes.rollups) },
    ...(bytes.other > 0 ? [{ what: 'anything else', figure: each(bytes.other) }] : []),
    {
      what: 'all that is kept',
      figure: each(keptBytes(bytes)),
      ...(umami && {
        baseline: `Umami’s tables, same traffic: ${whole(umami)} B`,
        ratio: times(umami / (keptBytes(bytes) / events)),
      }),
      aim: `under ${AIM_BYTES}`,
    },
    { what: '… with visits as folding event by event leaves them', figure: each(grown) },
    {
      what: `… of all that trackers sent, ${whole(engagements)} engagement events and as many vitals too`,
      figure: each(grown, events + 2 * engagements),
    },
    {
      what: 'raw events of two days, of each of these',
      figure: each(bytes.raw, site.folded.events),
    },
  ]);
}

/**
 * A line per report: milliseconds at each size, the largest growth per five-fold of events, and the baseline at the largest size that
 * has one.
 */
export function printReports(measured: readonly Measured[]): void {
  const compared = measured.findLast(({ baseline }) => baseline !== undefined);
  const names = [...(measured[0]?.times.keys() ?? [])];
  const lines = names.map((name) => {
    const took = measured.map(({ times }) => times.get(name) ?? Number.NaN);
    const growth = worstGrowth(measured, took);
    const theirs = compared?.baseline?.times.get(name);
    const ours = compared?.times.get(name);
    return [
      name,
      ...took.map(milliseconds),
      growth === undefined || !Number.isFinite(growth) ? '' : times(growth),
      theirs === undefined ? '' : milliseconds(theirs),
      theirs === undefined || ours === undefined || !Number.isFinite(theirs / ours)
        ? ''
        : times(theirs / ours),
      missed(measured, name, took, growth),
    ];
  });
  const heads = [
    'milliseconds',
    ...measured.map(({ site }) => `${(site.events / 1e6).toFixed(1)} M`),
    'growth',
    compared === undefined ? 'Umami' : `Umami, ${(compared.site.events / 1e6).toFixed(1)} M`,
    'ratio',
    'aim',
  ];
  printLines(
    `Reports over 90 days, median through the driver. Aim: under ${AIM_MS} ms at 2 million, growth under ` +
      `${AIM_GROWTH}x per five-fold. Twelve reports: ${TWELVE.one} times what pages takes, with two filters ${TWELVE.more}, growth ` +
      `under ${TWELVE.growth}x`,
    [heads, ...lines],
    (at) => at > 0 && at < heads.length - 1,
  );
}

const milliseconds = (ms: number): string => (Number.isFinite(ms) ? ms.toFixed(1) : 'given up');

/** Growth per five-fold of events between neighbouring sizes; undefined with only one size. */
function worstGrowth(measured: readonly Measured[], took: readonly number[]): number | undefined {
  const steps = measured.slice(1).map(({ site }, n) => {
    const fivefolds = Math.log(site.events / (measured[n]?.site.events ?? 1)) / Math.log(FIVEFOLD);
    return ((took[n + 1] ?? 0) / (took[n] ?? 1)) ** (1 / fivefolds);
  });
  return steps.length === 0 ? undefined : Math.max(...steps);
}

function missed(measured: readonly Measured[], name: string, took: readonly number[], growth = 0): string {
  const [first, ...filters] = name.split(', ');
  const isTwelve = first === TWELVE.name;
  const aimOf = ({ times: all }: Measured): number =>
    isTwelve ? (filters.length > 1 ? TWELVE.more : TWELVE.one) * (all.get('pages') ?? 0) : AIM_MS;
  const isSlow = measured.some((one, n) => one.site.events <= AIM_EVENTS && (took[n] ?? 0) >= aimOf(one));
  const isGrowing = growth >= (isTwelve ? TWELVE.growth : AIM_GROWTH);
  const faults = [...(isSlow ? ['slow'] : []), ...(isGrowing ? ['grows'] : [])];
  return faults.length === 0 ? 'met' : faults.join(', ');
}
