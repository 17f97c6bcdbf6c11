import { useQuery } from '@tanstack/preact-query';
import { useLocation } from 'wouter-preact';
import { listChannels, listGoals } from '../../api/operations.generated.ts';
import { type AlertSource, keyOf } from './alert-source.ts';

/** The rounds are minutes apart. */
const ASK_MS = 30_000;

/** The alerts of the source with their states. */
export const useAlerts = (source: AlertSource) =>
  useQuery({
    queryKey: [...keyOf(source), 'list'],
    queryFn: ({ signal }) => source.list(signal),
    refetchInterval: ASK_MS,
  });

/** The project's channels. */
export const useChannels = ({ projectId }: AlertSource) =>
  useQuery({
    queryKey: ['channels', projectId],
    queryFn: ({ signal }) => listChannels({ projectId }, signal),
  }).data?.data;

/** The site's goals by their ids; none for an environment. */
export function useGoalNames({ site }: Pick<AlertSource, 'site'>) {
  const siteId = site?.id ?? '';
  const { data } = useQuery({
    queryKey: ['goals', siteId, 'names'],
    queryFn: ({ signal }) => listGoals({ siteId }, signal),
    enabled: site !== undefined,
  });
  const goals = data?.data;
  return { goals, nameOf: (id: string) => goals?.find((goal) => goal.id === id)?.name };
}

/** What is open: the list, a new alert or one like a ready-made rule, an alert, or its form. */
export type Opened =
  | { kind: 'list' }
  | { kind: 'new'; like: string | undefined }
  | { kind: 'alert' | 'change'; alertId: string };

export function readOpened(text: string | undefined): Opened {
  if (text === undefined || text === '') return { kind: 'list' };
  const [id = '', more] = text.split(':');
  if (id === 'new') return { kind: 'new', like: more };
  return { kind: more === 'change' ? 'change' : 'alert', alertId: id };
}

/** The address of the view with another thing open. The rest of its query stays. */
export function useHrefs() {
  const [path] = useLocation();
  return (opened: string | undefined, search: string): string => {
    const query = new URLSearchParams(search);
    if (opened === undefined) query.delete('alert');
    else query.set('alert', opened);
    return query.size === 0 ? path : `${path}?${query}`;
  };
}
