import { useState } from 'preact/hooks';
import type { QualitySort } from '../../../../lib/analytics/reading/report-inputs.ts';
import type { QualityItem } from '../../api/operations.generated.ts';
import { columnPercent, duration, exact } from '../../format.ts';
import { Field } from '../../parts/field.tsx';
import { SortedHead } from '../../parts/sorted-head.tsx';
import { words } from '../../words/index.ts';
import { type DetailsProps, DetailsTable, NameCell } from './details-table.tsx';
import { useShownRows } from './use-shown-rows.ts';

const REPORT = 'visit-quality';
const COLUMNS: readonly QualitySort[] = ['visits', 'bounceRate', 'avgDuration'];
/** The rates of fewer say little. */
const FEWEST_TO_SORT = 10;
const MAX_LEAST = 1_000_000;

const rowsOf = (data: readonly object[]) => data as QualityItem[];

/** How many visits of each row bounce, and how long they last; sorted by that, rows of few visits are left out. */
export function DetailsQuality({ list, asked, search }: DetailsProps) {
  const [sort, setSort] = useState<QualitySort>('visits');
  const [chosen, setChosen] = useState<number>();
  const minVisits = chosen ?? (sort === 'visits' ? 1 : FEWEST_TO_SORT);
  const part = { by: list.dimension, sort, minVisits };
  const shown = useShownRows<QualityItem>({ list, report: REPORT, asked, search, part, rowsOf });
  const texts = words.quality;
  const choose = (text: string) => {
    const number = Math.trunc(Number(text));
    setChosen(number >= 1 && number <= MAX_LEAST ? number : undefined);
  };
  return (
    <>
      <Field label={texts.atLeast}>
        <input
          class="input few"
          type="number"
          min={1}
          max={MAX_LEAST}
          value={minVisits}
          onChange={({ currentTarget }) => choose(currentTarget.value)}
        />
      </Field>
      <DetailsTable
        {...{ list, asked, search, shown }}
        exported={{ report: REPORT, ...part }}
        head={COLUMNS.map((column) => (
          <SortedHead
            key={column}
            name={words.figures[column]}
            isSorted={column === sort}
            onSort={() => setSort(column)}
          />
        ))}
        notes={() => [...(list.dimension === 'page' ? [words.list.everyPage] : []), texts.measured]}
        row={(row) => (
          <tr key={row.value}>
            <NameCell list={list} value={row.value} />
            <td class="number">{exact(row.visits)}</td>
            <td class="number">{row.bounceRate === null ? '–' : columnPercent(row.bounceRate)}</td>
            <td class="number">{row.avgDuration === null ? '–' : duration(row.avgDuration)}</td>
          </tr>
        )}
      />
    </>
  );
}
