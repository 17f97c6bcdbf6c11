/** Questions about a backend: the arguments that all tools share, and what their answers say (docs/mcp.md#arguments). */
import * as v from 'valibot';
import type { OpenedEnvironment } from '../../lib/accounts/opened-access.ts';
import { MAX_CURSOR_LENGTH } from '../../lib/cursor.ts';
import { invalid } from '../../lib/http/issues.ts';
import { Limit } from '../../lib/paging.ts';
import type { TelemetryMeta } from '../../lib/telemetry/schemas.ts';
import { NameOrId } from './site-question.ts';

const MAX_TEXT_LENGTH = 256;
const MAX_ATTRIBUTES = 8;
const MAX_INSTANT_LENGTH = 40;
/** Cursors of metrics have a name, a type and a unit in them. */
const MAX_METRIC_CURSOR_LENGTH = 6000;

export const shortText = v.optional(v.pipe(v.string(), v.minLength(1), v.maxLength(MAX_TEXT_LENGTH)));
const InstantText = v.optional(v.pipe(v.string(), v.maxLength(MAX_INSTANT_LENGTH)));

export const backendFields = {
  environment: NameOrId(),
  period: v.optional(v.picklist(['15m', '1h', '24h', '7d', '30d'])),
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

/** What an answer says of the range and of the environment. */
export const aboutBackend = (
  { scope, range, coverage, freshness }: TelemetryMeta,
  { project, name }: Pick<OpenedEnvironment, 'project' | 'name'>,
) => ({ scope: { project, environment: name, ...scope }, range, coverage, freshness });

/** What makes the figures of an answer special, in the service's own words. */
export const backendNotes = ({ coverage, approximate, notes = [] }: TelemetryMeta) => [
  !coverage.observed &&
    'Nothing of this kind was observed in this range. That is no zero: it may not have been sent.',
  approximate,
  ...notes,
];

export const backendUntrusted = ['scope.project', 'scope.environment', 'scope.filters'];
