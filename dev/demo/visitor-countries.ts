/** The countries of the demo site's visitors, with the languages of their browsers. */
import type { TrackMessage } from '../../lib/collection/track-message.ts';
import type { FieldOf } from '../../lib/visits/dimensions.ts';

type Weighted<T> = readonly (readonly [T, number])[];

export type Town = Required<Pick<TrackMessage, Exclude<FieldOf<'place'>, 'country'>>>;

export interface Country {
  country: string;
  languages: Weighted<string>;
  towns: Weighted<Town>;
}

/** Cities as `region city`, the largest first. */
function country(code: string, languages: Record<string, number>, towns: readonly string[]): Country {
  const toTown = (town: string, index: number): readonly [Town, number] => {
    const [region, ...city] = town.split(' ');
    return [{ region: `${code}-${region}`, city: city.join(' ') }, 1 / (index + 1)];
  };
  return { country: code, languages: Object.entries(languages), towns: towns.map(toTown) };
}

export const COUNTRIES: Weighted<Country> = [
  [
    country('DE', { 'de-DE': 9, 'en-GB': 1 }, [
      'BE Berlin',
      'HH Hamburg',
      'BY Munich',
      'NW Cologne',
      'SN Leipzig',
    ]),
    26,
  ],
  [
    country('US', { 'en-US': 9, 'es-US': 1 }, ['NY New York', 'CA Los Angeles', 'TN Nashville', 'TX Austin']),
    18,
  ],
  [country('GB', { 'en-GB': 1 }, ['ENG London', 'ENG Manchester', 'SCT Glasgow']), 13],
  [country('ES', { 'es-ES': 5, 'ca-ES': 1 }, ['MD Madrid', 'CT Barcelona', 'AN Seville']), 10],
  [country('PT', { 'pt-PT': 6, 'en-GB': 1 }, ['11 Lisbon', '13 Porto', '03 Braga']), 9],
  [country('FR', { 'fr-FR': 1 }, ['IDF Paris', 'ARA Lyon', 'BRE Rennes']), 8],
  [country('NL', { 'nl-NL': 3, 'en-GB': 1 }, ['NH Amsterdam', 'UT Utrecht']), 5],
  [country('BR', { 'pt-BR': 1 }, ['SP São Paulo', 'RJ Rio de Janeiro']), 5],
  [country('AT', { 'de-AT': 1 }, ['9 Vienna', '6 Graz']), 3],
  [country('JP', { 'ja-JP': 1 }, ['13 Tokyo', '27 Osaka']), 3],
];
