/** A new tenant's environment. OTLP goes in through the receiver, and answers come over HTTP. */
import { expect } from 'vitest';
import type { Stack } from '../../../dev/stack.ts';
import type { Person } from '../../security/tenant.ts';
import { newSender } from '../receiver/backend-sender.ts';
import { asMember } from './member.ts';

export type TestEnvironment = Awaited<ReturnType<typeof createTestEnvironment>>;

export async function createTestEnvironment(stack: Stack) {
  const sender = await newSender(stack);
  const { environmentId, send } = sender;
  const ask = (path: string, person: Person = sender) => asMember(stack, person, sender).send('GET', path);
  return {
    environmentId,
    projectId: sender.projectId,
    /** The owner of its project. */
    owner: sender satisfies Person as Person,
    /** Sends one OTLP request in JSON, unchanged. `warning`: the warning in the answer, with nothing refused. */
    async post(path: string, body: object, warning?: string): Promise<void> {
      const response = await send(path, body);
      const expected = warning === undefined ? {} : { partialSuccess: { errorMessage: warning } };
      expect([response.status, await response.json()]).toEqual([200, expected]);
    },
    /** Sends an outcome. Returns the status. */
    tell: async (outcome: object) => (await sender.outcomes(outcome))[0],
    /** The answer to the owner, or to another person. */
    ask,
    /** The body of the answer. Fails unless the status is 200. */
    async get<Body>(path: string): Promise<Body> {
      const response = await ask(path);
      const text = await response.text();
      expect([response.status, text]).toEqual([200, expect.any(String)]);
      return JSON.parse(text) as Body;
    },
    async status(path: string, person?: Person): Promise<number> {
      const response = await ask(path, person);
      await response.arrayBuffer();
      return response.status;
    },
    /** Makes the environment a day older. */
    async grow(): Promise<void> {
      await stack.sql`update environments set created_at = now() - interval '1 day' where id = ${environmentId}`;
    },
  };
}

const anyValue = (value: string | number | boolean) => {
  if (typeof value === 'string') return { stringValue: value };
  if (typeof value === 'boolean') return { boolValue: value };
  return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value };
};

/** Attributes in OTLP's form. */
export const attributesOf = (attributes: Record<string, string | number | boolean>) =>
  Object.entries(attributes).map(([key, value]) => ({ key, value: anyValue(value) }));

/** Epoch milliseconds as nanoseconds, exact to a microsecond. */
export const nano = (ms: number): string => `${Math.round(ms * 1000)}000`;

/** A trace id made from a number. */
export const traceIdOf = (n: number): string => (n + 1).toString(16).padStart(32, '0');
export const spanIdOf = (n: number): string => (n + 1).toString(16).padStart(16, '0');
