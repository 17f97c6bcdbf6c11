import { keepPreviousData, useInfiniteQuery } from '@tanstack/preact-query';
import { useEffect, useMemo } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { type LogRecord, listLogs } from '../../api/operations.generated.ts';
import { exact, time } from '../../format.ts';
import { valueText } from '../../parts/attribute-list.tsx';
import { Failure } from '../../parts/failure.tsx';
import { Severity, severityName } from '../../parts/severity.tsx';
import { useFixedRows } from '../../parts/use-fixed-rows.ts';
import { isShortcut } from '../../state/own-preferences.ts';
import { askedOf, type EnvironmentIds, useFields } from '../../state/telemetry-query.ts';
import { backendWords } from '../../words/backend.ts';
import { words } from '../../words/index.ts';
import { EnvironmentFrame } from '../environment/environment-frame.tsx';
import { ChoiceFilter, FilterForm, ServiceFilter, TextFilter } from '../environment/filter-form.tsx';
import { NotObserved } from '../environment/not-observed.tsx';
import { Observed } from '../environment/observed.tsx';
import { RangeMenu } from '../environment/range-menu.tsx';
import { findRecord, recordNames } from './record-names.ts';
import { RecordPanel } from './record-panel.tsx';
import { LOG_FILTERS, Volume } from './volume.tsx';

const SEVERITIES = ['trace', 'debug', 'info', 'warn', 'error', 'fatal'] as const;
const PAGE = 100;
const ROW = 28;
const LIVE_MS = 3000;
/** Most pages that are loaded to find the record that the address names. */
const MOST_SEARCHED = 10;

/** The logs of the environment. The chosen record is in the address. */
export default function LogsView({ environment }: { environment: EnvironmentIds }) {
  const { fields, hrefWith } = useFields();
  const isLive = fields.live !== undefined;
  const { logs, severities } = backendWords;
  return (
    <EnvironmentFrame
      environment={environment}
      view="logs"
      controls={
        <>
          <Link
            class="button"
            role="button"
            aria-pressed={isLive}
            href={
              isLive
                ? hrefWith({ live: undefined })
                : hrefWith({ live: '1', at: undefined, period: '15m', from: undefined, to: undefined })
            }
          >
            {isLive ? logs.stop : logs.live}
          </Link>
          <RangeMenu />
        </>
      }
    >
      <FilterForm>
        <ServiceFilter environment={environment} />
        <ChoiceFilter
          name="severity"
          label={logs.severity}
          any={logs.anySeverity}
          choices={SEVERITIES.map((name) => [name, severities[name]])}
        />
        <TextFilter name="text" label={logs.words} />
        <TextFilter name="traceId" label={logs.trace} />
      </FilterForm>
      <Volume environment={environment} isLive={isLive} />
      <LogList environment={environment} isLive={isLive} />
    </EnvironmentFrame>
  );
}

function LogList({ environment, isLive }: { environment: EnvironmentIds; isLive: boolean }) {
  const { fields, go } = useFields();
  const asked = askedOf(environment, fields, LOG_FILTERS);
  const texts = backendWords.logs;
  const { data, error, refetch, isPlaceholderData, hasNextPage, fetchNextPage, isFetching } =
    useInfiniteQuery({
      queryKey: ['logs', asked, isLive],
      queryFn: ({ pageParam, signal }) =>
        listLogs({ ...asked, limit: PAGE, ...(pageParam !== undefined && { cursor: pageParam }) }, signal),
      initialPageParam: undefined as string | undefined,
      getNextPageParam: ({ meta }) => meta.nextCursor ?? undefined,
      placeholderData: keepPreviousData,
      refetchInterval: isLive ? LIVE_MS : false,
    });
  const records = useMemo(() => data?.pages.flatMap((page) => page.data) ?? [], [data]);
  const names = useMemo(() => recordNames(records), [records]);
  const chosen = findRecord(names, fields.at);
  const choose = (index: number): void => go({ at: names[index] }, { replace: true });

  const isSearching =
    fields.at !== undefined &&
    chosen === undefined &&
    hasNextPage &&
    (data?.pages.length ?? 0) < MOST_SEARCHED;
  useEffect(() => {
    if (isSearching && !isFetching) fetchNextPage();
  }, [isSearching, isFetching, fetchNextPage]);

  if (error) return <Failure error={error} retry={refetch} />;
  if (data === undefined) return <p class="empty">{words.loading}</p>;
  const last = data.pages.at(-1)?.meta;
  const examined = data.pages.reduce((sum, { meta }) => sum + meta.examined, 0);
  const record = chosen === undefined ? undefined : records[chosen];
  return (
    <div class={isPlaceholderData ? 'dimmed' : undefined}>
      {records.length === 0 ? (
        <NotObserved environment={environment} observed={last?.coverage.observed ?? false} />
      ) : (
        <div class="trace">
          <Records records={records} chosen={chosen} choose={choose} />
          <RecordPanel
            environment={environment}
            record={record}
            close={() => go({ at: undefined }, { replace: true })}
          />
        </div>
      )}
      <p class="list-end">
        {last && (
          <span class="soft">
            {texts.examined(examined, exact(examined))} ·{' '}
            {texts.back(time(last.searchedFrom, 'instant', 'UTC'))}
          </span>
        )}
        {last && <Observed {...last} />}
        {hasNextPage && !isLive && (
          <button type="button" class="button" disabled={isFetching} onClick={() => fetchNextPage()}>
            {words.more}
          </button>
        )}
      </p>
    </div>
  );
}

interface RecordsProps {
  records: readonly LogRecord[];
  chosen: number | undefined;
  choose: (index: number) => void;
}

/** A row for each record. Only the rows in view are drawn. */
function Records({ records, chosen, choose }: RecordsProps) {
  const { ref, first, last, reveal, page } = useFixedRows({ count: records.length, height: ROW });
  useEffect(() => {
    if (chosen !== undefined) reveal(chosen);
  }, [chosen, reveal]);
  const press = (event: KeyboardEvent): void => {
    if (!isShortcut(event)) return;
    const by = {
      ...{ j: 1, ArrowDown: 1, k: -1, ArrowUp: -1, s: page(), PageDown: page(), w: -page() },
      ...{ PageUp: -page(), Home: -records.length, End: records.length },
    }[event.key];
    if (by === undefined) return;
    event.preventDefault();
    // With none chosen, a step down is to the first.
    choose(Math.min(records.length - 1, Math.max(0, (chosen ?? -1) + by)));
  };
  return (
    <div
      ref={ref}
      class="fixed-rows"
      role="listbox"
      tabIndex={0}
      aria-label={backendWords.logs.list}
      aria-activedescendant={
        chosen !== undefined && chosen >= first && chosen < last ? `record-${chosen}` : undefined
      }
      onKeyDown={press}
    >
      <div class="all" role="presentation" style={{ height: `${records.length * ROW}px` }}>
        {records.slice(first, last).map((record, row) => {
          const index = first + row;
          return (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the list around it has the keys
            <div
              key={index}
              id={`record-${index}`}
              role="option"
              tabIndex={-1}
              aria-selected={index === chosen}
              class={`log-row ${severityName(record.severityNumber)}`}
              style={{ top: `${index * ROW}px` }}
              onClick={() => choose(index)}
            >
              <span class="when">{time(record.time, 'instant', 'UTC')}</span>
              <Severity number={record.severityNumber} />
              <span class="soft service">{record.service}</span>
              <span class="text">{valueText(record.body) || record.eventName}</span>
            </div>
          );
        })}
      </div>
    </div>
  );
}
