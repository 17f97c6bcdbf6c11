import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Sql } from '../lib/db.ts';
import { ROOT } from '../tooling/deployment.ts';

/** Of 61 days of visits and 30 of the backend: a few lines in all. */
const DAYS_A_LINE = 10;

/**
 * Fills the demo site as `npm run demo` does, in a process of its own, if the site has no visit yet. Call the result to end it; what is
 * missing then is filled by the next `npm run demo`.
 */
export async function fillOnce(
  sql: Sql,
  siteId: string,
  log: (line: string) => void,
): Promise<() => Promise<void>> {
  const visits = await sql`
    select from visits join sites on sites.key = visits.site_key where sites.id = ${siteId}::uuid limit 1`;
  if (visits.length > 0) return async () => {};
  log('filling the demo site with two months of made-up traffic; --no-demo leaves it empty');
  const child = spawn(process.execPath, [join(ROOT, 'dev/demo/main.ts')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  showProgress(child, log);
  const ended = once(child, 'close');
  return async () => {
    child.kill();
    await ended;
  };
}

function showProgress(child: ChildProcess, log: (line: string) => void): void {
  if (child.stdout === null) return;
  createInterface({ input: child.stdout }).on('line', (line) => {
    const day = /^day (\d+) of/.exec(line)?.[1];
    if (line !== '' && (day === undefined || Number(day) % DAYS_A_LINE === 0)) log(`demo      | ${line}`);
  });
}
