import { useQuery } from '@tanstack/preact-query';
import { listProjects } from '../api/operations.generated.ts';

/** The projects of the person, with the role in each. */
export const useProjects = () =>
  useQuery({ queryKey: ['projects'], queryFn: ({ signal }) => listProjects({}, signal) });

/** Whether the person may change things of a project. False until it is known. */
export function useMayChange(projectId: string): boolean {
  const role = useProjects().data?.data.find(({ id }) => id === projectId)?.role;
  return role === 'owner' || role === 'admin';
}
