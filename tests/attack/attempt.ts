import type { StackRequestInit } from '../../dev/stack.ts';
import type { DocumentedRoute } from '../../scripts/openapi/contracts.ts';
import type { Service } from '../../scripts/openapi/services.ts';
import type { Samples } from '../security/documented-samples.ts';
import type { Tenant } from '../security/tenant.ts';

/** A route with the service that documents it. */
export interface Target {
  route: DocumentedRoute;
  service: Service;
}

/** One hostile request. */
export interface Attempt extends Target {
  path: string;
  init: StackRequestInit;
  /** True if the path or the method isn't the route's, so that the route's documented answers don't apply. */
  elsewhere?: true;
  /** True if a successful answer would be a leak. */
  mustFail?: true;
  /** The client's address. Default: mostly another one for each request. */
  address?: string;
  /** How many clients send it at the same time. Default: 1. */
  copies?: number;
  /** Milliseconds after which the client leaves. */
  giveUpMs?: number;
}

/** What an attacker has: an account of their own, ids that belong to somebody else, and cursors of earlier answers. */
export interface Attacker {
  own: Samples;
  other: Samples;
  /** More query tokens of the own account. */
  moreQueryTokens: readonly string[];
  /** A site that receives only the attacker's page views, and its owner's session. */
  tracked: Pick<Tenant, 'siteId' | 'cookie'>;
  /** Cursors of earlier answers. */
  cursors: readonly string[];
}
