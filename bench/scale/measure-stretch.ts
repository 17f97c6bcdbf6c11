/** Measures a stretch of time in which events come at a steady rate, beside telemetry, and, if wanted, questions. */
import type { Stack } from '../../dev/stack.ts';
import type { LoadResult } from '../load/load-job.ts';
import type { RunLoad } from '../load/with-load.ts';
import { type Answered, type Askers, askInTurn } from './ask-in-turn.ts';
import type { Fill, FilledSite } from './fill-size.ts';
import { type Lag, measureLag } from './measure-lag.ts';
import type { AskedQuestion } from './questions.ts';
import { type Sent, sendSignals } from './send-signals.ts';
import type { Machine, Peaks, Sample } from './watch-machine.ts';

const CONNECTIONS = 128;
/** Share of the events that go to the large site. */
const LARGE_SHARE = 0.5;

/** What was measured in one stretch of time. */
export interface Stretch {
  before: Sample;
  after: Sample;
  peaks: Peaks;
  load: LoadResult;
  lag: Lag;
  signals: Sent;
  answered: Answered[];
  /** Lines of the functions' log that tell of an error, by what they tell. */
  faults: Map<string, number>;
}

export interface Target {
  fill: Fill;
  sites: FilledSite[];
  key: string;
  askers: Askers;
  questions: readonly AskedQuestion[];
}

export interface Parts {
  stack: Stack;
  target: Target;
  machine: Machine;
  load: RunLoad;
  faults: Map<string, number>;
}

export async function runStretch(
  { stack, target, machine, load, faults }: Parts,
  { rate, seconds, isAsked }: { rate: number; seconds: number; isAsked: boolean },
): Promise<Stretch> {
  const { sites, fill, key, askers, questions } = target;
  const [large] = sites as [FilledSite];
  const others = sites.slice(1).map(({ siteId }) => siteId);
  const copies = Math.max(1, Math.round((others.length * LARGE_SHARE) / (1 - LARGE_SHARE)));
  faults.clear();
  const before = await machine.sample();
  const stop = machine.watch();
  const until = Date.now() + seconds * 1000;
  const [result, lag, signals, answered] = await Promise.all([
    load({
      ...{
        url: `${stack.baseUrl}/api/v1/track`,
        connections: CONNECTIONS,
        seconds,
        perSecond: rate,
        status: 202,
      },
      request: { siteIds: [...others, ...Array.from({ length: copies }, () => large.siteId)] },
    }),
    measureLag(stack, large, until),
    // Numbers that no earlier stretch had, so that nothing is a repeat.
    sendSignals(
      stack,
      { key, signals: fill.size.signals, first: Math.floor(Date.now() / 1000) * 1000 },
      until,
    ),
    isAsked ? askInTurn(stack, questions, { askers, until }) : [],
  ]);
  const peaks = await stop();
  return {
    ...{ before, after: await machine.sample(), peaks, load: result, lag, signals, answered },
    faults: new Map(faults),
  };
}
