import { useInfiniteQuery, useQuery } from '@tanstack/preact-query';
import { useState } from 'preact/hooks';
import { getEventProps } from '../../api/operations.generated.ts';
import { exact } from '../../format.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { Failure } from '../../parts/failure.tsx';
import type { Asked } from '../../state/site-query.ts';
import { words } from '../../words/index.ts';

const KEYS = 100;
const VALUES = 50;

interface PropertiesDialogProps {
  asked: Asked;
  event: string;
  onClose: () => void;
}

/** The properties of an event, and the values of one of them. */
export function PropertiesDialog({ asked, event, onClose }: PropertiesDialogProps) {
  const told = words.events;
  const [chosen, setChosen] = useState<string | undefined>();
  const { data, error, refetch } = useQuery({
    queryKey: ['event-keys', event, asked],
    queryFn: ({ signal }) => getEventProps({ ...asked, name: event, limit: KEYS }, signal),
  });
  const keys = data?.data ?? [];
  const key = chosen ?? keys[0]?.key;
  return (
    <Dialog title={told.open(event)} onClose={onClose}>
      <div class="body form">
        {error && <Failure error={error} retry={refetch} />}
        {data === undefined && !error && <p>{words.loading}</p>}
        {data && keys.length === 0 && <p class="empty">{told.noProperties}</p>}
        {keys.length > 0 && (
          <div class="tabs" role="tablist" aria-label={told.property}>
            {keys.map((one) => (
              <button
                key={one.key}
                type="button"
                role="tab"
                aria-selected={one.key === key}
                onClick={() => setChosen(one.key)}
              >
                {one.key} <span class="soft">{exact(one.events)}</span>
              </button>
            ))}
          </div>
        )}
        {key !== undefined && <Values key={key} asked={asked} event={event} property={key} />}
      </div>
    </Dialog>
  );
}

function Values({ asked, event, property }: { asked: Asked; event: string; property: string }) {
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery({
    queryKey: ['event-values', event, property, asked],
    queryFn: ({ pageParam, signal }) =>
      getEventProps(
        {
          ...{ ...asked, name: event, key: property, limit: VALUES },
          ...(pageParam !== undefined && { cursor: pageParam }),
        },
        signal,
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ meta }) => meta.nextCursor ?? undefined,
  });
  if (error) return <Failure error={error} retry={refetch} />;
  return (
    <div class="scrolls" role="tabpanel" aria-label={property}>
      <table class="list-table">
        <thead>
          <tr>
            <th>{words.events.value}</th>
            <th class="number">{words.events.times}</th>
            <th class="number">{words.columns.visits}</th>
            <th class="number">{words.columns.visitors}</th>
          </tr>
        </thead>
        <tbody>
          {data?.pages
            .flatMap((page) => page.data)
            .map(({ value, events, visits, visitors }) => (
              <tr key={value}>
                <td>{value ?? <span class="soft">{words.events.unset}</span>}</td>
                <td class="number">{exact(events)}</td>
                <td class="number">{exact(visits)}</td>
                <td class="number">{exact(visitors)}</td>
              </tr>
            ))}
        </tbody>
      </table>
      {hasNextPage && (
        <button type="button" class="button" disabled={isFetchingNextPage} onClick={() => fetchNextPage()}>
          {words.more}
        </button>
      )}
    </div>
  );
}
