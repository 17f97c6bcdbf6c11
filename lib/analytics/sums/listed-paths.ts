import type { Fragment, Sql } from '../../db.ts';

/** Whether the id of a path, which stands before it, is that of a listed path (`ReportParts`). Uses the primary key of `site_texts`. */
export const isListed = (sql: Sql, listed: Fragment): Fragment => sql`= any (array(
    select id from ${listed} l join site_texts t on t.site_key = (select site_key from range) and t.value = l.name))`;
