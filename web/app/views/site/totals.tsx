import type { ComponentChildren } from 'preact';
import { Link } from 'wouter-preact';
import type { Overview, ReportMeta } from '../../api/operations.generated.ts';
import { isWithheld } from '../../api/reader.ts';
import { change, duration, exact, percent, points } from '../../format.ts';
import { Failure } from '../../parts/failure.tsx';
import { type Asked, DRAWN, type Drawn, type SiteQuery } from '../../state/site-query.ts';
import { useSiteQuery } from '../../state/use-site-query.ts';
import { words } from '../../words/index.ts';
import { ShownChange } from './change.tsx';
import { Drawing, rangeName } from './drawing.tsx';
import { figureOf, formatOf } from './drawn-figure.ts';
import { TierBand } from './tier-band.tsx';
import { useOverview } from './use-overview.ts';

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
        <Drawing {...{ asked, zone, query, projectId }} />
      </div>
      {overview.data && (
        <TierBand overview={overview.data.data} meta={overview.data.meta} snippet={snippet} />
      )}
    </section>
  );
}

interface FiguresProps {
  overview: Overview | undefined;
  meta: ReportMeta | undefined;
  zone: string;
  query: SiteQuery;
}

/** Whether something was observed in the other range. Against nothing there is no change to show. */
function hasBefore({ range, comparison, coverage: { since } }: ReportMeta): boolean {
  if (comparison !== undefined) return comparison.observed;
  const [from, to] = [Date.parse(range.from), Date.parse(range.to)];
  return since !== null && Date.parse(since) <= from - (to - from) / 2;
}

function Figures({ overview, meta, zone, query }: FiguresProps) {
  const { hrefOf } = useSiteQuery();
  const names = words.figures;
  const isCompared = meta !== undefined && hasBefore(meta);
  const before = isCompared ? overview?.previous : undefined;
  const titleOf = (shown: string): string =>
    meta?.comparison ? words.compare.against(shown, rangeName(meta.comparison, zone)) : names.change(shown);
  const changed = (by: number, text = change(by)) => (
    <ShownChange by={by} text={text} title={titleOf(text)} />
  );
  const drawn = (metric: Drawn): ComponentChildren => {
    const now = overview && figureOf(overview, metric);
    const then = before && figureOf(before, metric);
    const show = formatOf(metric);
    return (
      <Link
        key={metric}
        class="figure"
        role="button"
        aria-pressed={metric === query.metric}
        aria-description={now === undefined ? undefined : exact(now)}
        href={hrefOf({ ...query, metric })}
      >
        <Figure
          name={names[metric]}
          value={now === undefined ? undefined : show(now)}
          note={
            isCompared &&
            overview &&
            (metric !== 'viewsPerVisit'
              ? changed(overview[`${metric}Change`])
              : then != null && now !== undefined && changed(changeOf(now, then)))
          }
          before={then == null ? undefined : show(then)}
        />
      </Link>
    );
  };
  const { bounceRate, avgDuration } = overview ?? {};
  return (
    <div class="figures">
      {DRAWN.map(drawn)}
      <div class="figure">
        <Figure
          name={names.bounceRate}
          value={bounceRate === undefined ? undefined : percent(bounceRate)}
          note={
            before &&
            bounceRate !== undefined && (
              // More of these visits is neither good nor bad by itself.
              <span title={titleOf(points(bounceRate - before.bounceRate))}>
                {points(bounceRate - before.bounceRate)}
              </span>
            )
          }
          before={before && percent(before.bounceRate)}
        />
      </div>
      <div class="figure">
        <Figure
          name={names.avgDuration}
          value={avgDuration === undefined ? undefined : duration(avgDuration)}
          note={before && avgDuration !== undefined && changed(changeOf(avgDuration, before.avgDuration))}
          before={before && duration(before.avgDuration)}
        />
      </div>
    </div>
  );
}

/** In percent, as the API says it of the others: from 0 to 0 is 0, from 0 to anything is 100. */
const changeOf = (now: number, before: number): number =>
  before === 0 ? (now === 0 ? 0 : 100) : (100 * (now - before)) / before;

interface FigureProps {
  name: string;
  value: string | undefined;
  note?: ComponentChildren;
  /** The value in the other range. */
  before?: string | false | null | undefined;
}

const Figure = ({ name, value, note, before }: FigureProps) => (
  <>
    <span class="name">{name}</span>
    <span class="value">{value ?? '\u00a0'}</span>
    <span class="note">
      {note}
      {before && <span> {words.compare.before(before)}</span>}
    </span>
  </>
);
