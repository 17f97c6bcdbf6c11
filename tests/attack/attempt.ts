import type { StackRequestInit } from '../../dev/stack.ts';
import type { DocumentedRoute } from '../../scripts/openapi/contracts.ts';
import type { Service } from '../../scripts/openapi/services.ts';
import type { Samples } from '../security/documented-samples.ts';

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
}

/** What an attacker has: an account of their own, ids that belong to somebody else, and cursors of earlier answers. */
export interface Attacker {
  own: Samples;
  other: Samples;
  /** A site that receives only the attacker's page views. */
  trackedSite: string;
  /** Cursors of earlier answers. */
  cursors: readonly string[];
}
