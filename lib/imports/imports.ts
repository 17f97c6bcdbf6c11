/**
 * Imports: days that another tool counted go into the rollups piece by piece, and reports see them when the last piece is in
 * (schema/functions/imports.sql). Each verb is one statement; the functions lock the site.
 */
import { memberSite, requireRole } from '../access.ts';
import { type AuditedContext, insertSiteAudit } from '../audit.ts';
import type { MemberContext } from '../context.ts';
import { reach, type Sql } from '../db.ts';
import { DomainError, notFound } from '../errors.ts';
import type { Role } from '../roles.ts';
import type { OneSite } from '../sites/schemas.ts';
import { MAX_IMPORT_ROWS } from './import-limits.ts';
import {
  type AddImportPiece,
  type BeginImport,
  type FinishImport,
  type Import,
  type ImportDetail,
  type ImportRoom,
  MAX_IMPORTS,
  type OneImport,
} from './schemas.ts';

interface ImportRow {
  id: string;
  source: string;
  dimensions: string[];
  from_day: string | null;
  to_day: string | null;
  dates: string[];
  rows: number;
  pieces: number;
  created_at: string;
  finished_at: string | null;
}

const REFUSALS: Readonly<Record<string, DomainError>> = {
  many: new DomainError('CONFLICT', `A site has at most ${MAX_IMPORTS} imports. Undo one.`),
  import: new DomainError(
    'CONFLICT',
    'This import is finished, or another one began meanwhile. Begin again.',
  ),
  order: new DomainError(
    'CONFLICT',
    'Pieces are missing before this one. `pieces` of the import is the number of the last one that came.',
  ),
  end: new DomainError(
    'CONFLICT',
    'Only days before the site’s own first event and before yesterday can be imported. `GET …/imports` says which as `before`.',
  ),
  imported: new DomainError(
    'CONFLICT',
    'Some of these days were imported before. Undo that import first, or leave them out.',
  ),
  day: new DomainError('CONFLICT', 'The totals of each day must come before its values.'),
  dimension: new DomainError('CONFLICT', 'The import was begun without this dimension.'),
  large: new DomainError(
    'CONFLICT',
    `An import has at most ${MAX_IMPORT_ROWS} rows. Import the days in several ones.`,
  ),
  empty: new DomainError('CONFLICT', 'The import has no day.'),
};

const refusalOf = (refused: string): DomainError => {
  const known = REFUSALS[refused];
  if (known === undefined) throw new Error(`The database refuses imports as ${refused}.`);
  return new DomainError(known.code, known.message);
};

const toImport = ({ id, source, dimensions, dates, rows, pieces, ...row }: ImportRow): ImportDetail => ({
  id,
  source,
  dimensions,
  state: row.finished_at === null ? 'receiving' : 'done',
  from: dates[0] ?? null,
  to: dates.at(-1) ?? null,
  days: dates.length,
  rows,
  pieces,
  createdAt: new Date(row.created_at).toISOString(),
  finishedAt: row.finished_at === null ? null : new Date(row.finished_at).toISOString(),
  dates,
});

/** JSON of imports as `ImportRow`s, newest first. Reads the imports' days by the primary key of `imported_days`, of the whole site. */
const importRows = (sql: Sql, which: ReturnType<Sql>) => sql`
  select coalesce(jsonb_agg(
    jsonb_build_object(
      'id', i.id, 'source', i.source, 'dimensions', i.dimensions, 'rows', i.rows, 'pieces', i.pieces,
      'created_at', i.created_at, 'finished_at', i.finished_at, 'dates', array(
        select to_char(day, 'YYYY-MM-DD') from imported_days d
        where d.site_key = i.site_key and d.import_id = i.id order by day))
    order by i.created_at desc, i.id), '[]')
  from site_imports i where ${which}`;

/**
 * A site's imports, and which days are free for another one. Servers may send events of the last 24 hours (docs/events.md), so today and
 * yesterday may still get events of the site's own. Lookups by primary keys; reads every imported day.
 *
 * @throws `NOT_FOUND`
 */
export async function listImports(ctx: MemberContext, { siteId }: OneSite): Promise<ImportRoom> {
  const { sql } = ctx;
  const instant = new Date(ctx.now()).toISOString();
  const [room] = await reach(sql`
    select domain, domains, timezone, to_char(import_end(key, timezone, ${instant}::timestamptz), 'YYYY-MM-DD') as before,
      to_char((${instant}::timestamptz at time zone timezone)::date - make_interval(months => retention_months), 'YYYY-MM-DD') as from,
      (${importRows(sql, sql`i.site_key = sites.key`)}) as imports
    from (${memberSite(ctx, siteId)}) target
    join sites on sites.id = target.id`);
  if (room === undefined) throw notFound('site');
  const { imports, ...free } = room as Omit<ImportRoom, 'imports'> & { imports: ImportRow[] };
  return { ...free, imports: imports.map((row) => withoutDates(toImport(row))) };
}

const withoutDates = ({ dates: _, ...imported }: ImportDetail): Import => imported;

/** One import with its days. Throws `NOT_FOUND`. */
export async function getImport(ctx: MemberContext, { siteId, importId }: OneImport): Promise<ImportDetail> {
  const rows = await readImport(ctx, siteId, importId);
  if (rows === undefined) throw notFound('site');
  const [row] = rows;
  if (row === undefined) throw notFound('import');
  return toImport(row);
}

async function readImport(
  ctx: MemberContext,
  siteId: string,
  importId: string,
): Promise<ImportRow[] | undefined> {
  const { sql } = ctx;
  const [row] = await reach(sql`
    select (${importRows(sql, sql`i.site_key = sites.key and i.id = ${importId}::uuid`)}) as imports
    from (${memberSite(ctx, siteId)}) target
    join sites on sites.id = target.id`);
  return row?.imports as ImportRow[] | undefined;
}

type Outcome = { role: Role; refused: string | null };

/**
 * Begins an import, or answers the one under way with the same content, whose `pieces` says how far it came. Throws away any other one
 * under way: the cost grows with its rows.
 *
 * @throws `NOT_FOUND`, `FORBIDDEN` for viewers, `CONFLICT` at the site's maximum number
 */
export async function beginImport(
  ctx: AuditedContext,
  { siteId, source, dimensions, contentHash }: BeginImport,
): Promise<Import> {
  const { sql } = ctx;
  const instant = new Date(ctx.now()).toISOString();
  const rows = await reach(sql`
    with target as (${memberSite(ctx, siteId)}), begun as (
      select b.import_id as id, b.refused
      from target
      cross join lateral begin_import(target.id, ${source}, ${[...dimensions]}::text[], decode(${contentHash}, 'hex'),
        ${MAX_IMPORTS}, ${instant}::timestamptz) b
      where target.role in ('owner', 'admin')
    ), audited as (${insertSiteAudit(ctx, 'import.begin', sql`(select id from begun where id is not null)`)})
    select target.role, begun.id, begun.refused from target left join begun on true`);
  const { id, refused } = requireRole<Outcome & { id: string }>(rows, { what: 'site' });
  if (refused !== null) throw refusalOf(refused);
  return withoutDates(await getImport(ctx, { siteId, importId: id }));
}

/**
 * Takes a piece. One that came before changes nothing, so a piece whose answer was lost is sent again.
 *
 * @throws `NOT_FOUND`, `FORBIDDEN` for viewers, `CONFLICT` for a piece that doesn't fit
 */
export async function addImportPiece(
  ctx: AuditedContext,
  { siteId, importId, number, days, dimension, values }: AddImportPiece,
): Promise<void> {
  const { sql } = ctx;
  const instant = new Date(ctx.now()).toISOString();
  const added =
    days === undefined
      ? sql`add_import_values(target.id, ${importId}::uuid, ${number}, ${dimension ?? ''}, ${JSON.stringify(values)}::jsonb, ${MAX_IMPORT_ROWS})`
      : sql`add_import_days(target.id, ${importId}::uuid, ${number}, ${JSON.stringify(days)}::jsonb, ${instant}::timestamptz)`;
  const rows = await reach(sql`
    with target as (${memberSite(ctx, siteId)}),
    added as (select a.refused from target cross join lateral ${added} a(refused) where target.role in ('owner', 'admin'))
    select target.role, added.refused, exists (
      select from sites join site_imports i on i.site_key = sites.key where sites.id = target.id and i.id = ${importId}::uuid
    ) as known
    from target left join added on true`);
  const { refused, known } = requireRole<Outcome & { known: boolean }>(rows, { what: 'site' });
  if (!known) throw notFound('import');
  if (refused !== null) throw refusalOf(refused);
}

/**
 * Lets the reports see an import. Doing it again changes nothing.
 *
 * @throws `NOT_FOUND`, `FORBIDDEN` for viewers, `CONFLICT` if pieces are missing or the site has own events of its days by now
 */
export async function finishImport(
  ctx: AuditedContext,
  { siteId, importId, pieces }: FinishImport,
): Promise<Import> {
  const { sql } = ctx;
  const instant = new Date(ctx.now()).toISOString();
  const rows = await reach(sql`
    with target as (${memberSite(ctx, siteId)}), ended as (
      select f.finished, f.refused
      from target
      cross join lateral finish_import(target.id, ${importId}::uuid, ${pieces}, ${instant}::timestamptz) f
      where target.role in ('owner', 'admin')
    ), audited as (${insertSiteAudit(ctx, 'import.add', sql`(select ${importId}::uuid as id from ended where finished)`)})
    select target.role, ended.refused from target left join ended on true`);
  const { refused } = requireRole<Outcome>(rows, { what: 'site' });
  if (refused === 'import') throw notFound('import');
  if (refused !== null) throw refusalOf(refused);
  return withoutDates(await getImport(ctx, { siteId, importId }));
}

/**
 * Removes exactly what an import added, finished or not. The cost grows with the import's rows.
 *
 * @throws `NOT_FOUND`, `FORBIDDEN` for viewers
 */
export async function undoImport(ctx: AuditedContext, { siteId, importId }: OneImport): Promise<void> {
  const { sql } = ctx;
  const rows = await reach(sql`
    with target as (${memberSite(ctx, siteId)}), undone as (
      select undo_import(target.id, ${importId}::uuid) as is_undone from target where target.role in ('owner', 'admin')
    ), audited as (${insertSiteAudit(ctx, 'import.undo', sql`(select ${importId}::uuid as id from undone where is_undone)`)})
    select target.role, undone.is_undone from target left join undone on true`);
  const { is_undone } = requireRole<{ role: Role; is_undone: boolean }>(rows, { what: 'site' });
  if (!is_undone) throw notFound('import');
}
