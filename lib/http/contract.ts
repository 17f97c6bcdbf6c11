import type * as v from 'valibot';
import type { ErrorCode } from '../errors.ts';
import type { LimitPolicy } from './limiter.ts';
import type { InputSchema } from './url-input.ts';

type Schema = v.GenericSchema;

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** Who may call a route. `member`: the bearer of an API token, else a person who is signed in. */
export type Auth = 'member' | 'session' | 'ingestKey' | 'public';

export interface RouteResponse {
  description: string;
  /** What the body is. It describes what is sent and doesn't filter it. */
  schema?: Schema;
  /** Default `application/json` with a schema; without either there is no body. */
  contentType?: string;
}

/**
 * One route of a function, said once: `addRoutes` registers it, and the OpenAPI document describes it. Every
 * `functions/<function>/contract.ts` exports `routes: Contracts`, without importing Hono.
 */
export interface RouteContract {
  method: Method;
  /** As Hono writes it: `/api/v1/sites/:siteId`. */
  path: string;
  /** Groups operations in the document. */
  tag: string;
  summary: string;
  description?: string;
  auth: Auth;
  /**
   * What the handler gets, checked: the path's parameters, and the query of a GET or DELETE or the JSON body of any other method,
   * as one object. Absent: there are none.
   */
  input?: InputSchema;
  /** Path parameters that the input doesn't have, because the handler reads them itself, by name. */
  params?: Record<string, Schema>;
  /** A body that the handler reads itself. */
  body?: { schema: Schema; contentTypes?: readonly string[] };
  /** The first one is the answer to a request that succeeds. */
  responses: Record<number, RouteResponse>;
  /** The body of its errors, where that isn't the service's. */
  errorBody?: Schema;
  /** Codes of errors that the route may answer, beyond those that follow from `auth`, the body and the limit. */
  errors?: readonly ErrorCode[];
  /**
   * How many requests pass: of one API token or ingest key, or of one address on a public route. Requests of a session are counted by
   * person, by the limits of `session-limits.ts`. Null: the route isn't limited.
   */
  limit: LimitPolicy | null;
  /** A static asset, which no function answers: its answers bear no request id, and it has no errors in the envelope. */
  isFile?: true;
}

/** Routes by their operation ids, which are unique over all functions of a service. */
export type Contracts = Readonly<Record<string, RouteContract>>;

/** The names of a route's path parameters, in their order. */
export const parameterNames = (path: string): string[] =>
  [...path.matchAll(/:([A-Za-z]+)/g)].map(([, name = '']) => name);

/** Whether a method's input is in the query. Every other method has a JSON body. */
export const isReadByQuery = (method: Method): boolean => method === 'GET' || method === 'DELETE';

/** The status of a request that succeeds. */
export const successStatus = ({ responses }: RouteContract): number => Number(Object.keys(responses)[0]);
