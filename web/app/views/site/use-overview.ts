import { keepPreviousData, useQuery } from '@tanstack/preact-query';
import type { Overview } from '../../api/operations.generated.ts';
import { useReader } from '../../api/reader.ts';
import { type Asked, comparedOf } from '../../state/site-query.ts';
import { useSiteQuery } from '../../state/use-site-query.ts';

/** The totals of what is asked for; the last ones while they are loaded. They have changes against the period before without being asked. */
export function useOverview(asked: Asked) {
  const reader = useReader();
  const { query } = useSiteQuery();
  const before = comparedOf({ ...query, compare: query.compare ?? 'previous' }, asked);
  const compare = query.compare === undefined && before === 'previous' ? undefined : before;
  return useQuery({
    queryKey: ['overview', reader.key, asked, compare],
    queryFn: () => reader.report<Overview>('overview', asked, { compare }),
    placeholderData: keepPreviousData,
  });
}

/** What the address compares with, as the reports take it that know comparisons. */
export const useCompare = (asked: Asked): string | undefined => comparedOf(useSiteQuery().query, asked);
