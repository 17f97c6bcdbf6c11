/** Looks up where an address is, in a database of MaxMind's format. */
import { readFile } from 'node:fs/promises';
import { Reader, type Response } from 'mmdb-lib';

/** What the edge says of a request's origin (`request.cf`); what the database lacks is absent. */
export interface Origin {
  country?: string;
  regionCode?: string;
  city?: string;
  asn?: number;
}

export type OriginOf = (address: string) => Origin;

/** The fields of a city, country or network database, and those of the free country data that npm brings. */
interface Found {
  country_code?: string;
  country?: { iso_code?: string };
  subdivisions?: { iso_code?: string }[];
  city?: { names?: { en?: string } } | string;
  state1?: string;
  autonomous_system_number?: number;
}

/** Throws if the file can't be read or has another format. */
export async function openOrigins(file: string): Promise<OriginOf> {
  const reader = new Reader<Response>(await readFile(file));
  return (address) => {
    const found = reader.get(address) as Found | null;
    if (found === null) return {};
    const country = found.country?.iso_code ?? found.country_code;
    const regionCode = found.subdivisions?.[0]?.iso_code;
    const city = typeof found.city === 'string' ? found.city : found.city?.names?.en;
    const asn = found.autonomous_system_number;
    return {
      ...(country !== undefined && { country }),
      ...(regionCode !== undefined && { regionCode }),
      ...(city !== undefined && city !== '' && { city }),
      ...(asn !== undefined && { asn }),
    };
  };
}
