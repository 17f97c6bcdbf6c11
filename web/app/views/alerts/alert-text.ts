/** Alerts in words of the page's language. */
import { type AlertMetric, unitOf } from '../../../../lib/alerts/alert-fields.ts';
import { readFilter } from '../../../../lib/analytics/reading/filter-text.ts';
import { exact, milliseconds, money, percent, rate, time } from '../../format.ts';
import type { Dimension } from '../../state/site-query.ts';
import { alertWords } from '../../words/alerts.ts';
import { language } from '../../words/index.ts';
import { textOf } from '../site/filter-text.ts';
import type { Alert, Rule } from './alert-source.ts';

const DAY_MINUTES = 1440;
const HOUR_MINUTES = 60;

/** 10 minutes, 1 hour, 2 days. */
export function span(minutes: number): string {
  const [count, unit] =
    minutes % DAY_MINUTES === 0
      ? [minutes / DAY_MINUTES, 'day']
      : minutes % HOUR_MINUTES === 0
        ? [minutes / HOUR_MINUTES, 'hour']
        : [minutes, 'minute'];
  return new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long' }).format(count);
}

/** A value of the metric with its unit. */
export function valueText(value: number, of: { metric: AlertMetric; currency?: string }): string {
  if (of.metric === 'silence') return alertWords.received[value > 0 ? 'some' : 'none'];
  switch (unitOf(of)) {
    case 'percent':
      return percent(value, 2);
    case 'ms':
      return milliseconds(value);
    case 'currency':
      return of.currency === undefined ? exact(value) : money(value.toFixed(2), of.currency);
    case 'count':
      return Number.isInteger(value) ? exact(value) : rate(value);
  }
}

/** The limit with its unit: of changes percent. */
export const limitText = (rule: Pick<Rule, 'compare' | 'threshold' | 'metric' | 'currency'>): string =>
  rule.compare === 'rose_by' || rule.compare === 'fell_by'
    ? percent(rule.threshold, 2)
    : valueText(rule.threshold, rule);

const filterTexts = (filters: NonNullable<Rule['filters']>): string[] =>
  Object.entries(filters).map(([name, value]) =>
    textOf({ dimension: name as Dimension, ...readFilter(String(value)) }),
  );

/** What the metric is of: the goal, the service, the filters. */
export function subjectText(rule: Rule, goalName: (id: string) => string | undefined): string {
  const { goalId, event, currency, filters = {}, service, operation } = rule;
  const { severity, text, metricName, aggregation, outcomeType } = rule;
  return [
    goalId !== undefined && goalName(goalId),
    event,
    currency,
    metricName,
    aggregation !== undefined && alertWords.form.aggregations[aggregation],
    service,
    operation,
    outcomeType,
    severity !== undefined && `≥ ${severity}`,
    text !== undefined && `“${text}”`,
    ...filterTexts(filters),
  ]
    .filter(Boolean)
    .join(', ');
}

/** The whole condition: `Error rate (checkout) above 5% in 5 minutes`. */
export function conditionText(rule: Rule, goalName: (id: string) => string | undefined): string {
  const { metric, compare, forMinutes, service } = rule;
  if (metric === 'silence') return alertWords.silence(service ?? '', span(forMinutes));
  const subject = subjectText(rule, goalName);
  const what = `${alertWords.metrics[metric]}${subject === '' ? '' : ` (${subject})`}`;
  return alertWords.conditions[compare](what, limitText(rule), span(forMinutes));
}

/** When, in the zone of what the alert is of; UTC is named. */
export const when = (at: string, zone: string): string =>
  `${time(at, 'long-hour', zone)}${zone === 'UTC' ? ' UTC' : ''}`;

/** The state that holds now: an alert that was muted a moment ago is so before the next round notes it. */
export function stateOf({ state, mutedUntil }: Pick<Alert, 'state' | 'mutedUntil'>): Alert['state'] {
  if (mutedUntil !== null && Date.parse(mutedUntil) > Date.now()) return 'muted';
  return state;
}
