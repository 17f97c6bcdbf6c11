/** Reports of a site for tools: the verbs and the checked inputs of REST (docs/reports.md), page by page in the size that fits. */

import type { ReportMeta } from '../../lib/analytics/answers/schemas.ts';
import { reportNamed } from '../../lib/analytics/reports.ts';
import type { CursorScope } from '../../lib/cursor.ts';
import { check } from '../../lib/http/issues.ts';
import type { AgentContext } from './agent-context.ts';
import type { AskedSite } from './find-opened.ts';
import { notesOf } from './site-question.ts';
import { type AnswerParts, tellRows } from './tool-answer.ts';

/** What an answer says of the range and of the site. */
export function aboutSite({ scope, range, coverage, freshness }: ReportMeta, { domain }: AskedSite) {
  return { scope: { ...(domain !== undefined && { site: domain }), ...scope }, range, coverage, freshness };
}

interface Asked {
  tool: string;
  report: string;
  /** The fields of the report's own input, without paging. */
  fields: object;
  limit: number;
  cursor?: string | undefined;
}

/** A part of a report's rows; see `reportNamed`. Throws what the report throws. */
export async function readRows(ctx: AgentContext, { tool, report, fields, limit, cursor }: Asked) {
  const { input, isList, read } = reportNamed(report);
  const scope: CursorScope = { request: [tool, report, JSON.stringify(fields)], revision: '' };
  const offset = cursor === undefined ? 0 : await (await ctx.cursors.open(cursor)).positionIn(scope);
  const asked = check(input, fields) as never;
  const found = await read(ctx, asked, { limit, offset });
  const rows = isList ? found.data : found.data.slice(offset, offset + limit);
  return {
    meta: found.meta,
    rows,
    offset,
    more: isList ? found.more : found.data.length > offset + limit,
    issue: (position: number) => ctx.cursors.issue(scope, position),
  };
}

type Words = Pick<AnswerParts, 'notes' | 'next' | 'untrusted'> & {
  dataOf?: (rows: readonly unknown[]) => unknown;
};

/** The answer of a tool that lists a report's rows. What its words need is read beside the rows. */
export async function tellReport(
  ctx: AgentContext,
  site: AskedSite,
  asked: Asked,
  pendingWords: Words | Promise<Words>,
): Promise<Record<string, unknown>> {
  // A name that isn't there is a better answer than the rows' error.
  const [rows, words] = await Promise.allSettled([readRows(ctx, asked), pendingWords]);
  if (words.status === 'rejected') throw words.reason;
  if (rows.status === 'rejected') throw rows.reason;
  const { meta, issue, ...part } = rows.value;
  const { dataOf, notes = [], ...rest } = words.value;
  return tellRows(ctx, { ...aboutSite(meta, site), ...rest, notes: [...notesOf(meta), ...notes] }, part, {
    issue,
    ...(dataOf !== undefined && { dataOf }),
  });
}

/** The one of a list that has this name (in upper or lower case) or id; undefined if none or several have. */
export function namedIn<Item extends { id: string; name: string }>(
  items: readonly Item[],
  named: string,
): Item | undefined {
  const wanted = named.toLowerCase();
  const found = items.filter(({ id, name }) => id === wanted || name.toLowerCase() === wanted);
  return found.length === 1 ? found[0] : undefined;
}
