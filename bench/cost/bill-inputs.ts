/** The inputs of the bill: prices, traffic and measurements. `--set name=value` overrides one. */

export interface Inputs {
  /** Page views per month. */
  pageViews: number;
  /** The tracker asks for the policy once per loaded page. */
  policyCallsAPageView: number;
  /** Each event is one message. */
  trackCallsAPageView: number;
  eventsAPageView: number;
  /** Requests for the script that reach a Worker: none for static assets; with a gateway, one per page view. */
  scriptCallsAPageView: number;
  /** How long visits are stored. */
  retentionMonths: number;

  /** From `wrangler.toml`: how long the queue collects a batch, and its maximum number of messages. */
  batchSeconds: number;
  batchMessages: number;
  /** Share of the messages that go through the queue; the others are folded at once. */
  queuedShare: number;
  /** Isolates with traffic at one time, and isolates that start per day. Cloudflare publishes neither number. */
  isolates: number;
  isolateStartsADay: number;
  /** Share of the requests that need a booking in Redis (`isolateLimiter`: above 50 a minute per key). */
  requestsToBook: number;
  /** Requests that one booking covers. With 1 and `requestsToBook` 1, each request asks Redis. */
  requestsABooking: number;
  /** Redis commands of a script with INCRBY and, the first time, PEXPIRE. */
  commandsABooking: number;

  /** Milliseconds of CPU time. */
  trackMs: number;
  policyMs: number;
  /** CPU time of a gateway. */
  scriptMs: number;
  policyLookupMs: number;
  policyLookupDatabaseMs: number;
  /** CPU time of a message that is folded at once. */
  ingestAtOnceMs: number;
  foldAtOnceMs: number;
  /** CPU time of a batch with 1, 10 and 100 messages. */
  ingestMs1: number;
  ingestMs10: number;
  ingestMs100: number;
  foldMs1: number;
  foldMs10: number;
  foldMs100: number;
  /** Bytes of visits and rollups, and of raw events, including indexes. */
  keptBytesAPageView: number;
  rawBytesAnEvent: number;
  rawDays: number;
  /** Bytes of the write-ahead log. */
  logBytesAnEvent: number;

  /** US dollars. */
  workersPlan: number;
  aMillionRequests: number;
  includedRequests: number;
  aMillionCpuMs: number;
  includedCpuMs: number;
  aMillionQueueOperations: number;
  includedQueueOperations: number;
  /** Operations per message below 64 KB: write, read, delete. */
  operationsAMessage: number;
  aMillionRedisCommands: number;
  includedRedisCommands: number;
  aComputeUnitHour: number;
  /** The smallest compute, and its active hours per month: with more than one page view in five minutes, all hours. */
  leastComputeUnits: number;
  databaseHours: number;
  /** Maximum load of the database's compute. One compute unit counts as one core. */
  databaseLoad: number;
  aStoredGigabyteMonth: number;
  aHistoryGigabyteMonth: number;
  historyDays: number;
}

/** Prices of November 2026, results of `npm run bench -- cpu`, and the demo's traffic. `docs/cost.md` has the sources. */
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

/** Puts `name=value` into a copy. Throws a sentence for the user if the input is unknown or the value isn't a number. */
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
