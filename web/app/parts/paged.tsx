import { keepPreviousData, type QueryKey, useInfiniteQuery } from '@tanstack/preact-query';
import { words } from '../words/index.ts';

interface Part<Row> {
  data: readonly Row[];
  meta: { nextCursor: string | null };
}

/** A list that is read part by part. `ask` gets what follows the last part. */
export function usePages<Row, Answer extends Part<Row>>(
  queryKey: QueryKey,
  ask: (part: { cursor?: string }, signal: AbortSignal) => Promise<Answer & Part<Row>>,
  /** After how many milliseconds to ask again, by the rows of now; false: not by itself. */
  refetchAfter: (rows: readonly Row[]) => number | false = () => false,
) {
  const { data, ...state } = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam, signal }) => ask(pageParam === undefined ? {} : { cursor: pageParam }, signal),
    initialPageParam: undefined as string | undefined,
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => refetchAfter(state.data?.pages.flatMap((part) => part.data) ?? []),
    getNextPageParam: ({ meta }) => meta.nextCursor ?? undefined,
  });
  return { ...state, rows: data?.pages.flatMap((part) => part.data as Row[]), first: data?.pages[0] };
}

interface MoreProps {
  of: { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage: () => unknown };
}

/** The way to the next part, if there is one. */
export const More = ({ of: { hasNextPage, isFetchingNextPage, fetchNextPage } }: MoreProps) =>
  hasNextPage ? (
    <button type="button" class="button" disabled={isFetchingNextPage} onClick={() => fetchNextPage()}>
      {words.more}
    </button>
  ) : null;
