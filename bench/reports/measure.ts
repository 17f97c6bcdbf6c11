import { startNeon } from '../../dev/neon/server.ts';
import { connectDatabase, type Sql } from '../../lib/db.ts';
import { readSchema } from '../../scripts/lib/read-schema.ts';
import { withDatabase } from '../database.ts';
import { whole } from '../table.ts';
import { type Bytes, lessBytes, measureBytes } from './bytes.ts';
import { type FilledSite, fillSite, type TrafficOptions } from './fill.ts';
import { questionsOn } from './questions.ts';
import { sealDays } from './seal.ts';
import { timeQuestions } from './time.ts';
import { fillUmami, questionsOnUmami, type UmamiSize } from './umami.ts';

/** One size of site. */
export interface Measured {
  site: FilledSite;
  bytes: Bytes;
  /** Seconds that it took to seal all days; null: there is nothing to seal. */
  sealing: number | null;
  /** Milliseconds by report. */
  times: Map<string, number>;
  baseline: { size: UmamiSize; times: Map<string, number> } | undefined;
}

/** Fills a new database with the traffic and asks it everything; then, if so wished, the baseline in the same database. */
export function measureSize(
  server: string,
  traffic: TrafficOptions,
  withBaseline: boolean,
): Promise<Measured> {
  return withService(server, async (sql) => {
    const size = `${whole(traffic.events)} events`;
    const empty = await measureBytes(sql);
    const site = await fillSite(sql, traffic, tellProgress(size));
    const sealing = await sealDays(sql, traffic.now);
    const bytes = lessBytes(await measureBytes(sql), empty);
    console.error(`  ${size}: asking`);
    const times = await timeQuestions(await questionsOn(sql, site));
    if (!withBaseline) return { site, bytes, sealing, times, baseline: undefined };

    const umami = await fillUmami(sql, traffic, tellProgress(`${size} for the baseline`));
    console.error(`  ${size}: asking the baseline`);
    const theirs = await timeQuestions(questionsOnUmami(sql, traffic.now));
    return { site, bytes, sealing, times, baseline: { size: umami, times: theirs } };
  });
}

/** Visits that were folded event by event, as the service does: what they take. */
export interface FoldedSample {
  /** Page views and custom events. */
  events: number;
  visitBytes: number;
  /** All events, engagement too, a second. */
  eventsASecond: number;
}

/** Folds all of some traffic, into a new database. */
export function measureFold(server: string, traffic: TrafficOptions): Promise<FoldedSample> {
  return withService(server, async (sql) => {
    const empty = await measureBytes(sql);
    const { days = 1 } = traffic;
    const site = await fillSite(
      sql,
      { ...traffic, foldedDays: days },
      tellProgress(`${whole(traffic.events)} events to fold`),
    );
    const { visits } = lessBytes(await measureBytes(sql), empty);
    const { events, seconds } = site.folded;
    return { events: site.events, visitBytes: visits, eventsASecond: events / seconds };
  });
}

/** Lets `use` have a new database with the schema in it, through the driver that the service uses. */
function withService<T>(server: string, use: (sql: Sql) => Promise<T>): Promise<T> {
  return withDatabase(server, async (url) => {
    const neon = await startNeon({ database: { url } });
    try {
      await neon.exec(await readSchema());
      return await use(connectDatabase({ url: neon.url, endpoint: neon.endpoint }));
    } finally {
      await neon.close();
    }
  });
}

/** A line now and then, with the days filled a second. */
function tellProgress(what: string): (done: number, days: number) => void {
  const begun = performance.now();
  return (done, days) => {
    if (done % 10 !== 0 && done !== days) return;
    const seconds = (performance.now() - begun) / 1000;
    console.error(`  ${what}: day ${done} of ${days}, ${(done / seconds).toFixed(1)} days/s`);
  };
}
