import * as v from 'valibot';
import { check, invalid } from '../../../lib/http/issues.ts';
import { ReplaceRetention } from '../../../lib/telemetry/control-schemas.ts';
import { getRetention, replaceRetention } from '../../../lib/telemetry/telemetry-retention.ts';
import { changing } from '../control-tool.ts';

const SIGNALS = ['traces', 'logs', 'metrics'] as const;
const Days = v.optional(v.number());

export const setRetention = changing({
  name: 'set_retention',
  title: 'Set retention',
  description: 'Days (1 to 90) that an environment keeps data. Fewer delete older data for good.',
  of: 'environment',
  action: 'retention.replace',
  entries: { traces: Days, logs: Days, metrics: Days },
  plan: async (ctx, { id: environmentId, projectId }, days) => {
    if (SIGNALS.every((signal) => days[signal] === undefined))
      throw invalid([{ path: 'traces', message: 'name at least one of `traces`, `logs` and `metrics`' }]);
    const ids = { projectId, environmentId };
    const before = await getRetention(ctx, ids);
    const named = Object.fromEntries(Object.entries(days).filter(([, value]) => value !== undefined));
    const { traces, logs, metrics } = check(ReplaceRetention, {
      ...{ ...ids, ...before },
      ...{ traces: named.traces ?? before.traces, logs: named.logs ?? before.logs },
      metrics: named.metrics ?? before.metrics,
    });
    const after = { traces, logs, metrics };
    const isShorter = SIGNALS.some((signal) => after[signal] < before[signal]);
    return {
      ...{ before, after },
      apply: SIGNALS.every((signal) => after[signal] === before[signal])
        ? null
        : () => replaceRetention(ctx, { ...ids, ...after }),
      notes: [isShorter && 'Data that is older is deleted for good from the next minute on.'],
    };
  },
});
