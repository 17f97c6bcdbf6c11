/** What an alert watches, and the rules that hold between its fields (docs/alerts.md#rules). */
import * as v from 'valibot';
import { readFilter } from '../analytics/reading/filter-text.ts';
import { described, Id } from '../fields.ts';
import {
  type AlertMetric,
  COUNTS,
  type Compare,
  ENVIRONMENT_FIELDS,
  FIELDS,
  isOfErrors,
  LEAST_ERROR_MINUTES,
  MAX_SHORT_MINUTES,
  MINUTE_DIMENSIONS,
  type MinuteDimension,
  NO_BASELINE,
  SHORT,
  SITE_FIELDS,
} from './alert-fields.ts';

const MAX_ALTERNATIVES = 20;
const isFilter = (text: string): boolean => {
  const { values } = readFilter(text);
  return values.length <= MAX_ALTERNATIVES && !values.includes('');
};
const ByDimension = v.optional(
  v.pipe(
    v.string(),
    v.maxLength(2048),
    v.check(isFilter, `must be 1 to ${MAX_ALTERNATIVES} values, none of them empty`),
  ),
);

/** Filters of an alert: only what is counted by the minute. */
export const AlertFilters = v.pipe(
  v.strictObject({
    privacy_tier: v.optional(v.picklist([1, 2, 3])),
    ...(Object.fromEntries(MINUTE_DIMENSIONS.map((dimension) => [dimension, ByDimension])) as Record<
      MinuteDimension,
      typeof ByDimension
    >),
  }),
  v.check(
    (filters) => MINUTE_DIMENSIONS.filter((dimension) => filters[dimension] !== undefined).length <= 1,
    'must have at most one filter besides `privacy_tier`',
  ),
  v.description(
    'As in a segment: `{"source": "Google|Bing"}`. `privacy_tier` goes with every metric but `dropped`; one of `source`, `channel`, ' +
      '`country`, `device` and `entry_page` goes with `visits`. Alerts read counts by the minute, which have no other filters.',
  ),
);
export type AlertFilters = v.InferOutput<typeof AlertFilters>;

const Text = (most: number) => v.pipe(v.string(), v.minLength(1), v.maxLength(most));

/** What the metric of a site's alert is of. */
export const siteSubject = {
  goalId: v.optional(described(Id, 'For `conversions` and `conversion_rate`.')),
  event: v.optional(described(Text(64), 'For `events`: its name. Absent: all custom events.')),
  currency: v.optional(
    v.pipe(
      v.string(),
      v.regex(/^[A-Z]{3}$/, 'must be three capital letters'),
      v.description('For `revenue`: an ISO 4217 code.'),
    ),
  ),
  filters: v.optional(AlertFilters),
};

/** What the metric of an environment's alert is of. */
export const environmentSubject = {
  service: v.optional(
    described(Text(255), 'For every metric but `outcomes`. Absent: all services; `silence` needs it.'),
  ),
  operation: v.optional(
    described(
      Text(256),
      'For `error_rate`, `requests` and percentiles: one operation of the service. Absent: all.',
    ),
  ),
  severity: v.optional(
    v.pipe(
      v.picklist(['debug', 'info', 'warn', 'error', 'fatal']),
      v.description('For `logs`: the least severity that counts.'),
    ),
  ),
  text: v.optional(described(Text(200), 'For `logs`: only records with these words.')),
  metricName: v.optional(described(Text(255), 'For `metric`: its name in the catalogue.')),
  aggregation: v.optional(
    v.pipe(v.picklist(['sum', 'avg', 'min', 'max', 'rate']), v.description('For `metric`.')),
  ),
  outcomeType: v.optional(described(Text(64), 'For `outcomes`: a type. Absent: all.')),
};

const SiteSubject = v.object(siteSubject);
const EnvironmentSubject = v.object(environmentSubject);
/** The fields of a subject, of either kind. */
export type Subject = v.InferOutput<typeof SiteSubject> & v.InferOutput<typeof EnvironmentSubject>;

export interface Rule {
  metric: AlertMetric;
  subject: Subject;
  compare: Compare;
  threshold: number;
  forMinutes: number;
}

export interface Fault {
  path: string;
  message: string;
}

/** Which rules the fields of an alert break together; none if it can be evaluated. */
export function faultsOf({ metric, subject, compare, forMinutes }: Rule): Fault[] {
  const faults: Fault[] = [];
  const fields = FIELDS[metric];
  for (const field of [...SITE_FIELDS, ...ENVIRONMENT_FIELDS]) {
    if (subject[field] !== undefined && !(field in fields))
      faults.push({ path: field, message: `doesn’t go with the metric ${metric}` });
    if (subject[field] === undefined && fields[field] === true)
      faults.push({ path: field, message: `is required for the metric ${metric}` });
  }
  if (subject.operation !== undefined && subject.service === undefined && 'operation' in fields)
    faults.push({ path: 'service', message: 'is required beside `operation`' });
  const dimension = MINUTE_DIMENSIONS.find((name) => subject.filters?.[name] !== undefined);
  if (dimension !== undefined && metric !== 'visits' && 'filters' in fields)
    faults.push({
      path: `filters.${dimension}`,
      message: `goes with the metric visits alone: ${metric} is counted by \`privacy_tier\` only`,
    });
  if (compare === 'silent' && !COUNTS.includes(metric))
    faults.push({
      path: 'compare',
      message: `can’t be silent for the metric ${metric}, which isn’t a count`,
    });
  if (metric === 'silence' && compare !== 'silent')
    faults.push({ path: 'compare', message: 'must be silent for the metric silence' });
  if ((compare === 'rose_by' || compare === 'fell_by') && NO_BASELINE.includes(metric))
    faults.push({
      path: 'compare',
      message: `can’t be ${compare} for the metric ${metric}, which has no sums of weeks`,
    });
  if (isOfErrors(metric) && forMinutes < LEAST_ERROR_MINUTES)
    faults.push({
      path: 'forMinutes',
      message: `must be at least ${LEAST_ERROR_MINUTES} for the metric ${metric}`,
    });
  if (SHORT.includes(metric) && forMinutes > MAX_SHORT_MINUTES)
    faults.push({
      path: 'forMinutes',
      message: `must be at most ${MAX_SHORT_MINUTES} for the metric ${metric}`,
    });
  return faults;
}

/** What the metric is of, as one text: the goal is named by whoever knows it. */
export const subjectText = ({
  event,
  currency,
  service,
  operation,
  metricName,
  outcomeType,
  text,
}: Subject): string | undefined =>
  event ??
  currency ??
  metricName ??
  outcomeType ??
  (service === undefined ? text : [service, operation, text].filter(Boolean).join(' '));
