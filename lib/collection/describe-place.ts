import { isCountry } from '../privacy/countries.ts';
import type { Tier } from '../privacy/tier.ts';
import type { FieldOf } from '../visits/dimensions.ts';
import { tidyText } from './tidy-text.ts';
import type { Described } from './track-message.ts';

/** Where a request came from, as the edge names it, not checked yet. */
export interface EdgePlace {
  /** ISO 3166-1 alpha-2, or a code of the edge's own. */
  country?: string | undefined;
  /** The part of ISO 3166-2 after the hyphen. */
  regionCode?: string | undefined;
  city?: string | undefined;
}

const MAX_CITY_LENGTH = 96;

/** What may be kept of a place at a tier: the country at tier 1, region (ISO 3166-2) and city from tier 2. */
export function describePlace(
  { country, regionCode, city }: EdgePlace,
  tier: Tier,
): Partial<Pick<Described, FieldOf<'place'>>> {
  if (country === undefined || !isCountry(country)) return {};
  const isRegion = tier >= 2 && /^[A-Z\d]{1,3}$/.test(regionCode ?? '');
  const place: Pick<Described, FieldOf<'place'>> = {
    country,
    region: isRegion ? `${country}-${regionCode}` : undefined,
    city: tier >= 2 ? tidyText(city, MAX_CITY_LENGTH) : undefined,
  };
  return place;
}
