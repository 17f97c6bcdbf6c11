import type { ComponentChildren } from 'preact';
import { Link } from 'wouter-preact';
import type { Overview, ReportMeta } from '../../api/operations.generated.ts';
import { isWithheld } from '../../api/reader.ts';
import { change, count, exact, points, time } from '../../format.ts';
import { Failure } from '../../parts/failure.tsx';
import { type Asked, DRAWN, type Drawn, isMetric, type SiteQuery } from '../../state/site-query.ts';
import { useSiteQuery } from '../../state/use-site-query.ts';
import { words } from '../../words/index.ts';
import { ShownChange } from './change.tsx';
import { Drawing, isOneDay, rangeName } from './drawing.tsx';
import { countOf, figureOf } from './drawn-figure.ts';
import { TierBand } from './tier-band.tsx';
import { useOverview } from './use-overview.ts';
import { leastVisitors } from './visitor-range.ts';

interface TotalsProps {
  asked: Asked;
  zone: string;
  snippet: string | undefined;
  projectId: string | undefined;
}

/** The figures, the chart of one of them, and how they were counted. */
export function Totals({ asked, zone, snippet, projectId }: TotalsProps) {
  const { query } = useSiteQuery();
  const overview = useOverview(asked);
  const error = overview.error;
  if (error) return <Failure error={error} retry={overview.refetch} />;
  if (overview.data && isWithheld(overview.data.meta))
    return (
      <section class="card empty">
        <strong>{words.share.tooFew}</strong>
        <p>{words.share.tooFewText}</p>
      </section>
    );
  return (
    <section class={overview.isPlaceholderData ? 'card dimmed' : 'card'}>
      <Figures overview={overview.data?.data} meta={overview.data?.meta} zone={zone} query={query} />
      <div class="drawing">
        <Drawing {...{ asked, zone, query, projectId }}>
          {overview.data && (
            <FiguresNotes overview={overview.data.data} meta={overview.data.meta} zone={zone} query={query} />
          )}
        </Drawing>
      </div>
      {overview.data ? (
        <TierBand overview={overview.data.data} meta={overview.data.meta} snippet={snippet} />
      ) : (
        <div class="tier-band awaited" />
      )}
    </section>
  );
}

interface FiguresNotesProps {
  overview: Overview;
  meta: ReportMeta;
  zone: string;
  query: SiteQuery;
}

interface FiguresProps {
  overview: Overview | undefined;
  meta: ReportMeta | undefined;
  zone: string;
  query: SiteQuery;
}

function Figures({ overview, meta, zone, query }: FiguresProps) {
  const { hrefOf } = useSiteQuery();
  const names = words.figures;
  const unknown = meta?.coverage.changesUnknown;
  const before = unknown === undefined && query.compare !== undefined ? overview?.previous : undefined;
  const sameTime = meta && sameTimeText(meta, zone);
  const titleOf = (shown: string): string => {
    const change = meta?.comparison
      ? words.compare.against(shown, rangeName(meta.comparison, zone))
      : names.change(shown);
    return sameTime === undefined ? change : `${change}\n${sameTime}`;
  };
  const changed = (by: number) => <ShownChange by={by} title={titleOf(change(by))} />;
  const changeBeside = (metric: Drawn, now: number, then: number | null | undefined): ComponentChildren => {
    if (isMetric(metric)) {
      const by = overview?.[`${metric}Change`];
      return by == null ? null : changed(by);
    }
    if (then == null) return null;
    if (metric !== 'bounceRate') return changed(changeOf(now, then));
    // More of these visits is neither good nor bad by itself.
    return <span title={titleOf(points(now - then))}>{points(now - then)}</span>;
  };
  return (
    <div class="figures">
      {DRAWN.map((metric) => {
        // Where nothing was observed, a zero isn't known either.
        const now = overview && (meta?.coverage.observed ? figureOf(overview, metric) : null);
        const then = before ? figureOf(before, metric) : undefined;
        const caption = overview && meta && captionOf(metric, overview, meta);
        const show = (value: number | null): string => (value === null ? '–' : countOf(metric)(value));
        return (
          <Link
            key={metric}
            class="figure"
            role="button"
            aria-pressed={metric === query.metric}
            aria-description={now == null || !isMetric(metric) ? undefined : exact(now)}
            href={hrefOf({ ...query, metric })}
            title={caption}
          >
            <span class="name">
              {names[metric]}
              {caption !== undefined && <span class="unseen"> {caption}</span>}
            </span>
            <span class="amount">
              <span class="value">{now === undefined ? '\u00a0' : show(now)}</span>{' '}
              {now != null && changeBeside(metric, now, then)}
            </span>
            {then !== undefined && <span class="note">{words.compare.before(show(then))}</span>}
          </Link>
        );
      })}
    </div>
  );
}

/**
 * What the figures need to be read right, a line each: how to read the drawn one, why changes aren't known, up to when they compare, and
 * what seems to contradict. Of a longer period, the changes themselves say up to when: a part of a day changes little there.
 */
function FiguresNotes({ overview, meta, zone, query }: FiguresNotesProps) {
  const { coverage } = meta;
  // A range without observation has its own words below.
  if (!coverage.observed) return null;
  const isShown = isOneDay(query.period) || query.compare !== undefined;
  const lines = [
    captionOf(query.metric, overview, meta),
    coverage.changesUnknown !== undefined
      ? words.compare.unknownBecause[coverage.changesUnknown]
      : isShown && sameTimeText(meta, zone),
    overview.visitors > overview.visits && words.figures.moreVisitors,
  ];
  return lines.map(
    (line) =>
      line && (
        <p key={line} class="soft small">
          {line}
        </p>
      ),
  );
}

/** Up to when of the range before changes compare. Undefined: the range is over. */
function sameTimeText({ range, freshness }: ReportMeta, zone: string): string | undefined {
  if (range.to <= freshness.evaluatedAt) return undefined;
  return words.compare.sameTime(time(freshness.evaluatedAt, 'hour', zone));
}

/** What is known of consented visits alone. */
const isMeasured = (metric: Drawn): boolean => metric === 'bounceRate' || metric === 'avgDuration';

/** How a figure is to be read: how many people the visitors are at least, where anonymous ones count again each day; of how many visits a figure is, where it isn't of all. */
function captionOf(metric: Drawn, overview: Overview, meta: ReportMeta): string | undefined {
  const { visits } = overview;
  const { measured } = meta.coverage;
  if (metric === 'visitors') {
    const least = leastVisitors(overview, meta);
    return least === undefined ? undefined : words.tiers.atLeast(count(least));
  }
  if (!isMeasured(metric) || measured === undefined || measured === visits) return undefined;
  return words.tiers.measured(count(measured), count(visits));
}

/** In percent, as the API says it of the others: from 0 to 0 is 0, from 0 to anything is 100. */
const changeOf = (now: number, before: number): number =>
  before === 0 ? (now === 0 ? 0 : 100) : (100 * (now - before)) / before;
