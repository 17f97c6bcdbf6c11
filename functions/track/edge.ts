import type { EdgePlace } from '../../lib/collection/describe-place.ts';

/** The edge's data about a request's origin. */
interface Edge {
  place: EdgePlace;
  /** The AS number of the network. */
  network: number | undefined;
}

/** Reads the edge's request data (docs/tracker-protocol.md#country-and-network); a value of another type counts as absent. */
export function readEdge(request: Request): Edge {
  const { cf = {} } = request as Request & { cf?: Record<string, unknown> };
  const { country, regionCode, city, asn } = cf;
  return {
    place: { country: textOf(country), regionCode: textOf(regionCode), city: textOf(city) },
    network: typeof asn === 'number' ? asn : undefined,
  };
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
