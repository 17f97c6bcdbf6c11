/** A site for imports, and access to its rows. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import type { AuditedContext } from '../../../lib/audit.ts';
import type { Sql } from '../../../lib/db.ts';
import type { ImportTarget } from '../../../lib/imports/send-import.ts';
import type { ImportSource } from '../../../lib/visits/imported-data.ts';
import { type ImportRun, runImport } from '../../../scripts/import/run-import.ts';
import { type SiteTable, tablesOfSites } from '../../functions/sites/site-tables.ts';
import { makeOwnedSite } from '../../ingest/ingest-site.ts';
import { useDatabase } from '../../services/database.ts';
import { targetOf } from './import-target.ts';

/** Six weeks after the days in the fixtures. */
export const NOW = '2026-05-10T15:42:10.123Z';
export const FIXTURES = new URL('fixtures/', import.meta.url).pathname;
export const GA4 = ['totals', 'sources', 'pages', 'countries', 'devices', 'events'].map(
  (name) => `${FIXTURES}ga4/${name}.csv`,
);

export interface World {
  sql: Sql;
  siteId: string;
  ctx: AuditedContext;
  target: ImportTarget;
  run: (
    source: ImportSource,
    paths: string | readonly string[],
    options?: Partial<ImportRun>,
    target?: ImportTarget,
  ) => Promise<string>;
  /** Every row of the site in every table, but for the ids that are never given again. */
  dump: () => Promise<{ name: string; row: Record<string, unknown> }[]>;
}

export function useWorlds(): (zone?: string) => Promise<World> {
  const database = useDatabase();
  return async (zone = 'Europe/Lisbon') => {
    const { sql } = database();
    const { siteId, userId } = await makeOwnedSite(sql, zone);
    const ctx: AuditedContext = {
      sql,
      now: () => Date.parse(NOW),
      actor: { kind: 'session', sessionId: crypto.randomUUID(), userId },
      requestId: 'request',
      tool: 'test',
      inputHash: null,
    };
    const target = targetOf(ctx, siteId);
    return {
      sql,
      siteId,
      ctx,
      target,
      run: (source, paths, options, by = target) =>
        runImport(by, {
          siteId,
          source,
          paths: typeof paths === 'string' ? [paths] : paths,
          dryRun: false,
          now: Date.parse(NOW),
          terminal: { write: () => {} },
          ...options,
        }),
      dump: () => dump(sql, siteId),
    };
  };
}

async function dump(sql: Sql, siteId: string): ReturnType<World['dump']> {
  const tables = (await tablesOfSites(sql)).filter(({ name }) => name !== 'value_ids');
  const rowsOf = ({ name, column }: SiteTable) => sql`
    select ${name}::text as name, to_jsonb(t) as row from ${sql.unsafe(name)} t
    where ${sql.unsafe(column)} = ${column === 'site_id' ? sql`${siteId}::uuid` : sql`(select key from sites where id = ${siteId}::uuid)`}`;
  const all = tables.map(rowsOf).reduce((some, rows) => sql`${some} union all ${rows}`);
  return (await sql`select name, row from (${all}) t order by name, row::text`) as Awaited<
    ReturnType<World['dump']>
  >;
}

/** Call the result to write files into a folder, which is deleted when the tests of the file end. */
export function useFolder(): (files: Record<string, string | Uint8Array>) => Promise<string> {
  const folders: string[] = [];
  afterAll(async () => {
    for (const folder of folders) await rm(folder, { recursive: true });
  });
  return async (files) => {
    const folder = await mkdtemp(join(tmpdir(), 'import-'));
    folders.push(folder);
    for (const [name, content] of Object.entries(files)) await writeFile(join(folder, name), content);
    return folder;
  };
}
