import { percent, perSecond, whole } from '../print-table.ts';
import type { Watcher } from './fill-at-size.ts';
import type { FillSize } from './fill-size.ts';
import { SIGNALS } from './made-signals.ts';

const EVERY_MS = 10_000;

/** All rows of a fill: page views and custom events, spans, log records and points. */
const rowsOf = ({ site, sites, each, signals, signalDays }: FillSize): number =>
  site + sites * each + SIGNALS.length * signals * signalDays;
const daysOf = ({ sites, days }: FillSize): number => (1 + sites) * days;

/** A watcher that says now and then how much is done, how fast, and how long the rest takes at that rate. */
export function showProgress(): Required<Watcher> & { end(): void } {
  let size: FillSize | undefined;
  let timer: ReturnType<typeof setInterval> | undefined;
  let last = '';
  let sealed = 0;
  const rows = { before: 0, done: 0 };
  const begun = performance.now();
  const show = (): void => {
    if (size === undefined) return;
    const all = rowsOf(size);
    const rate = (rows.done / (performance.now() - begun)) * 1000;
    const done = rows.before + rows.done;
    const left = rate > 0 && done < all ? `${whole((all - done) / rate / 60)} min left` : '';
    console.error(
      `  ${percent(done / all)} of ${whole(all)} rows, ${perSecond(rate)}, ${left}; sealed ${sealed} of ${daysOf(size)} days; ${last}`,
    );
  };
  return {
    begun: (fill, before) => {
      size = fill.size;
      rows.before = before;
      console.error(`  until ${new Date(fill.until).toISOString()}: ${JSON.stringify(size)}`);
      timer = setInterval(show, EVERY_MS);
    },
    onPiece: (name, done) => {
      rows.done += done;
      last = name;
    },
    onSealed: (days) => {
      sealed += days;
    },
    end: () => {
      clearInterval(timer);
      show();
    },
  };
}
