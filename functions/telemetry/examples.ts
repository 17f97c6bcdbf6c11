import type { RouteExample } from '../../lib/http/contract.ts';

export const NOBODYS = '00000000-0000-4000-8000-000000000000';

/** Every route answers it in the same way. */
export const unknownEnvironment: RouteExample = {
  summary: 'Nobody’s environment',
  status: 404,
  params: { environmentId: NOBODYS },
};
