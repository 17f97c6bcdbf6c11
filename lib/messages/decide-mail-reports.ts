import type { Ports } from '../context.ts';

const MAX_REPORTS_AT_ONCE = 200;

/** Decides reports by mail that are due; the next run does the rest. One statement, by `mail_reports_next`. */
export async function decideMailReports({ sql, now }: Ports): Promise<void> {
  await sql`select decide_mail_reports(${new Date(now()).toISOString()}::timestamptz, ${MAX_REPORTS_AT_ONCE}::integer)`;
}
