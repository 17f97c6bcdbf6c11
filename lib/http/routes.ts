import type { Context as HonoContext, Env as HonoEnv } from 'hono';
import type { HonoBase } from 'hono/hono-base';
import type { ContentfulStatusCode, StatusCode } from 'hono/utils/http-status';
import * as v from 'valibot';
import type { Call } from '../audit.ts';
import { notFound } from '../errors.ts';
import { hashInput } from '../input-hash.ts';
import {
  type Auth,
  type Contracts,
  isReadByQuery,
  parameterNames,
  type RouteContract,
  successStatus,
} from './contract.ts';
import type { Door } from './doors.ts';
import { toDomainError } from './errors.ts';
import { check } from './issues.ts';
import { requireStorable } from './json.ts';
import { NoQuery, readJsonValue, readQuery, withIds } from './read.ts';
import type { InputSchema } from './url-input.ts';

type InputOf<Contract extends RouteContract> = Contract extends {
  input: infer Schema extends v.GenericSchema;
}
  ? v.InferOutput<Schema>
  : Record<never, never>;

/**
 * Answers a request: with the body of the contract's first response, with nothing if that response has no body, or with a complete
 * `Response`. `input` is the output of the contract's input schema.
 */
export type Handler<Contract extends RouteContract, Request, Ctx> = (
  ctx: Ctx,
  input: InputOf<Contract>,
  c: Request,
) => Promise<unknown>;

/**
 * Registers a group of routes from their contracts: first the door, then the input, then the handler. A contract without a handler doesn't
 * compile, nor does a handler without a contract.
 */
export function addRoutes<
  E extends HonoEnv,
  A extends Auth,
  Request extends HonoContext,
  Ctx,
  Group extends Contracts,
>(
  app: HonoBase<E>,
  contracts: Group & { readonly [Id in keyof Group]: { auth: A } },
  door: Door<A, Request, Ctx>,
  handlers: { readonly [Id in keyof Group]: Handler<Group[Id], Request, Ctx> },
): void {
  for (const [operationId, contract] of Object.entries<RouteContract>(contracts)) {
    const handle = handlers[operationId] as Handler<RouteContract, HonoContext, Ctx>;
    const status = successStatus(contract);
    const answer = async (c: HonoContext): Promise<unknown> => {
      const call: Call = { requestId: c.get('requestId'), tool: operationId, inputHash: null };
      c.set('call', call);
      try {
        const input = await readInput(c, contract);
        if (contract.audit !== undefined) call.inputHash = await hashInput(input);
        return await handle(door.context(c as Request), input, c);
      } catch (error) {
        if (contract.audit !== undefined)
          await door.noteRefusal?.(c, { action: contract.audit, call, result: toDomainError(error).code });
        throw error;
      }
    };
    app.on([contract.method], [contract.path], ...door.guards(contract), async (c: HonoContext) => {
      const body = await answer(c);
      if (body instanceof Response) return body;
      return body === undefined
        ? c.body(null, status as StatusCode)
        : c.json(body, status as ContentfulStatusCode);
    });
  }
}

/** Makes a handler that answers `{"data": ...}` with a verb's result. */
export const data =
  <Ctx, Input, Result>(verb: (ctx: Ctx, input: Input) => Promise<Result>) =>
  async (ctx: Ctx, input: Input): Promise<{ data: Result }> => ({ data: await verb(ctx, input) });

/**
 * The request's input, checked by the contract. Throws `NOT_FOUND` for a malformed id in the path, and the errors of `readJsonValue` and
 * `readParameters`.
 */
async function readInput<Contract extends RouteContract>(
  c: HonoContext,
  { input, method, path, params, body }: Contract,
): Promise<InputOf<Contract>> {
  if (input === undefined && (params !== undefined || body !== undefined)) return {} as InputOf<Contract>;
  const schema: InputSchema = input ?? NoQuery;
  const ids = readPath(c, path, schema);
  if (isReadByQuery(method)) return readQuery(c, schema, ids) as InputOf<Contract>;
  readQuery(c, NoQuery);
  const hasBody = Object.keys(schema.entries).some((name) => !(name in ids));
  return check(schema, withIds(hasBody ? await readJsonValue(c) : {}, ids)) as InputOf<Contract>;
}

/** The path's parameters that are in the schema. Names that end with `Id` are ids: a malformed id gets the same error as an unknown one. */
function readPath(c: HonoContext, path: string, { entries }: InputSchema): Record<string, string> {
  const known = parameterNames(path).filter((name) => Object.hasOwn(entries, name));
  return Object.fromEntries(
    known.map((name) => {
      const text = c.req.param(name) ?? '';
      if (!name.endsWith('Id')) {
        requireStorable(text, [name]);
        return [name, text];
      }
      const id = text.toLowerCase();
      if (!v.is(entries[name] as v.GenericSchema, id)) throw notFound(whatOf(name));
      return [name, id];
    }),
  );
}

/**
 * What a parameter names, for error messages: `ingestKeyId` is an `ingest key`. `userId` is a `member`, because only projects' paths name
 * people.
 */
const whatOf = (name: string): string =>
  name
    .slice(0, -'Id'.length)
    .replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
    .replace('api ', 'API ')
    .replace('user', 'member');
