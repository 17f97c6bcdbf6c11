/** This machine, the edge and the database agree on the time: tokens, visits and days depend on it. */
import { ageOf, type Check, type Finding } from '../check.ts';

const TIMEOUT_MS = 10_000;
const MOST_MS = 60_000;

export const clock: Check = {
  title: 'Clocks',
  async run({ url, fetch, sql, now }) {
    const findings: Finding[] = [];
    const compare = (whose: string, theirs: number, before: number, mend: string): void => {
      // Theirs was read between `before` and now; a Date header has whole seconds.
      const off = Math.max(before - theirs - 1000, theirs - now(), 0);
      if (off > MOST_MS) findings.push({ fault: `${whose} and this machine differ by ${ageOf(off)}.`, mend });
    };
    const here = 'set this machine’s clock: timedatectl set-ntp true';
    const before = now();
    try {
      const response = await fetch(`${url}/api/openapi.json`, {
        method: 'HEAD',
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      const date = Date.parse(response.headers.get('date') ?? '');
      if (Number.isFinite(date)) compare('The service', date, before, here);
    } catch {
      // That the address can't be reached is a finding of another check.
    }
    if (sql !== undefined) {
      const asked = now();
      const rows = await sql`select now() as at`.catch(() => []);
      const at = rows[0]?.at;
      if (at instanceof Date)
        compare('The database', at.getTime(), asked, `${here}, or the database server’s`);
    }
    return { findings, well: 'they agree within a minute' };
  },
};
