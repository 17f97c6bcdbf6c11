import * as v from 'valibot';
import { check } from '../../../lib/http/issues.ts';
import { findTraces } from '../../../lib/telemetry/find-traces.ts';
import { FindTraces, STATUSES } from '../../../lib/telemetry/trace-schemas.ts';
import { reading } from '../agent-tool.ts';
import { findEnvironment } from '../find-opened.ts';
import { defined, environmentIds, next, telemetry, tellPage } from '../telemetry-answer.ts';
import {
  attributeFields,
  backendFields,
  backendPaging,
  readAttributes,
  shortText,
} from '../telemetry-question.ts';

export const findTracesTool = reading({
  name: 'find_traces',
  title: 'Find traces',
  description:
    'Which requests failed, were slow, or touched this? Traces with a span that matches all conditions, newest first; `text` is searched in names, messages and attributes.',
  scopes: telemetry,
  entries: {
    service: shortText,
    operation: shortText,
    status: v.optional(v.picklist(STATUSES)),
    minDurationMs: v.optional(v.number()),
    maxDurationMs: v.optional(v.number()),
    text: shortText,
    ...attributeFields,
    ...backendFields,
    ...backendPaging,
  },
  run: async (ctx, { environment: named, attributes, limit, text, ...input }) => {
    const environment = await findEnvironment(ctx, named);
    const fields = defined({
      ...environmentIds(environment),
      ...input,
      q: text,
      ...readAttributes(attributes),
    });
    return tellPage(
      ctx,
      environment,
      limit,
      async (part) => {
        const { data, meta } = await findTraces(ctx, check(FindTraces, { ...fields, limit: part }));
        return { rows: data, meta };
      },
      {
        next: [next('check_backend', { environment: environment.id }, 'Which services there are.')],
        untrusted: ['data[].services', 'data[].root', 'data[].match'],
      },
    );
  },
});
