import { check } from '../../../lib/http/issues.ts';
import { listOutcomes } from '../../../lib/outcomes/list-outcomes.ts';
import { ListOutcomes } from '../../../lib/outcomes/schemas.ts';
import { reading } from '../agent-tool.ts';
import { findEnvironment } from '../find-opened.ts';
import {
  backendRange,
  defined,
  environmentIds,
  FACTS,
  MAX_BESIDE,
  NO_SOURCE,
  next,
  overLonger,
  tellPage,
} from '../telemetry-answer.ts';
import { backendFields, backendPaging, shortText } from '../telemetry-question.ts';

export const reportOutcomes = reading({
  name: 'report_outcomes',
  title: 'Confirmed outcomes',
  description:
    'What did the backend confirm: orders, sign-ups, payments? Counts and exact sums by type and currency; single ones, newest first.',
  scopes: ['outcomes:read'],
  entries: { type: shortText, ...backendFields, ...backendPaging },
  run: async (ctx, { environment: named, limit, ...input }) => {
    const environment = await findEnvironment(ctx, named);
    const fields = defined({ ...environmentIds(environment), ...input });
    return tellPage(
      ctx,
      environment,
      limit,
      async (part) => {
        const { data, meta } = await listOutcomes(ctx, check(ListOutcomes, { ...fields, limit: part }));
        const rows = data.outcomes.map(
          ({ source, domainEventId, type, occurredAt, value, attributes, trace, conflicts }) => ({
            ...{ source, domainEventId, type, occurredAt, value, attributes, trace, conflicts },
          }),
        );
        return { rows, meta, dataOf: (outcomes) => ({ types: data.types.slice(0, MAX_BESIDE), outcomes }) };
      },
      {
        notes: [FACTS],
        notesOf: async (rows) =>
          rows.length === 0 || rows.some(({ value }) => value !== null) ? [NO_SOURCE] : [],
        nextOf: (rows) => {
          const traceId = rows.find(({ trace }) => trace !== null)?.trace?.traceId;
          const around = { environment: environment.id, ...backendRange(input) };
          return [
            ...(traceId === undefined
              ? []
              : [
                  next(
                    'get_trace',
                    { environment: environment.id, traceId, view: 'journey' },
                    'How the newest came about.',
                  ),
                ]),
            ...(rows.length > 0
              ? []
              : overLonger(ctx, 'report_outcomes', around, defined({ type: input.type }))),
            next('check_backend', around, 'How the backend does.'),
          ];
        },
        untrusted: ['data.types[].type', 'data.outcomes'],
      },
    );
  },
});
