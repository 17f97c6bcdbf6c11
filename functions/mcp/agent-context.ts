import type { ActorOf, Context } from '../../lib/context.ts';
import type { Cursors } from '../../lib/cursor.ts';

/** The context of tools: an agent with a query token. */
export interface AgentContext extends Context<ActorOf<'queryToken'>> {
  cursors: Cursors;
  requestId: string;
  /** Arguments that the call left out, since the token opens one site or environment: next calls may too. */
  leftOut?: readonly string[];
  /** Fields of the report as the call writes them, if they are asked for as the site writes them: a cursor belongs to these. */
  written?: Readonly<Record<string, unknown>>;
  /** Filters as the call writes them, if they are asked for as the site writes them. */
  filters?: readonly string[] | undefined;
  /** The address of a path of the dashboard. */
  pageUrl: (path: string) => string;
  afterwards: (work: Promise<unknown>) => void;
}

/** What a query token may do (docs/accounts.md#query-tokens). */
export type Scope =
  | 'sites:read'
  | 'analytics:read'
  | 'telemetry:read'
  | 'outcomes:read'
  | 'control:write'
  | 'view:write';

export const hasScope = ({ actor }: Pick<AgentContext, 'actor'>, scope: Scope): boolean =>
  actor.scopes.includes(scope);
