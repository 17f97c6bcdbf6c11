import { perSecond, whole } from '../print-table.ts';
import { type FilledSite, fillSite, SINCE_CRONS_MS, type TrafficOptions } from './fill-report-site.ts';
import { type Question, questionsOn } from './report-questions.ts';
import { sealDays } from './seal-site.ts';
import { type Bytes, lessBytes, measureBytes } from './table-bytes.ts';
import { timeQuestion } from './time-question.ts';
import { fillUmami, questionsOnUmami, type UmamiSize } from './umami-baseline.ts';
import { connected, limitStatements, withService } from './with-service.ts';

/** A longer question is aborted. */
const PATIENCE_SECONDS = 60;

/** The results for one size of site. */
export interface Measured {
  site: FilledSite;
  bytes: Bytes;
  /** Seconds to seal all days; null if there is nothing to seal. */
  sealing: number | null;
  /** Milliseconds by report; infinite if it was aborted. */
  times: Map<string, number>;
  baseline: { size: UmamiSize; times: Map<string, number> } | undefined;
}

/** Fills a new database with the traffic, optionally with the baseline's tables too, and measures all questions. */
export function measureSize(
  server: string,
  traffic: TrafficOptions,
  withBaseline: boolean,
): Promise<Measured> {
  return withService(server, async (url) => {
    const ours = await connected(url, async (sql) => {
      const empty = await measureBytes(sql);
      const site = await fillSite(sql, traffic, tellProgress(traffic.events, 'stored'));
      const sealing = await sealDays(url, traffic.now - SINCE_CRONS_MS);
      const bytes = lessBytes(await measureBytes(sql), empty);
      return { site, bytes, sealing };
    });
    const tell = tellProgress(traffic.events, 'stored for the baseline');
    const umami = withBaseline ? await connected(url, (sql) => fillUmami(sql, traffic, tell)) : undefined;

    await connected(url, (sql) => limitStatements(sql, PATIENCE_SECONDS));
    const asked = await connected(url, async (sql) =>
      ask(await questionsOn(sql, ours.site), umami === undefined ? [] : questionsOnUmami(sql, traffic.now)),
    );
    return { ...ours, times: asked.times, baseline: umami && { size: umami, times: asked.counterparts } };
  });
}

/** Each question is followed by its counterpart in the baseline, so that both run under the same load. */
async function ask(questions: readonly Question[], counterparts: readonly Question[]) {
  const asked = { times: new Map<string, number>(), counterparts: new Map<string, number>() };
  for (const question of questions) {
    const { name } = question;
    asked.times.set(name, await timeQuestion(question));
    const counterpart = counterparts.find((other) => other.name === name);
    if (counterpart !== undefined) asked.counterparts.set(name, await timeQuestion(counterpart));
    console.error(
      `  ${name}: ${[asked.times.get(name), asked.counterparts.get(name)].map((ms) => ms?.toFixed(1) ?? '').join(' ')}`,
    );
  }
  return asked;
}

/** Storage of visits that were folded event by event, as in production. */
export interface FoldedSample {
  /** Page views and custom events. */
  events: number;
  visitBytes: number;
  /** All events per second, including engagement. */
  eventsASecond: number;
}

/** Folds all of the traffic into a new database. */
export function measureFold(server: string, traffic: TrafficOptions): Promise<FoldedSample> {
  return withService(server, (url) =>
    connected(url, async (sql) => {
      const empty = await measureBytes(sql);
      const { days = 1 } = traffic;
      const site = await fillSite(
        sql,
        { ...traffic, foldedDays: days },
        tellProgress(traffic.events, 'folded'),
      );
      const { visits } = lessBytes(await measureBytes(sql), empty);
      const { events, seconds } = site.folded;
      return { events: site.events, visitBytes: visits, eventsASecond: events / seconds };
    }),
  );
}

/** Prints the progress and the speed now and then. */
function tellProgress(events: number, what: string): (done: number, days: number) => void {
  const begun = performance.now();
  return (done, days) => {
    if (done % 10 !== 0 && done !== days) return;
    const rate = (events * done) / days / ((performance.now() - begun) / 1000);
    console.error(`  ${whole(events)} events ${what}: day ${done} of ${days}, ${perSecond(rate)}`);
  };
}
