import { useQuery } from '@tanstack/preact-query';
import { getSession, type Person } from '../api/operations.generated.ts';

/** Who is signed in, as the service last said. */
export const usePerson = (): Person | undefined =>
  useQuery({ queryKey: ['session'], queryFn: ({ signal }) => getSession({}, signal) }).data?.data;

/** What a person is called: accounts of the operator may have no name. */
export const personName = ({ name, email }: { name: string; email: string }): string => name || email;
