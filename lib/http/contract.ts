import type * as v from 'valibot';
import type { AuditedAction } from '../audit.ts';
import type { ErrorCode } from '../errors.ts';
import type { LimitPolicy } from './limiter.ts';
import type { InputSchema } from './url-input.ts';

type Schema = v.GenericSchema;

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** Who may call a route. `member`: the owner of an API token, or a person who is signed in. */
export type Auth = 'member' | 'session' | 'ingestKey' | 'queryToken' | 'public';

export interface RouteResponse {
  description: string;
  /** Describes the body that is sent; doesn't filter the body. */
  schema?: Schema;
  /** Default: `application/json` with a schema. Without a schema and a content type there is no body. */
  contentType?: string;
}

/**
 * Describes one route of a function, once: `addRoutes` registers the route, and the OpenAPI document describes it. Every
 * `functions/<function>/contract.ts` exports `routes: Contracts` and doesn't import Hono.
 */
export interface RouteContract {
  method: Method;
  /** In Hono's syntax: `/api/v1/sites/:siteId`. */
  path: string;
  /** Groups operations in the document. */
  tag: string;
  summary: string;
  description?: string;
  auth: Auth;
  /**
   * The handler's checked input, as one object: the path's parameters, and the query of a GET or DELETE or the JSON body of any other
   * method. Absent: the route has no input.
   */
  input?: InputSchema;
  /** Path parameters that aren't in `input`, because the handler reads them itself. By name. */
  params?: Record<string, Schema>;
  /** Headers that the handler reads itself, all of them optional. By name. */
  headers?: Record<string, { description: string; schema: Schema }>;
  /** A body that the handler reads itself, without `input`. */
  body?: { schema: Schema; contentTypes?: readonly string[] };
  /** The first one is the answer to a successful request. */
  responses: Record<number, RouteResponse>;
  /** The body of the route's errors, if it differs from the service's. */
  errorBody?: Schema;
  /** Error codes of the route, beyond the codes that follow from `auth`, the body and the limit. */
  errors?: readonly ErrorCode[];
  /**
   * How many requests pass per person with API keys or query tokens, per ingest key, or per address on a public route. Requests of sessions count per
   * person too, by the limits in `session-limits.ts`. Null: the route has no limit.
   */
  limit: LimitPolicy | null;
  /**
   * How many reports a request asks for, by its query, so that they are counted by the same round trip as the request. Absent: the verb
   * counts them.
   */
  reportsAsked?: (query: URLSearchParams) => number;
  /** People whose e-mail address isn't confirmed may call it too. They may call routes that only read (GET) without it. */
  unconfirmed?: true;
  /** What the audit log calls a change by the route. Refused and failed calls get a line too. */
  audit?: AuditedAction;
  /** A static file that no function answers. The answer has no request id, and errors don't use the envelope. */
  isFile?: true;
}

/** Whether a person who is signed in may call the route only with a confirmed e-mail address. */
export const needsConfirmed = ({ method, unconfirmed }: RouteContract): boolean =>
  method !== 'GET' && unconfirmed !== true;

/** Routes by their operation ids, which are unique in a service. */
export type Contracts = Readonly<Record<string, RouteContract>>;

/** The names of a route's path parameters, in the order of the path. */
export const parameterNames = (path: string): string[] =>
  [...path.matchAll(/:([A-Za-z]+)/g)].map(([, name = '']) => name);

/** Whether a method takes its input from the query. Every other method takes a JSON body. */
export const isReadByQuery = (method: Method): boolean => method === 'GET' || method === 'DELETE';

/** The status of a successful request. */
export const successStatus = ({ responses }: RouteContract): number => Number(Object.keys(responses)[0]);
