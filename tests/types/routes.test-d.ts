/** Routes and their handlers: a contract without a handler, a wrong input and a wrong door don't compile. */
import * as v from 'valibot';
import { expectTypeOf, test } from 'vitest';
import { data, type Handler } from '../../lib/http/add-routes.ts';
import type { Contracts } from '../../lib/http/contract.ts';
import type { Examples } from '../../lib/http/examples.ts';
import type { ChangeSite } from '../../lib/sites/schemas.ts';

const routes = {
  getThing: {
    method: 'GET',
    path: '/things/:thingId',
    tag: 'Things',
    summary: 'One thing',
    auth: 'member',
    limit: null,
    input: v.strictObject({ thingId: v.string(), limit: v.optional(v.number(), 10) }),
    responses: { 200: { description: 'The thing.' } },
  },
  ping: {
    method: 'POST',
    path: '/ping',
    tag: 'Things',
    summary: 'Nothing',
    auth: 'public',
    limit: null,
    responses: { 204: { description: 'Done.' } },
  },
} as const satisfies Contracts;

type InputOf<Id extends keyof typeof routes> = Parameters<Handler<(typeof routes)[Id], unknown, object>>[1];

test('routes, their inputs and their examples', () => {
  // A handler gets the output of the schema, including defaults.
  expectTypeOf<InputOf<'getThing'>>().toEqualTypeOf<{ thingId: string; limit: number }>();
  // The handler of a route without input gets an empty object.
  expectTypeOf<keyof InputOf<'ping'>>().toEqualTypeOf<never>();

  // Examples have exactly the names of the operations.
  expectTypeOf<keyof Examples<typeof routes>>().toEqualTypeOf<'getThing' | 'ping'>();

  // A contract must say who may call it and how it is limited.
  // @ts-expect-error: `auth` and `limit` are missing
  const unsaid: Contracts = { x: { method: 'GET', path: '/', tag: '', summary: '', responses: {} } };
  expectTypeOf(unsaid).toExtend<Contracts>();

  // `data` keeps the types of the verb's input and result.
  const rename = data(async (_: object, { siteId }: ChangeSite) => siteId.length);
  expectTypeOf(rename).parameter(1).toEqualTypeOf<ChangeSite>();
  expectTypeOf(rename).returns.resolves.toEqualTypeOf<{ data: number }>();
});
