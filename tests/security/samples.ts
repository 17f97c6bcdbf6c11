/** What documented examples name, made anew for one of them. */

import type { Sql } from '../../lib/db.ts';
import type { SAMPLE } from '../../lib/http/contract.ts';
import { createTenant } from './tenant.ts';

export interface Samples {
  /** The API token of whoever it belongs to. */
  token: string;
  /** In place of the documented values. */
  values: Record<keyof typeof SAMPLE, string>;
}

export async function createSamples(sql: Sql): Promise<Samples> {
  const { siteId, projectId, token } = await createTenant(sql);
  const [annotation] = await sql`
    insert into site_annotations (site_id, date, text) values (${siteId}, current_date, 'New prices') returning id`;
  return { token, values: { siteId, projectId, annotationId: annotation?.id } };
}
