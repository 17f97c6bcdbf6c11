/** What each function's bundle may weigh and hold. */
import { PUBLIC_LISTS } from '../../lib/collection/lists/public.generated.ts';
import type { PublicLists } from '../../lib/collection/lists/public-lists.ts';

export interface Bundle {
  fn: string;
  code: string;
  /** Files that went into it, relative to the repository's root. */
  inputs: string[];
  /** Modules that it imports and doesn't hold. */
  externals: string[];
  /** Calls `eval` itself; a method of that name is something else. */
  hasEval: boolean;
  gzipBytes: number;
}

const KIB = 1024;
/**
 * Gzipped bytes. The tracker's Worker is on the hot path of every page view; the gateway in front of everything. Of the
 * tracker's, 5 KiB are lists of sources, rented servers and spam, asked in memory for each page view. Of the content service's, 84 KiB are the MCP SDK and the schemas that it brings, and 70 KiB the catalogue in three languages.
 * Of the account's, 165 KiB are better-auth with the schemas that it brings.
 */
const BUDGET_BYTES: Record<string, number> = {
  track: 66 * KIB,
  gateway: 10 * KIB,
  docs: 120 * KIB,
  content: 256 * KIB,
  account: 300 * KIB,
};
const DEFAULT_BUDGET_BYTES = 150 * KIB;
/**
 * What `npm run lists` may add to the tracker's Worker. Measured: 19.0 KiB, 2 ms more to start, a name found in the same half
 * microsecond. Hashes in place of spammers’ hosts would save 3 KiB, and hide who is refused.
 */
const PUBLIC_LISTS_BYTES = 21 * KIB;

export function budgetOf(fn: string, lists: PublicLists = PUBLIC_LISTS): number {
  const isLonger = fn === 'track' && Object.keys(lists.spam).length > 0;
  return (BUDGET_BYTES[fn] ?? DEFAULT_BUDGET_BYTES) + (isLonger ? PUBLIC_LISTS_BYTES : 0);
}

/** Packages that a function must do without. */
const FORBIDDEN_PACKAGES: Record<string, string[]> = { track: ['@neondatabase/serverless'] };

/** Built-in modules of Node that a function may import: the account's hash passwords natively and know their request. */
const ALLOWED_BUILT_INS: Record<string, string[]> = { account: ['node:crypto', 'node:async_hooks'] };

/** The rules that a bundle breaks, as sentences; none if it is fit to deploy. */
export function findBundleFaults(bundle: Bundle): string[] {
  const { fn, code, inputs, externals, hasEval, gzipBytes } = bundle;
  const faults: string[] = [];
  if (gzipBytes > budgetOf(fn)) faults.push(`${fn}: ${gzipBytes} bytes gzipped, over its ${budgetOf(fn)}`);
  for (const name of FORBIDDEN_PACKAGES[fn] ?? []) {
    if (inputs.some((input) => input.includes(`node_modules/${name}/`))) faults.push(`${fn}: holds ${name}`);
  }
  for (const input of inputs) {
    if (/^(?:dev|tests|bench|scripts)\//.test(input)) faults.push(`${fn}: holds ${input}`);
  }
  for (const external of externals) {
    if (external.startsWith('node:') && !ALLOWED_BUILT_INS[fn]?.includes(external))
      faults.push(`${fn}: imports ${external}`);
  }
  if (hasEval) faults.push(`${fn}: calls eval`);
  if (/\bnew Function\s*\(/.test(code)) faults.push(`${fn}: holds new Function(`);
  return faults;
}
