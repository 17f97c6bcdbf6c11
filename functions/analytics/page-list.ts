import type { ListInput, ListReport } from '../../lib/analytics/report.ts';
import type { ReportMeta } from '../../lib/analytics/schemas.ts';
import type { Cursors } from '../../lib/cursor.ts';

/** The parameters of a list: `limit` and `cursor`, and whatever else was asked. */
type ListQuery = { limit: string; cursor?: string | undefined } & Record<string, string | undefined>;

interface ListBody<Item> {
  data: Item[];
  meta: ReportMeta & { nextCursor: string | null };
}

/**
 * A page of a list as it is answered. Its cursor is good for the same request alone; while events come in, items may move
 * between pages. `name` is the report's. Throws `VALIDATION_ERROR` or `CONFLICT` for a cursor that isn't this request's.
 */
export async function pageList<Item, Input extends Omit<ListInput, 'limit'>>(
  cursors: Cursors,
  name: string,
  query: ListQuery,
  input: Input,
  run: (input: Input & { limit: number; offset: number }) => Promise<ListReport<Item>>,
): Promise<ListBody<Item>> {
  const { cursor, ...asked } = query;
  const parameters = Object.entries(asked)
    .sort()
    .flatMap(([parameter, value]) => [parameter, value ?? null]);
  const scope = { request: [name, input.siteId, ...parameters], revision: '' };
  const offset = cursor === undefined ? 0 : await (await cursors.open(cursor)).positionIn(scope);
  const limit = Number(query.limit);
  const { data, meta, more } = await run({ ...input, limit, offset });
  return { data, meta: { ...meta, nextCursor: more ? await cursors.issue(scope, offset + limit) : null } };
}
