/** An alert while its form is filled in. */
import {
  type AlertMetric,
  COMPARES,
  COUNTS,
  type Compare,
  FIELDS,
  isOfErrors,
  LEAST_ERROR_MINUTES,
  MAX_SHORT_MINUTES,
  NO_BASELINE,
  SHORT,
  type SubjectField,
} from '../../../../lib/alerts/alert-fields.ts';
import type { alertWords } from '../../words/alerts.ts';
import type { Alert, AlertSource, Changes, Rule, Saved, Subject } from './alert-source.ts';

const MAX_MINUTES = 1440;

export interface Draft {
  name: string;
  metric: AlertMetric;
  compare: Compare;
  threshold: string;
  forMinutes: string;
  channels: readonly string[];
  /** Also of metrics that were chosen before: what doesn't go with the metric isn't sent. */
  subject: Subject;
}

/** Props of what fills in a part of the form. */
export interface DraftProps {
  draft: Draft;
  onChange: (changes: Partial<Draft>) => void;
}

export interface Template {
  name: keyof typeof alertWords.templates;
  draft: Omit<Draft, 'name' | 'channels' | 'subject'>;
}

const OF_SITES: readonly Template[] = [
  {
    name: 'visitsFell',
    draft: { metric: 'visits', compare: 'fell_by', threshold: '50', forMinutes: '60' },
  },
  {
    name: 'noPageviews',
    draft: { metric: 'pageviews', compare: 'silent', threshold: '', forMinutes: '60' },
  },
];
const OF_ENVIRONMENTS: readonly Template[] = [
  {
    name: 'errorRate',
    draft: { metric: 'error_rate', compare: 'above', threshold: '5', forMinutes: '5' },
  },
  {
    name: 'noRequests',
    draft: { metric: 'requests', compare: 'silent', threshold: '', forMinutes: '15' },
  },
  {
    name: 'newError',
    draft: { metric: 'new_error', compare: 'above', threshold: '0', forMinutes: '5' },
  },
];

/** Rules that are useful as they are. */
export const templatesOf = ({ site }: AlertSource): readonly Template[] =>
  site === undefined ? OF_ENVIRONMENTS : OF_SITES;

export function newDraft(
  source: AlertSource,
  like: string | undefined,
  nameOf: (one: Template) => string,
): Draft {
  const template = templatesOf(source).find(({ name }) => name === like);
  const empty = { name: '', channels: [], subject: {}, threshold: '', forMinutes: '5' };
  if (template !== undefined) return { ...empty, ...template.draft, name: nameOf(template) };
  return { ...empty, metric: source.site === undefined ? 'error_rate' : 'visits', compare: 'above' };
}

export const draftOf = ({ fields }: AlertSource, alert: Alert): Draft => ({
  name: alert.name,
  metric: alert.metric,
  compare: alert.compare,
  threshold: alert.compare === 'silent' ? '' : String(alert.threshold),
  forMinutes: String(alert.forMinutes),
  channels: alert.channels,
  subject: Object.fromEntries(
    fields.flatMap((field) => (alert[field] === undefined ? [] : [[field, alert[field]]])),
  ),
});

/** How a metric can be compared. */
export function comparesOf(metric: AlertMetric): readonly Compare[] {
  if (metric === 'silence') return ['silent'];
  return COMPARES.filter((compare) => {
    if (compare === 'silent') return COUNTS.includes(metric);
    return (compare !== 'rose_by' && compare !== 'fell_by') || !NO_BASELINE.includes(metric);
  });
}

export const leastMinutes = (metric: AlertMetric): number => (isOfErrors(metric) ? LEAST_ERROR_MINUTES : 1);

export const mostMinutes = (metric: AlertMetric): number =>
  SHORT.includes(metric) ? MAX_SHORT_MINUTES : MAX_MINUTES;

/** The subject without what doesn't go with the metric, and without empty fields. */
export function subjectOf({ metric, subject }: Pick<Draft, 'metric' | 'subject'>): Subject {
  const fields = FIELDS[metric];
  return Object.fromEntries(
    Object.entries(subject).flatMap(([field, value]) => {
      if (!(field in fields) || value === '' || value === undefined) return [];
      if (field !== 'filters') return [[field, typeof value === 'string' ? value.trim() : value]];
      const { privacy_tier, ...others } = value as NonNullable<Subject['filters']>;
      const kept = {
        ...(privacy_tier !== undefined && { privacy_tier }),
        ...(metric === 'visits' && others),
      };
      return Object.keys(kept).length === 0 ? [] : [[field, kept]];
    }),
  );
}

/** The rule; undefined while something that it needs is missing. */
export function ruleOf(draft: Draft): Rule | undefined {
  const { metric, compare } = draft;
  const subject = subjectOf(draft);
  const forMinutes = Number(draft.forMinutes);
  const threshold = Number(draft.threshold);
  const lacks = (Object.entries(FIELDS[metric]) as [SubjectField, boolean][]).some(
    ([field, isRequired]) => isRequired && subject[field] === undefined,
  );
  if (lacks || (subject.operation !== undefined && subject.service === undefined)) return undefined;
  if (!Number.isInteger(forMinutes) || forMinutes < leastMinutes(metric) || forMinutes > mostMinutes(metric))
    return undefined;
  if (compare === 'silent') return { metric, compare, threshold: 0, forMinutes, ...subject };
  if (draft.threshold.trim() === '' || !Number.isFinite(threshold) || threshold < 0) return undefined;
  return { metric, compare, threshold, forMinutes, ...subject };
}

const common = ({ name, channels, metric, compare, threshold, forMinutes }: Draft) => ({
  ...{ name, channels: [...channels], metric, compare },
  threshold: compare === 'silent' ? 0 : Number(threshold),
  forMinutes: Number(forMinutes),
});

export const savedOf = (draft: Draft): Saved => ({ ...common(draft), ...subjectOf(draft) });

/** The whole alert as changes: what its subject doesn't have any more is null. */
export const changesOf = ({ fields }: AlertSource, draft: Draft): Changes => ({
  ...common(draft),
  ...Object.fromEntries(fields.map((field) => [field, null])),
  ...subjectOf(draft),
});
