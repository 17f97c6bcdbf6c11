import { isCountry } from './countries.ts';

const EU = 'AT BE BG HR CY CZ DK EE FI FR DE GR HU IE IT LV LT LU MT NL PL PT RO SK SI ES SE';
/** The rest of the EEA; `SJ` belongs to Norway. */
const EEA = 'IS LI NO SJ';
/** Parts of EU states with country codes of their own. */
const EU_OUTERMOST = 'GP MQ GF RE YT MF AX';
/** The UK, Gibraltar, the Channel Islands, the Isle of Man and Switzerland. */
const NEIGHBOURS = 'GB GI JE GG IM CH';

const TERRITORIES = new Set([EU, EEA, EU_OUTERMOST, NEIGHBOURS].join(' ').split(' '));

/**
 * The rule for owners: whether an owner in `jurisdiction` (an assigned country code) may choose the consent mode `regional`
 * (docs/sites.md#who-may-choose-regional).
 */
export const mayBeRegional = (jurisdiction: string): boolean => !TERRITORIES.has(jurisdiction);

/**
 * The visitor's rule under `regional`: whether consent is required of a visitor in `country`, as the edge names it. A visitor in no
 * known country (absent, `XX`, `T1`, `A1`, `EU`, malformed) is asked too.
 */
export const requiresConsent = (country: string | undefined): boolean =>
  country === undefined || TERRITORIES.has(country) || !isCountry(country);
