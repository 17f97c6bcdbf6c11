/** What the bill is made of: prices, traffic, and what was measured. Each may be given as `--set name=value`. */

export interface Inputs {
  /** Page views a month. */
  pageViews: number;
  /** The tracker asks once a page that is loaded. */
  policyCallsAPageView: number;
  /** Each is one message. */
  trackCallsAPageView: number;
  eventsAPageView: number;
  /** Requests for the script that a Worker sees: none for static assets, those of a page view for a gateway. */
  scriptCallsAPageView: number;
  /** How long visits are kept. */
  retentionMonths: number;

  /** Of `wrangler.toml`: how long the queue gathers a batch, and how many messages at most. */
  batchSeconds: number;
  batchMessages: number;
  /** Share of the messages that go through the queue; the others are folded at once. */
  queuedShare: number;
  /** Isolates that have traffic at one time, and how many begin in a day. Nobody publishes either. */
  isolates: number;
  isolateStartsADay: number;
  /** Share of the requests that an isolate may not let through by itself (`isolateLimiter`: beyond 50 a minute of a key). */
  requestsToBook: number;
  /** Requests that one booking covers. 1 and `requestsToBook` 1: each asks Redis. */
  requestsABooking: number;
  /** Of a script with INCRBY and, the first time, PEXPIRE. */
  commandsABooking: number;

  /** Milliseconds of CPU. */
  trackMs: number;
  policyMs: number;
  /** Of a gateway. */
  scriptMs: number;
  policyLookupMs: number;
  policyLookupDatabaseMs: number;
  /** Of a message that is folded at once. */
  ingestAtOnceMs: number;
  foldAtOnceMs: number;
  /** Of a batch with 1, 10 and 100 messages. */
  ingestMs1: number;
  ingestMs10: number;
  ingestMs100: number;
  foldMs1: number;
  foldMs10: number;
  foldMs100: number;
  /** Of visits and rollups, and of raw events, indexes included. */
  keptBytesAPageView: number;
  rawBytesAnEvent: number;
  rawDays: number;
  /** Of the write-ahead log. */
  logBytesAnEvent: number;

  /** US dollars. */
  workersPlan: number;
  aMillionRequests: number;
  includedRequests: number;
  aMillionCpuMs: number;
  includedCpuMs: number;
  aMillionQueueOperations: number;
  includedQueueOperations: number;
  /** A message below 64 KB: written, read, deleted. */
  operationsAMessage: number;
  aMillionRedisCommands: number;
  includedRedisCommands: number;
  aComputeUnitHour: number;
  /** The smallest compute, and how many hours of a month it is awake: with more than a page view in five minutes, all. */
  leastComputeUnits: number;
  databaseHours: number;
  /** How busy the database's compute may be. One unit is taken for one core. */
  databaseLoad: number;
  aStoredGigabyteMonth: number;
  aHistoryGigabyteMonth: number;
  historyDays: number;
}

/** Prices as of November 2026, figures of `npm run bench -- cpu` and of the demo's traffic: `docs/cost.md` has the sources. */
export const INPUTS: Inputs = {
  pageViews: 1_000_000,
  policyCallsAPageView: 1,
  trackCallsAPageView: 1.38,
  eventsAPageView: 1.38,
  scriptCallsAPageView: 0,
  retentionMonths: 25,

  batchSeconds: 1,
  batchMessages: 100,
  queuedShare: 0.02,
  isolates: 100,
  isolateStartsADay: 500,
  requestsToBook: 0.01,
  requestsABooking: 25,
  commandsABooking: 3,

  trackMs: 1.27,
  policyMs: 0.65,
  scriptMs: 0.62,
  policyLookupMs: 1.02,
  policyLookupDatabaseMs: 0.07,
  ingestAtOnceMs: 1.32,
  foldAtOnceMs: 1.68,
  ingestMs1: 1.32,
  ingestMs10: 1.87,
  ingestMs100: 3.38,
  foldMs1: 1.68,
  foldMs10: 4.05,
  foldMs100: 14.74,
  keptBytesAPageView: 108,
  rawBytesAnEvent: 274,
  rawDays: 3,
  logBytesAnEvent: 1193,

  workersPlan: 5,
  aMillionRequests: 0.3,
  includedRequests: 10_000_000,
  aMillionCpuMs: 0.02,
  includedCpuMs: 30_000_000,
  aMillionQueueOperations: 0.4,
  includedQueueOperations: 1_000_000,
  operationsAMessage: 3,
  aMillionRedisCommands: 2,
  includedRedisCommands: 0,
  aComputeUnitHour: 0.106,
  leastComputeUnits: 0.25,
  databaseHours: 730,
  databaseLoad: 0.7,
  aStoredGigabyteMonth: 0.35,
  aHistoryGigabyteMonth: 0.2,
  historyDays: 1,
};

/** Reads `name=value` into a copy. Throws a sentence for whoever asks if there is no such input or the value is no number. */
export function withInputs(settings: readonly string[]): Inputs {
  const inputs = { ...INPUTS };
  for (const setting of settings) {
    const [name = '', text = ''] = setting.split('=');
    const value = Number(text.replaceAll('_', ''));
    if (!isInput(name)) throw new Error(`No input ${name}. There are: ${Object.keys(INPUTS).join(', ')}`);
    if (text === '' || !(value >= 0)) throw new Error(`--set ${name} takes a number from 0 on.`);
    inputs[name] = value;
  }
  return inputs;
}

const isInput = (name: string): name is keyof Inputs => Object.hasOwn(INPUTS, name);
