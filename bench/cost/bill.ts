/** The cost of a month, item by item. */
import type { Inputs } from './bill-inputs.ts';

const MONTH_DAYS = 730 / 24;
const MONTH_SECONDS = 730 * 3600;
const GIGABYTE = 1e9;
const MILLION = 1e6;
/** How long an isolate reuses a policy, from `createPolicyCache`. */
const POLICY_SECONDS = 30;
/** One GET per isolate and day. The first isolate also sets the salt. */
const SALT_COMMANDS = 1;
/** DEL of old salts by a cron, every 15 minutes. */
const CRON_COMMANDS = MONTH_DAYS * 96;

export interface Item {
  what: string;
  quantity: number;
  unit: string;
  /** Dollars per `unit`. */
  price: number;
  /** The part of the quantity that the plan includes. */
  included: number;
  /** The minimum quantity that is billed, also without visits. */
  least: number;
}

/**
 * In dollars. `atList`: these page views at list prices, without the plan's included amounts. `billed`: a month with only these page
 * views.
 */
export const atList = ({ quantity, price }: Item): number => quantity * price;
export const billed = ({ quantity, price, included, least }: Item): number =>
  Math.max(least, quantity - included, 0) * price;

export function billOf(inputs: Inputs): Item[] {
  const { pageViews } = inputs;
  const policyCalls = pageViews * inputs.policyCallsAPageView;
  const trackCalls = pageViews * inputs.trackCallsAPageView;
  const scriptCalls = pageViews * inputs.scriptCallsAPageView;
  const events = pageViews * inputs.eventsAPageView;
  const limited = policyCalls + trackCalls;
  const lookups = Math.min(limited, (inputs.isolates * MONTH_SECONDS) / POLICY_SECONDS);

  const queued = trackCalls * inputs.queuedShare;
  const atOnce = trackCalls - queued;
  const batchSize = Math.min(inputs.batchMessages, 1 + (queued / MONTH_SECONDS) * inputs.batchSeconds);
  const batches = queued / batchSize;

  const cpuMs =
    policyCalls * inputs.policyMs +
    trackCalls * inputs.trackMs +
    scriptCalls * inputs.scriptMs +
    lookups * inputs.policyLookupMs +
    atOnce * inputs.ingestAtOnceMs +
    batches * between(batchSize, inputs.ingestMs1, inputs.ingestMs10, inputs.ingestMs100);
  const databaseMs =
    lookups * inputs.policyLookupDatabaseMs +
    atOnce * inputs.foldAtOnceMs +
    batches * between(batchSize, inputs.foldMs1, inputs.foldMs10, inputs.foldMs100);
  const bookings = (limited * inputs.requestsToBook) / inputs.requestsABooking;

  const item = (
    what: string,
    quantity: number,
    unit: string,
    price: number,
    included = 0,
    least = 0,
  ): Item => ({
    ...{ what, quantity, unit, price, included, least },
  });
  return [
    item('Workers plan', 0, 'month', inputs.workersPlan, 0, 1),
    item(
      'Worker requests',
      (policyCalls + trackCalls + scriptCalls + batches) / MILLION,
      'million',
      inputs.aMillionRequests,
      inputs.includedRequests / MILLION,
    ),
    item('Worker CPU', cpuMs / MILLION, 'million ms', inputs.aMillionCpuMs, inputs.includedCpuMs / MILLION),
    item(
      'Queue operations',
      (queued * inputs.operationsAMessage) / MILLION,
      'million',
      inputs.aMillionQueueOperations,
      inputs.includedQueueOperations / MILLION,
    ),
    item(
      'Redis commands',
      (bookings * inputs.commandsABooking +
        inputs.isolateStartsADay * MONTH_DAYS * SALT_COMMANDS +
        CRON_COMMANDS) /
        MILLION,
      'million',
      inputs.aMillionRedisCommands,
      inputs.includedRedisCommands / MILLION,
    ),
    item(
      'Database compute',
      databaseMs / 3_600_000 / inputs.databaseLoad,
      'CU-hours',
      inputs.aComputeUnitHour,
      0,
      inputs.leastComputeUnits * inputs.databaseHours,
    ),
    item(
      'Database storage',
      (pageViews * inputs.keptBytesAPageView * inputs.retentionMonths +
        (events * inputs.rawBytesAnEvent * inputs.rawDays) / MONTH_DAYS) /
        GIGABYTE,
      'GB-months',
      inputs.aStoredGigabyteMonth,
    ),
    item(
      'Database change history',
      (events * inputs.logBytesAnEvent * inputs.historyDays) / MONTH_DAYS / GIGABYTE,
      'GB-months',
      inputs.aHistoryGigabyteMonth,
    ),
  ];
}

/** Linear interpolation between the measurements of 1, 10 and 100. */
function between(size: number, one: number, ten: number, hundred: number): number {
  return size < 10 ? one + ((ten - one) * (size - 1)) / 9 : ten + ((hundred - ten) * (size - 10)) / 90;
}
