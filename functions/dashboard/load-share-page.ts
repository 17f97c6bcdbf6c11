import * as v from 'valibot';
import { clientAddress } from '../../lib/http/client-address.ts';
import { SharePage } from '../../lib/shares/schemas.ts';

/** The bindings of the dashboard, besides its variables. */
export interface Bindings {
  /** The entrypoint `SharePages` of `analytics`. */
  ANALYTICS: { fetch(url: string, init: RequestInit): Promise<Response> };
}

const TIMEOUT_MS = 2000;

/**
 * What stands around a share's page. Undefined: there is no such share, it can't be asked now, or its address asked for too many unknown
 * ones. The page then stands alone, in no frame, and its script says what is wrong. `headers` are those of the reader's request.
 */
export async function loadSharePage(
  analytics: Bindings['ANALYTICS'],
  secret: string,
  headers: Headers,
): Promise<SharePage | undefined> {
  const address = clientAddress(headers);
  try {
    const response = await analytics.fetch(`http://analytics/${encodeURIComponent(secret)}`, {
      headers: address === undefined ? {} : { 'CF-Connecting-IP': address },
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    if (response.ok) return v.parse(SharePage, await response.json());
    await response.body?.cancel();
  } catch {}
  return undefined;
}
