import { keepPreviousData, useQuery } from '@tanstack/preact-query';
import { getOverview } from '../../api/operations.generated.ts';
import type { Asked } from '../../state/site-query.ts';

/** The totals of what is asked for; the last ones while they are loaded. */
export const useOverview = (asked: Asked) =>
  useQuery({
    queryKey: ['overview', asked],
    queryFn: ({ signal }) => getOverview(asked, signal),
    placeholderData: keepPreviousData,
  });
