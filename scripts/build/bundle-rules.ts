/** Limits for the size and the contents of each function's bundle. */
import { PUBLIC_LISTS } from '../../lib/collection/lists/public.generated.ts';
import type { PublicLists } from '../../lib/collection/lists/public-lists.ts';

export interface Bundle {
  fn: string;
  /** Absolute path of the built module. */
  module: string;
  code: string;
  /** Files in the bundle, relative to the repository's root. */
  inputs: string[];
  /** Absolute paths of the files that the built module has bytes of. */
  sources: string[];
  /** Modules that the bundle imports without containing them. */
  externals: string[];
  /** True if the code calls `eval` itself; a method named `eval` doesn't count. */
  hasEval: boolean;
  gzipBytes: number;
}

const KIB = 1024;
/**
 * Gzipped bytes. The tracking Worker handles every page view; the gateway is in front of everything. The tracking Worker has 5 KiB of
 * lists (sources, rented servers, spam), which it searches in memory. The content Worker has 84 KiB of MCP SDK and its schemas, and 70
 * KiB of catalogue in three languages. The account Worker has 165 KiB of better-auth and its schemas. The analytics Worker has the queries of
 * all reports, and the MCP Worker has them beside the MCP SDK and two views of chats. Alerts, channels and reports by mail are in `sites` and `telemetry`.
 */
const BUDGET_BYTES: Record<string, number> = {
  track: 74 * KIB,
  analytics: 190 * KIB,
  sites: 180 * KIB,
  telemetry: 185 * KIB,
  gateway: 10 * KIB,
  docs: 120 * KIB,
  content: 275 * KIB,
  account: 330 * KIB,
  mcp: 365 * KIB,
};
const DEFAULT_BUDGET_BYTES = 150 * KIB;
/**
 * Bytes that `npm run lists` may add to the tracking Worker. Measured: 19.0 KiB, 2 ms more to start, the same half microsecond per
 * look-up. Hashes instead of spammers’ hosts would save 3 KiB, but hide who is refused.
 */
const PUBLIC_LISTS_BYTES = 21 * KIB;

export function budgetOf(fn: string, lists: PublicLists = PUBLIC_LISTS): number {
  const isLonger = fn === 'track' && Object.keys(lists.spam).length > 0;
  return (BUDGET_BYTES[fn] ?? DEFAULT_BUDGET_BYTES) + (isLonger ? PUBLIC_LISTS_BYTES : 0);
}

/** Packages that a function must not contain. */
const FORBIDDEN_PACKAGES: Record<string, string[]> = { track: ['@neondatabase/serverless'] };

/**
 * Built-in modules of Node that a function may import: the account functions use native password hashing and the context of the current
 * request.
 */
const ALLOWED_BUILT_INS: Record<string, string[]> = { account: ['node:crypto', 'node:async_hooks'] };

/** The rules that a bundle breaks, as sentences; empty if it may be deployed. */
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
