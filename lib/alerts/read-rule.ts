/** Reads the rule of a request: with a segment's filters, and refused if it can't be evaluated. */
import * as v from 'valibot';
import type { FoundSegment } from '../analytics/segment-filters.ts';
import { DomainError } from '../errors.ts';
import { showPath } from '../rules.ts';
import type {
  CreateEnvironmentAlert,
  CreateSiteAlert,
  PreviewEnvironmentAlert,
  PreviewSiteAlert,
} from './alert-schemas.ts';
import {
  AlertFilters,
  environmentSubject,
  type Fault,
  faultsOf,
  type Rule,
  type Subject,
  siteSubject,
} from './alert-subject.ts';

export const refuseRule = (details: readonly Fault[]): DomainError =>
  new DomainError('VALIDATION_ERROR', 'The request breaks the rules named in `details`.', { details });

/** Returns the rule. Throws `VALIDATION_ERROR` if its fields don't go together. */
export function requireRule(rule: Rule): Rule {
  const faults = faultsOf(rule);
  if (faults.length > 0) throw refuseRule(faults);
  return rule.compare === 'silent' ? { ...rule, threshold: 0 } : rule;
}

/** The fields of a subject that say something. */
export function readSubject(fields: Record<string, unknown>): Subject {
  const known = Object.keys({ ...siteSubject, ...environmentSubject });
  return Object.fromEntries(
    Object.entries(fields).filter(
      ([name, value]) => known.includes(name) && value !== undefined && value !== null,
    ),
  ) as Subject;
}

/** The filters of a segment, if an alert can have them. */
function filtersOfSegment({ filters }: FoundSegment): AlertFilters {
  const result = v.safeParse(AlertFilters, filters);
  if (result.success) return result.output;
  const [issue] = result.issues;
  const name = showPath(issue.path?.map(({ key }) => key) ?? []);
  throw refuseRule([
    {
      path: 'segment',
      message: `has a filter that no alert can have${name === '' ? '' : ` (${name})`}: an alert takes \`privacy_tier\` and one of source, channel, country, device and entry_page`,
    },
  ]);
}

/** The rule of a new alert or of a preview. Throws `VALIDATION_ERROR`. */
export function readRule(
  input: CreateSiteAlert | CreateEnvironmentAlert | PreviewSiteAlert | PreviewEnvironmentAlert,
  segment?: FoundSegment,
): Rule {
  const { metric, compare, threshold, forMinutes } = input;
  if (segment !== undefined && 'filters' in input && input.filters !== undefined)
    throw refuseRule([{ path: 'segment', message: 'goes without `filters`' }]);
  const subject = readSubject({
    ...input,
    ...(segment !== undefined && { filters: filtersOfSegment(segment) }),
  });
  return requireRule({ metric, subject, compare, threshold, forMinutes });
}
