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
import { toDomainError } from './http-errors.ts';
import { check } from './issues.ts';
import { requireStorable } from './json.ts';
import { NoQuery, readJsonValue, readQuery, refuseQuery, withIds } from './read.ts';
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
    const readInput = inputReader(contract);
    const answer = async (c: HonoContext): Promise<unknown> => {
      const call: Call = { requestId: c.get('requestId'), tool: operationId, inputHash: null };
      c.set('call', call);
      try {
        const input = await readInput(c);
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
 * Returns a function that reads a request's input and checks it by the contract. It throws `NOT_FOUND` for a malformed id in the path, and
 * the errors of `readJsonValue` and `readParameters`.
 */
function inputReader<Contract extends RouteContract>({
  input,
  method,
  path,
  params,
  body,
}: Contract): (c: HonoContext) => Promise<InputOf<Contract>> {
  type Input = InputOf<Contract>;
  if (input === undefined && (params !== undefined || body !== undefined)) return async () => ({}) as Input;
  const schema: InputSchema = input ?? NoQuery;
  const parameters = pathParameters(path, schema);
  if (isReadByQuery(method)) return async (c) => readQuery(c, schema, readPath(c, parameters)) as Input;
  const hasBody = Object.keys(schema.entries).length > parameters.length;
  return async (c) => {
    const ids = readPath(c, parameters);
    refuseQuery(c);
    return check(schema, withIds(hasBody ? await readJsonValue(c) : {}, ids)) as Input;
  };
}

interface PathParameter {
  name: string;
  /** What an id must be, and what it names. Absent: the parameter is any text. */
  id?: { schema: v.GenericSchema; what: string };
}

/** The path's parameters that are in the schema. Names that end with `Id` are ids. */
function pathParameters(path: string, { entries }: InputSchema): PathParameter[] {
  return parameterNames(path)
    .filter((name) => Object.hasOwn(entries, name))
    .map((name) =>
      name.endsWith('Id')
        ? { name, id: { schema: entries[name] as v.GenericSchema, what: whatOf(name) } }
        : { name },
    );
}

/** The values of the path's parameters. A malformed id gets the same error as an unknown one. */
function readPath(c: HonoContext, parameters: readonly PathParameter[]): Record<string, string> {
  const values: Record<string, string> = {};
  for (const { name, id } of parameters) {
    const text = c.req.param(name) ?? '';
    values[name] = id === undefined ? text : text.toLowerCase();
    if (id === undefined) requireStorable(text, [name]);
    else if (!v.is(id.schema, values[name])) throw notFound(id.what);
  }
  return values;
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
