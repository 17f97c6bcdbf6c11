/** Questions about a backend: the arguments that all tools share, and what their answers say (docs/mcp.md#arguments). */
import * as v from 'valibot';
import type { OpenedEnvironment } from '../../lib/accounts/opened-access.ts';
import { MAX_CURSOR_LENGTH } from '../../lib/cursor.ts';
import { invalid } from '../../lib/http/issues.ts';
import { Limit } from '../../lib/paging.ts';
import { SEVERITY_NAMES } from '../../lib/telemetry/log-schemas.ts';
import { TELEMETRY_PERIODS } from '../../lib/telemetry/question-schemas.ts';
import type { TelemetryMeta } from '../../lib/telemetry/schemas.ts';
import { CALENDAR_PERIODS } from '../../lib/visits/calendar-periods.ts';
import { inToolWords } from './choice-error.ts';
import { fullName } from './find-opened.ts';
import { NameOrId } from './site-question.ts';
import { withoutRecent } from './tool-answer.ts';

const MAX_TEXT_LENGTH = 256;
const MAX_ATTRIBUTES = 8;
const MAX_INSTANT_LENGTH = 40;
/** Cursors of metrics have a name, a type and a unit in them. */
const MAX_METRIC_CURSOR_LENGTH = 6000;

export const shortText = v.optional(v.pipe(v.string(), v.minLength(1), v.maxLength(MAX_TEXT_LENGTH)));
const InstantText = v.optional(v.pipe(v.string(), v.maxLength(MAX_INSTANT_LENGTH)));

export const backendFields = {
  environment: NameOrId(),
  period: v.optional(v.picklist([...TELEMETRY_PERIODS, ...CALENDAR_PERIODS])),
  from: InstantText,
  to: InstantText,
};

export const backendPaging = {
  limit: Limit(),
  cursor: v.optional(
    v.pipe(v.string(), v.minLength(1), v.maxLength(Math.max(MAX_CURSOR_LENGTH, MAX_METRIC_CURSOR_LENGTH))),
  ),
};

export const attributeFields = {
  attributes: v.optional(
    v.pipe(
      v.array(v.pipe(v.string(), v.minLength(1), v.maxLength(2 * MAX_TEXT_LENGTH + 12))),
      v.maxLength(MAX_ATTRIBUTES),
    ),
  ),
};

const RESOURCE = 'resource.';

/** `key=value` texts as the verbs take them: attributes of the item, and of who sent it. Throws `VALIDATION_ERROR`. */
export function readAttributes(texts: readonly string[] = []): {
  attributes?: Record<string, string>;
  resource?: Record<string, string>;
} {
  const pairs = texts.map((text, index): [string, string] => {
    const at = text.indexOf('=');
    if (at < 1)
      throw invalid([{ path: `attributes.${index}`, message: 'must be like `http.route=/orders`' }]);
    return [text.slice(0, at), text.slice(at + 1)];
  });
  const own = pairs.filter(([key]) => !key.startsWith(RESOURCE));
  const resource = pairs.filter(([key]) => key.startsWith(RESOURCE));
  return {
    ...(own.length > 0 && { attributes: Object.fromEntries(own) }),
    ...(resource.length > 0 && {
      resource: Object.fromEntries(resource.map(([key, value]) => [key.slice(RESOURCE.length), value])),
    }),
  };
}

/** The filters of a question as the tool's arguments name them. */
function inArguments({ order: _, by: __, q, severity, ...filters }: Readonly<Record<string, unknown>>) {
  const { attributes = [], others = [] } = Object.groupBy(Object.entries(filters), ([name]) =>
    /^(attr|resource)\./.test(name) ? 'attributes' : 'others',
  );
  const texts = attributes.map(([name, value]) => `${name.replace(/^attr\./, '')}=${value}`);
  return {
    ...Object.fromEntries(others),
    ...(q !== undefined && { text: q }),
    ...(severity !== undefined && { severity: SEVERITY_NAMES[(Number(severity) - 1) / 4] ?? severity }),
    ...(texts.length > 0 && { attributes: texts }),
  };
}

/** What an answer says of the range and of the environment. */
export const aboutBackend = (
  { scope, range, coverage, freshness }: TelemetryMeta,
  environment: Pick<OpenedEnvironment, 'project' | 'name'>,
) => {
  const filters = inArguments(scope.filters);
  const { observed, since, dropped } = coverage;
  return {
    scope: {
      environment: fullName(environment),
      ...(Object.values(filters).some((value) => value !== undefined) && { filters }),
    },
    range,
    coverage: { observed, since, ...(Object.keys(dropped).length > 0 && { dropped }) },
    freshness: withoutRecent(freshness),
  };
};

function whyNothing({ from, to }: TelemetryMeta['range'], since: string, now: string): string {
  if (from > now) return 'This range lies in the future: nothing is known of it. Ask for times up to now.';
  if (to <= since)
    return 'This range lies before `coverage.since`: nothing came of it, or it isn’t kept any more. Ask from then on.';
  return 'Nothing of this kind was observed in this range. That is no zero: it may not have been sent.';
}

/** Whether more than a hundredth of a range was before the first of what is kept. */
const isCut = ({ from, to }: TelemetryMeta['range'], since: string): boolean => {
  const [begin, end, first] = [from, to, since].map((at) => Date.parse(at)) as [number, number, number];
  return first - begin > (end - begin) / 100;
};

/** What makes the figures of an answer special, in the service's own words. */
export const backendNotes = ({
  scope,
  range,
  coverage,
  freshness,
  approximate,
  notes = [],
}: TelemetryMeta) => [
  coverage.observed
    ? isCut(range, coverage.since) &&
      scope.filters.traceId === undefined &&
      `Observed from ${coverage.since.slice(0, 16)}Z on: sums aren’t those of the whole range.`
    : whyNothing(range, coverage.since, freshness.evaluatedAt),
  // What it is within is enough; why is in the documentation.
  approximate?.replace(/: .*$/, '.'),
  ...notes.map(inToolWords),
];

export const backendUntrusted = ['scope'];
