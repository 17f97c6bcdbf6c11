import type { Sql } from '../../lib/db.ts';
import { makeHelpers } from '../reports/bench-schema.ts';
import { fillSignals } from './fill-signals.ts';
import { fillSites, makeSites, sealFilled } from './fill-sites.ts';
import { type Fill, type FillSize, openFill } from './fill-size.ts';
import { type OnPiece, openPieces } from './pieces.ts';

/** What somebody sees of a fill. */
export interface Watcher {
  begun?: (fill: Fill, rowsDone: number) => void;
  onPiece?: OnPiece;
  onSealed?: (days: number) => void;
}

export interface FillOptions {
  size: Partial<FillSize>;
  now: number;
}

/**
 * Fills a database that has the schema with sites and telemetry, then seals all days. It may be interrupted anywhere: called again, it
 * does what is left, and nothing twice. Only one at a time.
 */
export async function fillAtSize(sql: Sql, { size, now }: FillOptions, watcher: Watcher = {}): Promise<void> {
  const [found] = await sql`select to_regnamespace('bench') is not null as begun`;
  if (!found?.begun) await makeHelpers(sql);
  const fill = await openFill(sql, size, now);
  const pieces = await openPieces(sql, watcher.onPiece ?? (() => {}));
  watcher.begun?.(fill, pieces.rows());
  const sites = await makeSites(sql, 1 + fill.size.sites, pieces);
  const works = await Promise.allSettled([
    fillSites(sql, { ...fill, sites }, pieces).then(() => sealFilled(sql, fill, watcher.onSealed)),
    fillSignals(sql, { ...fill, projectId: sites[0]?.projectId ?? '' }, pieces),
  ]);
  for (const work of works) if (work.status === 'rejected') throw work.reason;
  await pieces.repeatable('statistics', 0, () => sql`vacuum analyze`);
}
