import { useEffect } from 'preact/hooks';
import { Link, useLocation } from 'wouter-preact';
import type { ListMeta } from '../../api/operations.generated.ts';
import { isWithheld, useReader } from '../../api/reader.ts';
import { NumbersDetails } from '../../charts/numbers-table.tsx';
import { columnPercent, country, exact, percent } from '../../format.ts';
import { Failure } from '../../parts/failure.tsx';
import { usePages } from '../../parts/paged.tsx';
import { type Asked, chosenGoal, METRICS, withFilter, withoutGoal } from '../../state/site-query.ts';
import { useSiteQuery } from '../../state/use-site-query.ts';
import { words } from '../../words/index.ts';
import { WorldMap } from '../../world/world-map.tsx';
import { observedIn } from './change.tsx';
import { type List, type ListRow, rowsOf } from './panels.ts';
import { useCompare, useOverview } from './use-overview.ts';

/** As many as the API gives at once. */
const ROWS = 100;
/** The countries that are named below the map. */
const NAMED = 4;

/** The list of countries as a map, and the same figures as a table. With a chosen goal it shows conversions, as the list does. */
export default function CountriesMap({ list, asked }: { list: List; asked: Asked }) {
  const { query, hrefOf } = useSiteQuery();
  const [, navigate] = useLocation();
  const all = useOverview(asked).data?.data[list.metric];
  const goal = chosenGoal(query);
  const { rows, first, error, refetch, isPlaceholderData } = useAllRows(list, asked, goal);
  if (error) return <Failure error={error} retry={refetch} />;
  const texts = words.dimensions[list.dimension].list;
  const isCompared = first !== undefined && observedIn(first.meta) !== undefined;
  const metric = goal === undefined ? list.metric : 'conversions';
  const figureOf = (row: ListRow): number => row[metric] ?? 0;
  const figureText = (row: ListRow): string => (row[metric] == null ? '–' : exact(figureOf(row)));
  const shareOf = (row: ListRow): string => {
    if (goal !== undefined) return rateText(row);
    return all && figureOf(row) <= all ? percent((100 * figureOf(row)) / all, 0) : '';
  };
  const shownOf = (row: ListRow): string =>
    goal === undefined
      ? shareOf(row) || exact(figureOf(row))
      : [figureText(row), shareOf(row)].filter(Boolean).join(' · ');
  const keep = (code: string): void =>
    navigate(hrefOf(withFilter(query, { dimension: list.dimension, operator: 'is', values: [code] })));
  return (
    <div class={isPlaceholderData ? 'rows world dimmed' : 'rows world'} aria-busy={rows === undefined}>
      <WorldMap
        name={goal === undefined ? texts : `${texts}: ${words.goalColumns.conversions}`}
        places={(rows ?? []).map((row) => ({
          code: row.value,
          name: country(row.value),
          weight: figureOf(row),
          text: [figureText(row), shareOf(row)].filter(Boolean).join(' · '),
        }))}
        // Where nothing was observed, a country without visits isn't one with 0.
        isHatched={first?.meta.coverage.observed === false}
        none={
          first === undefined
            ? words.loading
            : first.meta.coverage.observed
              ? words.map.none
              : words.chart.notObserved
        }
        onOpen={keep}
      />
      {first && rows?.length === 0 && (
        <p class="soft">{isWithheld(first.meta) ? words.share.tooFewText : words.empty.none}</p>
      )}
      <ol class="parts" aria-label={texts}>
        {(rows ?? []).slice(0, NAMED).map((row) => (
          <li key={row.value}>
            <Link
              href={hrefOf(
                withFilter(query, { dimension: list.dimension, operator: 'is', values: [row.value] }),
              )}
              aria-label={words.filters.only(country(row.value))}
            >
              {country(row.value)}
            </Link>{' '}
            <span class="soft">{shownOf(row)}</span>
          </li>
        ))}
      </ol>
      <NumbersDetails
        times={[texts]}
        names={[
          ...METRICS.flatMap((column) => [
            words.columns[column],
            ...(isCompared ? [words.compare.column(words.columns[column])] : []),
          ]),
          ...(goal === undefined ? [] : [words.goalColumns.conversions, words.goalColumns.rate]),
        ]}
        rows={() =>
          (rows ?? []).map((row) => ({
            key: row.value,
            times: [country(row.value)],
            numbers: [
              ...METRICS.flatMap((column) => [
                exact(row[column]),
                ...(isCompared ? [row.previous ? exact(row.previous[column]) : '–'] : []),
              ]),
              ...(goal === undefined ? [] : [figureText(row), rateText(row) || '–']),
            ],
          }))
        }
      />
    </div>
  );
}

const rateText = ({ conversionRate }: ListRow): string =>
  conversionRate == null ? '' : columnPercent(conversionRate);

/** A map with some of the countries would be wrong about the others. */
function useAllRows(list: List, asked: Asked, goal: string | undefined) {
  const reader = useReader();
  const compare = useCompare(asked);
  const { rows, ...pages } = usePages<object, { data: object[]; meta: ListMeta }>(
    ['map', reader.key, list.report, asked, compare],
    (part, signal) =>
      reader.page(
        list.report,
        goal === undefined ? asked : withoutGoal(asked),
        {
          ...{ limit: ROWS, sort: goal === undefined ? list.metric : 'conversions' },
          ...(goal !== undefined && { goal }),
          ...(compare !== undefined && { compare }),
          ...part,
        },
        signal,
      ),
  );
  const { hasNextPage, isFetching, fetchNextPage } = pages;
  useEffect(() => {
    if (hasNextPage && !isFetching) void fetchNextPage();
  }, [hasNextPage, isFetching, fetchNextPage]);
  return { ...pages, rows: rows && rowsOf(rows) };
}
