import { useInfiniteQuery } from '@tanstack/preact-query';
import { Link } from 'wouter-preact';
import { useReader } from '../../api/reader.ts';
import { exact } from '../../format.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { Failure } from '../../parts/failure.tsx';
import { type Asked, withFilter } from '../../state/site-query.ts';
import { useSiteQuery } from '../../state/use-site-query.ts';
import { words } from '../../words/index.ts';
import { type List, rowsOf } from './panels.ts';

const ROWS = 50;

/** The whole list, page by page. */
export function DetailsDialog({ list, asked, onClose }: { list: List; asked: Asked; onClose: () => void }) {
  const reader = useReader();
  const { query, hrefOf } = useSiteQuery();
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery({
    queryKey: ['details', reader.key, list.report, asked],
    queryFn: ({ pageParam, signal }) =>
      reader.page(
        list,
        asked,
        { limit: ROWS, ...(pageParam !== undefined && { cursor: pageParam }) },
        signal,
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ meta }) => meta.nextCursor ?? undefined,
  });
  const rows = data?.pages.flatMap((page) => rowsOf(page.data)) ?? [];
  return (
    <Dialog title={words.panels[list.name]} onClose={onClose}>
      <div class="body scrolls">
        {error && <Failure error={error} retry={refetch} />}
        {data === undefined && !error && <p>{words.loading}</p>}
        <table class="list-table">
          <thead>
            <tr>
              <th>{words.panels[list.name]}</th>
              <th class="number">{words.columns.visitors}</th>
              <th class="number">{words.columns.visits}</th>
              <th class="number">{words.columns.pageviews}</th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ value, visitors, visits, pageviews }) => (
              <tr key={value}>
                <td>
                  <Link
                    href={hrefOf(
                      withFilter(query, { dimension: list.dimension, operator: 'is', values: [value] }),
                    )}
                    onClick={onClose}
                  >
                    {list.show?.(value) ?? value}
                  </Link>
                </td>
                <td class="number">{exact(visitors)}</td>
                <td class="number">{exact(visits)}</td>
                <td class="number">{exact(pageviews)}</td>
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
    </Dialog>
  );
}
