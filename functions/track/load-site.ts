import * as v from 'valibot';
import { SitePolicy } from '../../lib/privacy/policy.ts';
import type { Bindings } from './bindings.ts';

const TIMEOUT_MS = 2000;

/** Requests a site's policy from the sites function; undefined if there is no such site. Rejects when that function is out of reach. */
export async function loadSite(sites: Bindings['SITES'], siteId: string): Promise<SitePolicy | undefined> {
  const response = await sites.fetch(`http://sites/${siteId}`, {
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  if (response.ok) return v.parse(SitePolicy, await response.json());
  await response.body?.cancel();
  if (response.status === 404) return undefined;
  throw new Error(`sites answered ${response.status} for a policy`);
}
