/** What each function's bundle may weigh and hold. */

export interface Bundle {
  fn: string;
  code: string;
  /** Files that went into it, relative to the repository's root. */
  inputs: string[];
  gzipBytes: number;
}

const KIB = 1024;
/** Gzipped bytes. The tracker's Worker is on the hot path of every page view; the gateway in front of everything. */
const BUDGET_BYTES: Record<string, number> = { track: 60 * KIB, gateway: 10 * KIB, docs: 120 * KIB };
const DEFAULT_BUDGET_BYTES = 150 * KIB;

export const budgetOf = (fn: string): number => BUDGET_BYTES[fn] ?? DEFAULT_BUDGET_BYTES;

/** Packages that a function must do without. */
const FORBIDDEN_PACKAGES: Record<string, string[]> = { track: ['@neondatabase/serverless'] };

const FORBIDDEN_CODE: [RegExp, string][] = [
  [/\bnew Function\s*\(/, 'new Function('],
  [/(?<![\w$.])eval\s*\(/, 'eval('],
  [/(?:\bfrom|\bimport|\brequire\()\s*\(?\s*["']node:/, 'an import of node:*'],
];

/** The rules that a bundle breaks, as sentences; none if it is fit to deploy. */
export function findBundleFaults({ fn, code, inputs, gzipBytes }: Bundle): string[] {
  const faults: string[] = [];
  if (gzipBytes > budgetOf(fn)) faults.push(`${fn}: ${gzipBytes} bytes gzipped, over its ${budgetOf(fn)}`);
  for (const name of FORBIDDEN_PACKAGES[fn] ?? []) {
    if (inputs.some((input) => input.includes(`node_modules/${name}/`))) faults.push(`${fn}: holds ${name}`);
  }
  for (const input of inputs) {
    if (/^(?:dev|tests|bench|scripts)\//.test(input)) faults.push(`${fn}: holds ${input}`);
  }
  for (const [pattern, name] of FORBIDDEN_CODE) {
    if (pattern.test(code)) faults.push(`${fn}: holds ${name}`);
  }
  return faults;
}
