import { useQuery } from '@tanstack/preact-query';
import { listSegments } from '../../api/operations.generated.ts';

/** The segments of a site that the person sees. */
export const useSegments = (siteId: string, enabled = true) =>
  useQuery({
    queryKey: ['segments', siteId],
    queryFn: ({ signal }) => listSegments({ siteId }, signal),
    enabled,
  });
