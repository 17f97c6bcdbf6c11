/** Errors of verbs in the words of a tool: its own names of arguments, and what no argument can ask for. */
import { DomainError, type ErrorDetail } from '../../lib/errors.ts';
import { UNKNOWN_FIELD } from '../../lib/rules.ts';
import { ChoiceError } from './choice-error.ts';
import { WEEKLY } from './own-reports.ts';
import { partsOf } from './site-question.ts';
import { NO_SOURCE } from './telemetry-answer.ts';

/** What verbs call an argument that the tool calls otherwise. */
const ARGUMENTS: Readonly<Record<string, string>> = {
  ...{ name: 'event', key: 'property', q: 'text', interval: 'by' },
  ...{ siteId: 'site', environmentId: 'environment', projectId: 'environment' },
};

type Args = Readonly<Record<string, unknown>>;

const filtersIn = ({ filters }: Args): string[] =>
  Array.isArray(filters) ? filters.filter((filter) => typeof filter === 'string') : [];

/** The path in the call's own arguments: `filters.0` for the first filter, `event` for what the report calls `name`. */
function pathIn(args: Args, entries: object, path: string): string {
  const [first = '', second, ...rest] = path.split('.');
  if (first === 'filters' && second !== undefined) {
    const index = filtersIn(args).findIndex((filter) => nameIn(filter) === second);
    return index < 0 ? path : `filters.${index}`;
  }
  const own = first in entries ? first : ARGUMENTS[first];
  return own === undefined || !(own in entries)
    ? path
    : [own, ...(second === undefined ? [] : [second]), ...rest].join('.');
}

const nameIn = (filter: string): string => {
  const { name } = partsOf(filter);
  return name === 'tier' ? 'privacy_tier' : name;
};

/** What isn't there to be asked for: why, and what could be asked instead. */
const UNKNOWN: readonly [RegExp, string][] = [
  [
    /^event(_?name)?$/i,
    'Filters know events that are goals, as `goal is …`. `report_events` has all, and `report_conversions` takes `steps` like `event signup`.',
  ],
  [
    /mail|phone|user|person|people|visitor|customer|(^|_)(ip|name|id)($|_)/i,
    'Who a visitor is isn’t collected: no names, e-mail addresses or IP addresses. Ask for `country` or `city`, `source`, or `report_behaviour` for who comes back.',
  ],
  [
    /^(age|gender|sex|income|interests?)$/i,
    'Nothing about a person is collected. Ask for `country`, `language` or `device`.',
  ],
];

function whyUnknown(args: Args): string | undefined {
  const asked = [args.by, ...filtersIn(args).map((filter) => filter.split(' ', 1)[0])];
  return UNKNOWN.find(([names]) => asked.some((name) => typeof name === 'string' && names.test(name)))?.[1];
}

const NOT_MEASURED =
  'Ask for all visits of a page, or `break_down_visits` by `device` or `country` for how many came.';

const NO_REVENUE =
  'Visits have no revenue: `report_conversions` with `goal` and `by` has what a goal’s events brought.';

const BY_TIME =
  'By hours of the week: `break_down_visits` with this `by` and the filter `goal is …` counts them, without a rate.';

/** Other tools count what happened over time by one call for each time. */
const OVER_TIME: readonly [string, string][] = [
  ['event', 'Events over time: `event` with `by`: hour, day, week or month.'],
  ['minDurationMs', 'Requests over time: `summarize_service` with `interval`.'],
  ['severity', 'Logs over time: one call for each time, by `from` and `to`; `total` is how many there are.'],
];
const TIME_ARGUMENTS = ['by', 'interval', 'groupBy', 'group_by'];

/** What `report_conversions` says of it. */
const IN_ROWS =
  'Rows have `revenue` by currency where a goal brought some: sort by `conversions` and compare.';

/** Where revenue is known, for a tool that doesn't have it by what is asked. */
function whereRevenue(args: Args, details: readonly ErrorDetail[], entries: object): string | undefined {
  const refused = details.filter(({ path }) => path in args).map(({ path }) => `${path} ${args[path]}`);
  if ('type' in entries) return refused.some((arg) => OF_VISITS.test(arg)) ? NO_SOURCE : undefined;
  if (!refused.some((arg) => /revenue|amount|sales|money/i.test(arg))) return undefined;
  return 'steps' in entries ? IN_ROWS : NO_REVENUE;
}

/** Arguments that tell visits apart, which outcomes don't have. */
const OF_VISITS = /^(by|group\w*|filters|site|source|campaign|utm\w*) /i;

const OTHER_RANGES = 'Other ranges: `from` and `to`.';

/** What could be asked instead, for a question that nothing answers. */
function whyNot(args: Args, details: readonly ErrorDetail[], entries: object): string | undefined {
  if (details.some(({ path, message }) => path === 'period' && message.includes('one of')))
    return OTHER_RANGES;
  const where = whereRevenue(args, details, entries);
  if (where !== undefined) return where;
  if (details.some(({ message }) => message.startsWith('is no filter of this report'))) return NOT_MEASURED;
  if (details.some(({ path }) => path === 'by') && 'steps' in entries && WEEKLY.some((by) => by === args.by))
    return BY_TIME;
  const overTime = OVER_TIME.find(([own]) => own in entries)?.[1];
  if (overTime !== undefined && details.some(({ path }) => TIME_ARGUMENTS.includes(path))) return overTime;
  const isUnknown = details.some(({ path }) => path === 'by' || path.startsWith('filters'));
  return isUnknown ? whyUnknown(args) : undefined;
}

/** What the tool takes, for an argument that it doesn't. */
const notAnArgument = (message: string, entries: object): string =>
  message === UNKNOWN_FIELD ? `${message}: the tool takes ${Object.keys(entries).join(', ')}` : message;

/** The error of a call in the words of its tool. */
export function inArguments(error: unknown, args: unknown, entries: object): unknown {
  if (!(error instanceof DomainError) || error instanceof ChoiceError || error.details === undefined)
    return error;
  const given = (typeof args === 'object' && args !== null ? args : {}) as Args;
  const details = error.details.map(({ path, message }) => ({
    path: pathIn(given, entries, path),
    message: path in given && !(path in entries) ? notAnArgument(message, entries) : message,
  }));
  const why = whyNot(given, details, entries);
  const message = why === undefined ? error.message : `${error.message} ${why}`;
  return new DomainError(error.code, message, { details, cause: error.cause });
}
