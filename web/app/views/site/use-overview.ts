import { keepPreviousData, useQuery } from '@tanstack/preact-query';
import type { Overview } from '../../api/operations.generated.ts';
import { useReader } from '../../api/reader.ts';
import type { Asked } from '../../state/site-query.ts';

/** The totals of what is asked for; the last ones while they are loaded. */
export function useOverview(asked: Asked) {
  const reader = useReader();
  return useQuery({
    queryKey: ['overview', reader.key, asked],
    queryFn: () => reader.report<Overview>('overview', asked),
    placeholderData: keepPreviousData,
  });
}
