/** A member who reads an environment's telemetry with a session. */
import type { Stack } from '../../../dev/stack.ts';
import type { Person } from '../../security/tenant.ts';

interface EnvironmentIds {
  projectId: string;
  environmentId: string;
}

export function asMember(stack: Stack, { cookie }: Person, { projectId, environmentId }: EnvironmentIds) {
  const send = (method: string, path: string, body?: unknown): Promise<Response> =>
    stack.fetch(`/api/v1/telemetry/projects/${projectId}/environments/${environmentId}/${path}`, {
      method,
      headers: { Cookie: cookie, ...(body !== undefined && { 'Content-Type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  const answer = async (response: Response) => [response.status, await response.json()] as const;
  return {
    send,
    get: async (path: string) => answer(await send('GET', path)),
    put: async (path: string, body: unknown) => answer(await send('PUT', path, body)),
  };
}
