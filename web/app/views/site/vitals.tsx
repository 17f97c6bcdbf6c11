import { keepPreviousData, useQuery } from '@tanstack/preact-query';
import { useState } from 'preact/hooks';
import { type Rating, ratingOf, type Vital } from '../../../../lib/visits/vital-bounds.ts';
import type { ListMeta, VitalsItem } from '../../api/operations.generated.ts';
import { isWithheld, useReader, type VitalsSort } from '../../api/reader.ts';
import { exact, milliseconds, percent, rate, time } from '../../format.ts';
import { Failure } from '../../parts/failure.tsx';
import { More, usePages } from '../../parts/paged.tsx';
import { SortedHead } from '../../parts/sorted-head.tsx';
import { TabList } from '../../parts/tab-list.tsx';
import type { Asked } from '../../state/site-query.ts';
import { useTab } from '../../state/use-parameter.ts';
import { words } from '../../words/index.ts';
import { observedIn } from './change.tsx';
import { ChangeBeside, KeepingCell } from './measure-cells.tsx';
import { listNamed } from './panels.ts';
import { useCompare } from './use-overview.ts';

const ROWS = 8;
const SHOWN = ['lcp', 'inp', 'cls'] as const satisfies readonly Vital[];
const BY = ['page', 'device', 'country', 'browser', 'os'] as const;
type By = (typeof BY)[number];

/** The slowest rows are found among those of as many loads: the 75th percentile of a few says little. */
const FEWEST_TO_SORT = 5;

const RATINGS = ['good', 'needsImprovement', 'poor'] as const satisfies readonly Rating[];

/** How fast pages are: of the whole site, then by page, device and so on. */
export default function Vitals({ asked }: { asked: Asked }) {
  const { shows } = useReader();
  const names = BY.filter((by) => by === 'page' || (shows?.includes(listNamed(by)?.report ?? by) ?? true));
  const [by = 'page', choose] = useTab('vitals', names);
  const [sort, setSort] = useState<VitalsSort>('measured');
  const site = useWhole(asked);
  const list = useRows(asked, by, sort);
  const error = site.error ?? list.error;
  const { rows, first, refetch } = list;
  if (error) return <Failure error={error} retry={site.error ? site.refetch : refetch} />;
  const meta = first?.meta;
  const isCompared = meta !== undefined && observedIn(meta) !== undefined;
  const texts = words.measures;
  const whole = site.data?.data?.[0];
  const isLoading = rows === undefined || site.data === undefined;
  return (
    <>
      <TabList
        label={texts.by}
        names={names}
        chosen={by}
        textOf={(one) => words.dimensions[one].list}
        onChoose={choose}
      />
      <div class={list.isPlaceholderData ? 'rows measures dimmed' : 'rows measures'} aria-busy={isLoading}>
        {isLoading && <span class="unseen">{words.loading}</span>}
        {!isLoading && whole === undefined ? (
          <p class="empty">{isWithheld(site.data?.meta ?? {}) ? words.share.tooFewText : texts.none}</p>
        ) : (
          <table>
            <thead>
              <tr>
                <th>{words.dimensions[by].list}</th>
                {SHOWN.map((vital) => (
                  <SortedHead
                    key={vital}
                    name={texts.p75(texts.columns[vital])}
                    title={texts.long[vital]}
                    isSorted={sort === vital}
                    onSort={() => setSort(vital)}
                  />
                ))}
                <SortedHead
                  name={texts.loads}
                  isSorted={sort === 'measured'}
                  onSort={() => setSort('measured')}
                />
              </tr>
            </thead>
            <tbody>
              {whole && (
                <tr class="whole">
                  <th scope="row">{texts.site}</th>
                  <VitalCells row={whole} isCompared={isCompared} />
                </tr>
              )}
              {rows?.map((row) => {
                const value = row.path ?? row.value ?? '';
                return (
                  <tr key={value}>
                    <KeepingCell dimension={by} value={value} shown={listNamed(by)?.show?.(value)} />
                    <VitalCells row={row} isCompared={isCompared} />
                  </tr>
                );
              })}
            </tbody>
          </table>
        )}
        {whole !== undefined && rows?.length === 0 && (
          <p class="empty">{meta && isWithheld(meta) ? words.share.tooFewText : texts.noRows}</p>
        )}
      </div>
      <More of={list} />
      <p class="soft small">{notesOf(meta, sort).join(' ')}</p>
    </>
  );
}

/** What the figures are of, and what isn't in them. */
function notesOf(meta: ListMeta | undefined, sort: VitalsSort): string[] {
  const { note, few, since, never } = words.measures;
  const from = meta?.coverage.vitalsFrom;
  return [
    note,
    ...(sort === 'measured' ? [] : [few(exact(FEWEST_TO_SORT))]),
    ...(meta === undefined || from === undefined
      ? []
      : from === null
        ? [never]
        : from > meta.range.from
          ? [since(time(from, 'long-day', meta.range.timezone))]
          : []),
  ];
}

function useWhole(asked: Asked) {
  const reader = useReader();
  const compare = useCompare(asked);
  return useQuery({
    queryKey: ['measures', reader.key, 'vitals_site', asked, compare],
    queryFn: () => reader.report<VitalsItem[] | null>('vitals_site', asked, { compare }),
    placeholderData: keepPreviousData,
  });
}

function useRows(asked: Asked, by: By, sort: VitalsSort) {
  const reader = useReader();
  const compare = useCompare(asked);
  const wanted = {
    ...{ by, sort, limit: ROWS },
    ...(sort !== 'measured' && { minMeasured: FEWEST_TO_SORT }),
    ...(compare !== undefined && { compare }),
  };
  return usePages<VitalsItem, { data: VitalsItem[]; meta: ListMeta }>(
    ['vitals', reader.key, asked, wanted],
    async (part, signal) => {
      const { data, meta } = await reader.page('vitals', asked, { ...wanted, ...part }, signal);
      return { data: (data ?? []) as unknown as VitalsItem[], meta };
    },
  );
}

const VitalCells = ({ row, isCompared }: { row: VitalsItem; isCompared: boolean }) => (
  <>
    {SHOWN.map((vital) => (
      <VitalCell key={vital} {...{ vital, row, isCompared }} />
    ))}
    <td class="number soft">{exact(row.measured)}</td>
  </>
);

function VitalCell({ vital, row, isCompared }: { vital: Vital; row: VitalsItem; isCompared: boolean }) {
  const [value, shares] = [row[vital], row.shares[vital]];
  if (value === null || shares === null)
    return (
      <td class="number soft" title={words.chart.notObserved}>
        –
      </td>
    );
  const { ratings, sharesOf } = words.measures;
  const rating = ratingOf(vital, value);
  const [good, middling, poor] = RATINGS.map((one) => percent(shares[one], 0)) as [string, string, string];
  return (
    <td class="number">
      <span class={`rated ${rating}`} title={ratings[rating]}>
        {vital === 'cls' ? rate(value) : milliseconds(value)}
      </span>
      <span
        class="rating-shares"
        role="img"
        aria-label={sharesOf(good, middling, poor)}
        title={sharesOf(good, middling, poor)}
      >
        {RATINGS.map((one) => (
          <span key={one} class={one} style={{ flexGrow: shares[one] }} />
        ))}
      </span>
      <ChangeBeside
        now={value}
        before={isCompared ? (row.previous?.[vital] ?? null) : undefined}
        lessIsBetter
      />
    </td>
  );
}
