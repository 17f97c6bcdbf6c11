import { useQuery } from '@tanstack/preact-query';
import { listProjects } from '../api/operations.generated.ts';

/** The projects of the person, with the role in each. */
export const useProjects = (enabled = true) =>
  useQuery({ queryKey: ['projects'], queryFn: ({ signal }) => listProjects({}, signal), enabled });

/** Whether the person may change things of a project. False until it is known. Without a project nothing is asked: readers of shares have none. */
export function useMayChange(projectId: string | undefined): boolean {
  const role = useProjects(projectId !== undefined).data?.data.find(({ id }) => id === projectId)?.role;
  return role === 'owner' || role === 'admin';
}
