import type { Context } from 'hono';
import { readId } from '../../lib/http/read.ts';
import type { Place } from '../../lib/telemetry/query.ts';

/** docs/telemetry.md#queries */
export const ENVIRONMENT = '/api/v1/telemetry/projects/:projectId/environments/:environmentId';

export const placeOf = (c: Context): Place => ({
  projectId: readId(c, 'projectId', 'project'),
  environmentId: readId(c, 'environmentId', 'environment'),
});
