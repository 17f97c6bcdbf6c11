import { useState } from 'preact/hooks';
import { VISIT_DIMENSIONS } from '../../../../lib/visits/dimensions.ts';
import type { ReportMeta } from '../../api/operations.generated.ts';
import type { Sort } from '../../api/reader.ts';
import { columnPercent, exact } from '../../format.ts';
import { SortedHead } from '../../parts/sorted-head.tsx';
import { chosenGoal, METRICS } from '../../state/site-query.ts';
import { useSiteQuery } from '../../state/use-site-query.ts';
import { words } from '../../words/index.ts';
import { Change, observedIn } from './change.tsx';
import { type DetailsProps, DetailsTable, NameCell } from './details-table.tsx';
import { type List, type ListRow, rowsOf } from './panels.ts';
import { useCompare } from './use-overview.ts';
import { useShownRows } from './use-shown-rows.ts';

/** Below which tier a visit has no value. */
const LOWEST_TIERS: Readonly<Partial<Record<string, number>>> = Object.fromEntries([
  ...VISIT_DIMENSIONS.map(({ name, lowestTier }) => [name, lowestTier]),
  ['exit_page', 2],
]);

/** How many visitors, visits and page views each row has, and with a goal its conversions. */
export function DetailsCounts({ list, asked, search }: DetailsProps) {
  const goal = chosenGoal(useSiteQuery().query);
  const compare = useCompare(asked);
  const [sort, setSort] = useState<Sort>(goal === undefined ? list.metric : 'conversions');
  const part = { sort, ...(compare !== undefined && { compare }), ...(goal !== undefined && { goal }) };
  const shown = useShownRows<ListRow>({ list, asked, search, part, rowsOf });
  const comparison = shown.first && observedIn(shown.first.meta);
  const isOfGoal = goal !== undefined;
  return (
    <DetailsTable
      {...{ list, asked, search, shown }}
      exported={{ report: list.report, ...part }}
      head={
        <>
          {METRICS.map((metric) => (
            <SortedHead
              key={metric}
              name={words.columns[metric]}
              isSorted={metric === sort}
              onSort={() => setSort(metric)}
            />
          ))}
          {isOfGoal && (
            <>
              <SortedHead
                name={words.goalColumns.conversions}
                isSorted={sort === 'conversions'}
                onSort={() => setSort('conversions')}
              />
              <th class="number">{words.goalColumns.rate}</th>
            </>
          )}
        </>
      }
      notes={(rows) => [...(isOfGoal ? [words.goalColumns.note] : []), ...notesOf(list, rows)]}
      row={(row) => <Row key={row.value} {...{ list, row, comparison, isOfGoal }} />}
    />
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

interface RowProps {
  list: List;
  row: ListRow;
  comparison: ReportMeta['comparison'];
  isOfGoal: boolean;
}

function Row({ list, row, comparison, isOfGoal }: RowProps) {
  return (
    <tr>
      <NameCell list={list} value={row.value} />
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
