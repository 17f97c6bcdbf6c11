import { keepPreviousData, useQuery } from '@tanstack/preact-query';
import type { GoalItem, ReachMeta } from '../../api/operations.generated.ts';
import { useReader } from '../../api/reader.ts';
import type { Asked } from '../../state/site-query.ts';
import { useCompare } from './use-overview.ts';

/** The goals of a site with how they were reached; of a share, if it shows them. */
export function useGoals(asked: Asked) {
  const reader = useReader();
  const compare = useCompare(asked);
  return useQuery({
    queryKey: ['goals', reader.key, asked, compare],
    queryFn: async () => {
      const { data, meta } = await reader.report<GoalItem[] | null>('goals', asked, { compare });
      return { data: data ?? [], meta: meta as typeof meta & Pick<ReachMeta, 'approximate'> };
    },
    enabled: reader.shows?.includes('goals') !== false,
    placeholderData: keepPreviousData,
  });
}
