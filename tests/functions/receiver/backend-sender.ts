/** A backend that sends to the receiver with its own key. */
import type { Stack } from '../../../dev/stack.ts';
import { addIngestKey } from '../../security/session.ts';
import { createTenant, type Tenant } from '../../security/tenant.ts';

export interface Sender extends Tenant {
  environmentId: string;
  environmentKey: number;
  key: string;
  /** Sends an object as JSON, or a body unchanged. */
  send(path: string, body: unknown, headers?: Record<string, string>): Promise<Response>;
  /** Sends an outcome. Returns the answer's status and body. */
  outcomes(body: unknown): Promise<[number, { data: unknown; error?: string; details?: unknown }]>;
}

export async function newSender(
  stack: Stack,
  { outcomes = true, tenant }: { outcomes?: boolean; tenant?: Tenant } = {},
): Promise<Sender> {
  const owner = tenant ?? (await createTenant(stack.sql));
  const { key, actor } = await addIngestKey(stack.sql, owner.projectId, outcomes);
  const send: Sender['send'] = (path, body, headers = {}) =>
    stack.fetch(path, {
      method: 'POST',
      body: typeof body === 'string' ? body : JSON.stringify(body),
      headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json', ...headers },
    });
  return {
    ...owner,
    environmentId: actor.environmentId,
    environmentKey: actor.environmentKey,
    key,
    send,
    outcomes: async (body) => {
      const response = await send('/api/v1/telemetry/outcomes', body);
      return [response.status, await response.json()];
    },
  };
}

/** An outcome with a new id. */
export const newOutcome = <Changes extends object>(changes?: Changes) => ({
  source: 'shop',
  domainEventId: crypto.randomUUID() as string,
  type: 'order.paid',
  occurredAt: '2026-11-20T09:00:00.000Z',
  ...(changes as Changes),
});

const hex = (bytes: number): string =>
  [...crypto.getRandomValues(new Uint8Array(bytes))]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('');
export const newTraceId = () => hex(16);
export const newSpanId = () => hex(8);

/** An OTLP request with spans of a service. Each takes a millisecond. */
export const spansOf = (
  service: string,
  spans: { traceId?: string; at?: number; [field: string]: unknown }[],
) => ({
  resourceSpans: [
    {
      resource: { attributes: [{ key: 'service.name', value: { stringValue: service } }] },
      scopeSpans: [
        {
          scope: { name: 'test' },
          spans: spans.map(({ traceId = newTraceId(), at = Date.now(), ...span }) => ({
            traceId,
            spanId: newSpanId(),
            name: 'GET /',
            kind: 2,
            startTimeUnixNano: `${at}000000`,
            endTimeUnixNano: `${at + 1}000000`,
            ...span,
          })),
        },
      ],
    },
  ],
});
