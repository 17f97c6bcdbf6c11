import { useEffect, useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { VISIT_DIMENSIONS } from '../../../../lib/visits/dimensions.ts';
import type { ListMeta, ReportMeta } from '../../api/operations.generated.ts';
import { isWithheld, type Sort, useReader } from '../../api/reader.ts';
import { columnPercent, exact } from '../../format.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { Failure } from '../../parts/failure.tsx';
import { More, usePages } from '../../parts/paged.tsx';
import { Scrolls } from '../../parts/scrolls.tsx';
import { SortedHead } from '../../parts/sorted-head.tsx';
import { type Asked, chosenGoal, METRICS, withFilter, withoutGoal } from '../../state/site-query.ts';
import { useSiteQuery } from '../../state/use-site-query.ts';
import { words } from '../../words/index.ts';
import { Change, observedIn } from './change.tsx';
import { exportHref, FORMATS } from './exports.ts';
import { type List, type ListRow, rowsOf } from './panels.ts';
import { useCompare } from './use-overview.ts';

/** Below which tier a visit has no value. */
const LOWEST_TIERS: Readonly<Partial<Record<string, number>>> = Object.fromEntries([
  ...VISIT_DIMENSIONS.map(({ name, lowestTier }) => [name, lowestTier]),
  ['exit_page', 2],
]);

const ROWS = 50;
/** As many as the API gives at once. */
const ALL_ROWS = 100;

interface DetailsDialogProps {
  list: List;
  asked: Asked;
  onClose: () => void;
}

/** The whole list, part by part: searched, and sorted by any of its figures. */
export default function DetailsDialog({ list, asked, onClose }: DetailsDialogProps) {
  const [search, setSearch] = useState('');
  const goal = chosenGoal(useSiteQuery().query);
  const [sort, setSort] = useState<Sort>(goal === undefined ? list.metric : 'conversions');
  const shown = useShownRows({
    ...{ list, search: search.trim(), sort, goal },
    asked: goal === undefined ? asked : withoutGoal(asked),
  });
  const { error, refetch, rows } = shown;
  const reader = useReader();
  const compare = useCompare();
  const exported = {
    compare,
    goal,
    ...(search.trim() !== '' && list.show === undefined && { search: search.trim() }),
    sort,
  };
  const comparison = shown.first && observedIn(shown.first.meta);
  const texts = words.list;
  return (
    <Dialog title={words.dimensions[list.dimension].list} onClose={onClose}>
      <div class="body form">
        <input
          class="input"
          type="search"
          autofocus
          aria-label={texts.search}
          placeholder={texts.search}
          maxLength={200}
          value={search}
          onInput={({ currentTarget }) => setSearch(currentTarget.value)}
        />
        {error && <Failure error={error} retry={refetch} />}
        <Scrolls label={words.dimensions[list.dimension].list}>
          <table class="list-table details">
            <thead>
              <tr>
                <th>{words.dimensions[list.dimension].list}</th>
                {METRICS.map((metric) => (
                  <SortedHead
                    key={metric}
                    name={words.columns[metric]}
                    isSorted={metric === sort}
                    onSort={() => setSort(metric)}
                  />
                ))}
                {goal !== undefined && (
                  <>
                    <SortedHead
                      name={words.goalColumns.conversions}
                      isSorted={sort === 'conversions'}
                      onSort={() => setSort('conversions')}
                    />
                    <th class="number">{words.goalColumns.rate}</th>
                  </>
                )}
              </tr>
            </thead>
            <tbody>
              {rows?.map((row) => (
                <Row key={row.value} {...{ list, row, comparison }} isOfGoal={goal !== undefined} />
              ))}
            </tbody>
          </table>
          {rows === undefined && !error && <p class="empty">{words.loading}</p>}
          {rows?.length === 0 && !shown.hasNextPage && (
            <p class="empty" role="status">
              {shown.first && isWithheld(shown.first.meta)
                ? words.share.tooFewText
                : search === ''
                  ? words.empty.none
                  : texts.notFound}
            </p>
          )}
        </Scrolls>
        <More of={shown} />
        {rows &&
          [...(goal === undefined ? [] : [words.goalColumns.note]), ...notesOf(list, rows)].map((note) => (
            <p key={note} class="soft small">
              {note}
            </p>
          ))}
      </div>
      {reader.shows === undefined && (
        <footer>
          {FORMATS.map((format) => (
            <a
              key={format}
              class="button"
              href={exportHref(
                list.report,
                format,
                goal === undefined ? asked : withoutGoal(asked),
                exported,
              )}
              download
            >
              {format.toUpperCase()}
            </a>
          ))}
        </footer>
      )}
    </Dialog>
  );
}

/** Why the figures of a list differ from those of the whole site, and visitors from visits. */
function notesOf({ dimension }: List, rows: readonly ListRow[]): string[] {
  const texts = words.list;
  const lowest = LOWEST_TIERS[dimension] ?? 1;
  return [
    ...(dimension === 'page' ? [texts.everyPage] : []),
    ...(dimension.startsWith('utm_') ? [texts.unset] : []),
    ...(lowest > 1 ? [lowest === 2 ? texts.sessions : texts.consented] : []),
    ...(rows.some(({ visitors, visits }) => visitors > visits) ? [words.figures.moreVisitors] : []),
  ];
}

interface Wanted {
  list: List;
  asked: Asked;
  search: string;
  sort: Sort;
  goal: string | undefined;
}

/** The rows that are searched for. The API knows no names in the reader's language: such lists are read whole and searched here. */
function useShownRows({ list, asked, search, sort, goal }: Wanted) {
  const reader = useReader();
  const compare = useCompare();
  const { show } = list;
  const searchesHere = show !== undefined && search !== '';
  const wanted = {
    limit: searchesHere ? ALL_ROWS : ROWS,
    sort,
    ...(search !== '' && !searchesHere && { search }),
    ...(compare !== undefined && { compare }),
    ...(goal !== undefined && { goal }),
  };
  const { rows, ...pages } = usePages<object, { data: object[]; meta: ListMeta }>(
    ['details', reader.key, list.report, asked, wanted],
    (part, signal) => reader.page(list.report, asked, { ...wanted, ...part }, signal),
  );
  const { hasNextPage, isFetching, fetchNextPage } = pages;
  useEffect(() => {
    if (searchesHere && hasNextPage && !isFetching) void fetchNextPage();
  }, [searchesHere, hasNextPage, isFetching, fetchNextPage]);
  const all = rows && rowsOf(rows);
  const isFound = ({ value }: ListRow): boolean =>
    `${show?.(value)} ${value}`.toLocaleLowerCase().includes(search.toLocaleLowerCase());
  return { ...pages, rows: searchesHere ? all?.filter(isFound) : all };
}

interface RowProps {
  list: List;
  row: ListRow;
  comparison: ReportMeta['comparison'];
  isOfGoal: boolean;
}

function Row({ list, row, comparison, isOfGoal }: RowProps) {
  const { query, hrefOf } = useSiteQuery();
  return (
    <tr>
      <td>
        <Link
          href={hrefOf(withFilter(query, { dimension: list.dimension, operator: 'is', values: [row.value] }))}
        >
          {list.show?.(row.value) ?? row.value}
        </Link>
      </td>
      {METRICS.map((metric) => (
        <td key={metric} class="number">
          {exact(row[metric])}
          {comparison && (
            <small>
              <Change now={row[metric]} before={row.previous?.[metric]} />
            </small>
          )}
        </td>
      ))}
      {isOfGoal && (
        <>
          <td class="number">{row.conversions == null ? '–' : exact(row.conversions)}</td>
          <td class="number">{row.conversionRate == null ? '–' : columnPercent(row.conversionRate)}</td>
        </>
      )}
    </tr>
  );
}
