import type { MiddlewareHandler } from 'hono';
import * as v from 'valibot';
import type { Door } from '../../lib/http/doors.ts';
import { type IngestKeyVariables, ingestKeyGate } from '../../lib/http/ingest-key-gate.ts';
import { rateLimit } from '../../lib/http/rate-limit.ts';
import type { OutcomesContext } from '../../lib/outcomes/record-outcomes.ts';
import { contextOf, type KnownRequest, type Resources } from './resources.ts';
import { noteErrors } from './sender-errors.ts';

const Signal = v.picklist(['traces', 'logs', 'metrics', 'outcomes']);

const limit = (of: keyof Resources['limiters']) =>
  rateLimit<{ Variables: IngestKeyVariables & { resources: Resources } }>({
    limiter: (c) => c.var.resources.limiters[of],
    key: (c) => c.var.actor.keyId,
    // Backends can send while Redis is away.
    without: 'count-here',
  });

/** For backends, by their ingest keys. The last part of each path is the signal that it accepts. */
export const backends: Door<'ingestKey', KnownRequest, OutcomesContext> = {
  auth: 'ingestKey',
  guards: ({ path }) => {
    const signal = v.parse(Signal, path.split('/').at(-1));
    const limited = limit(signal === 'outcomes' ? 'outcomes' : 'telemetry');
    return [ingestKeyGate<Resources>(), noteErrors(signal), limited] as MiddlewareHandler[];
  },
  context: contextOf,
};
