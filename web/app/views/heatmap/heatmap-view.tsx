import { keepPreviousData, useQuery } from '@tanstack/preact-query';
import type { HeatmapCell } from '../../api/operations.generated.ts';
import { useReader } from '../../api/reader.ts';
import { useWidth } from '../../charts/use-width.ts';
import { exact, time } from '../../format.ts';
import { Failure } from '../../parts/failure.tsx';
import { Scrolls } from '../../parts/scrolls.tsx';
import { behaviourWords } from '../../words/behaviour.ts';
import { words } from '../../words/index.ts';
import { CoverageNote } from '../site/coverage-note.tsx';
import { FilterChips } from '../site/filter-chips.tsx';
import { SiteFrame } from '../site/site-frame.tsx';
import { ReportControls, type ReportedSite, useAsked } from '../site/site-view.tsx';

/** A Monday at 0 o'clock, from which names of weekdays and hours are counted. */
const MONDAY = Date.UTC(2024, 0, 1);
const HOUR_MS = 3_600_000;
const WEEKDAYS = [1, 2, 3, 4, 5, 6, 7] as const;
const HOURS = Array.from({ length: 24 }, (_, hour) => hour);
/** The hours stand side by side where they fit. */
const WIDE = 900;

/** When visits begin in a week. */
export default function HeatmapView({ siteId }: { siteId: string }) {
  return (
    <SiteFrame siteId={siteId} view="heatmap" controls={({ timezone }) => <ReportControls zone={timezone} />}>
      {(site) => <Heatmap site={site} />}
    </SiteFrame>
  );
}

/** Of a member's site, or of a share. */
export function Heatmap({ site }: { site: ReportedSite }) {
  const texts = behaviourWords.heatmap;
  const reader = useReader();
  const asked = useAsked(site);
  const { data, error, refetch, isPlaceholderData } = useQuery({
    queryKey: ['heatmap', asked],
    queryFn: ({ signal }) => reader.page<HeatmapCell>('heatmap', asked, {}, signal),
    placeholderData: keepPreviousData,
  });
  if (error) return <Failure error={error} retry={refetch} />;
  return (
    <>
      <FilterChips />
      {data === undefined && <p class="unseen">{words.loading}</p>}
      {data && (
        <section class={isPlaceholderData ? 'card section dimmed' : 'card section'}>
          <p class="soft">{texts.text(site.timezone)}</p>
          <CoverageNote meta={data.meta} snippet={site.snippet} />
          {data.meta.coverage.observed && <Week cells={data.data} />}
        </section>
      )}
    </>
  );
}

/** Visits of one hour, on average of all such hours of the range; null if the range has none. */
const meanOf = ({ visits, hours }: HeatmapCell): number | null => (hours === 0 ? null : visits / hours);

const weekdayName = (weekday: number): string =>
  time(MONDAY + (weekday - 1) * 24 * HOUR_MS, 'weekday', 'UTC');
/** Mon, lun, seg: all languages cut their weekdays so. */
const shortName = (weekday: number): string => weekdayName(weekday).slice(0, 3);
const hourName = (hour: number, form: 'hour' | 'whole-hour' = 'hour'): string =>
  time(MONDAY + hour * HOUR_MS, form, 'UTC');

function Week({ cells }: { cells: readonly HeatmapCell[] }) {
  const texts = behaviourWords.heatmap;
  const { ref, width } = useWidth<HTMLDivElement>(WIDE);
  const byHour = new Map(cells.map((cell) => [`${cell.weekday} ${cell.hour}`, cell]));
  const busiest = cells.reduce<HeatmapCell | undefined>(
    (most, cell) => ((meanOf(cell) ?? 0) > (most === undefined ? 0 : (meanOf(most) ?? 0)) ? cell : most),
    undefined,
  );
  const highest = (busiest && meanOf(busiest)) || 1;
  const isWide = width >= WIDE;
  const drawn = (weekday: number, hour: number) => {
    const cell = byHour.get(`${weekday} ${hour}`);
    const mean = cell === undefined ? null : meanOf(cell);
    const key = `${weekday} ${hour}`;
    if (cell === undefined || mean === null)
      return <td key={key} class="number unknown" title={words.chart.notObserved} />;
    const label = `${weekdayName(weekday)}, ${hourName(hour)}`;
    return (
      <td
        key={key}
        class="number share"
        style={{ '--share': `${(100 * mean) / highest}%` }}
        title={texts.cell(label, texts.visits(cell.visits, exact(cell.visits)), exact(cell.hours))}
      >
        {exact(mean < 10 ? Math.round(mean * 10) / 10 : Math.round(mean))}
      </td>
    );
  };
  const [rows, columns] = isWide ? [WEEKDAYS, HOURS] : [HOURS, WEEKDAYS];
  const columnName = (column: number): string =>
    isWide ? hourName(column, 'whole-hour') : shortName(column);
  const rowName = (row: number): string => (isWide ? shortName(row) : hourName(row, 'whole-hour'));
  return (
    <div ref={ref}>
      {busiest && <p>{texts.busiest(weekdayName(busiest.weekday), hourName(busiest.hour))}</p>}
      <Scrolls label={words.views.heatmap}>
        <table class="list-table cohorts heatmap">
          <thead>
            <tr>
              <td />
              {columns.map((column) => (
                <th key={column} scope="col">
                  {columnName(column)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row}>
                <th scope="row">{rowName(row)}</th>
                {columns.map((column) => (isWide ? drawn(row, column) : drawn(column, row)))}
              </tr>
            ))}
          </tbody>
        </table>
      </Scrolls>
    </div>
  );
}
