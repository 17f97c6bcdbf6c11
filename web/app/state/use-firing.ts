import { useQuery } from '@tanstack/preact-query';
import { listAllAlerts } from '../api/operations.generated.ts';

/** Alerts are evaluated every minute. */
const ASK_MS = 60_000;
const MOST_LISTED = 20;

/** The alerts that fire now, of everything that the person sees. */
export const useFiring = () =>
  useQuery({
    queryKey: ['firing'],
    queryFn: ({ signal }) => listAllAlerts({ state: 'firing', limit: MOST_LISTED }, signal),
    refetchInterval: ASK_MS,
  });
