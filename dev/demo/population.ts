/** Who visits the demo site, and from where: weights as a small European shop would see them. */
import type { StoredEvent, TrackMessage } from '../../lib/visits/message.ts';

type Weighted<T> = readonly (readonly [T, number])[];

export interface Machine extends Required<Pick<TrackMessage, 'device' | 'browser' | 'os'>> {
  screen: string;
}

const machine = (device: Machine['device'], browser: string, os: string, screen: string): Machine => ({
  device,
  browser,
  os,
  screen,
});

export const MACHINES: Weighted<Machine> = [
  [machine('mobile', 'Safari', 'iOS', '390x844'), 25],
  [machine('mobile', 'Chrome', 'Android', '412x915'), 20],
  [machine('mobile', 'Samsung Internet', 'Android', '360x780'), 4],
  [machine('mobile', 'Firefox', 'Android', '412x892'), 2],
  [machine('desktop', 'Chrome', 'Windows', '1920x1080'), 18],
  [machine('desktop', 'Edge', 'Windows', '1536x864'), 8],
  [machine('desktop', 'Safari', 'macOS', '1440x900'), 8],
  [machine('desktop', 'Chrome', 'macOS', '1728x1117'), 5],
  [machine('desktop', 'Firefox', 'Linux', '1920x1080'), 3],
  [machine('desktop', 'Firefox', 'Windows', '1920x1080'), 3],
  [machine('tablet', 'Safari', 'iOS', '820x1180'), 4],
];

/** With the languages that people there read in. */
export const COUNTRIES: Weighted<{ country: string; languages: Weighted<string> }> = [
  [
    {
      country: 'DE',
      languages: [
        ['de-DE', 9],
        ['en-GB', 1],
      ],
    },
    26,
  ],
  [
    {
      country: 'US',
      languages: [
        ['en-US', 9],
        ['es-US', 1],
      ],
    },
    18,
  ],
  [{ country: 'GB', languages: [['en-GB', 1]] }, 13],
  [
    {
      country: 'ES',
      languages: [
        ['es-ES', 5],
        ['ca-ES', 1],
      ],
    },
    10,
  ],
  [
    {
      country: 'PT',
      languages: [
        ['pt-PT', 6],
        ['en-GB', 1],
      ],
    },
    9,
  ],
  [{ country: 'FR', languages: [['fr-FR', 1]] }, 8],
  [
    {
      country: 'NL',
      languages: [
        ['nl-NL', 3],
        ['en-GB', 1],
      ],
    },
    5,
  ],
  [{ country: 'BR', languages: [['pt-BR', 1]] }, 5],
  [{ country: 'AT', languages: [['de-AT', 1]] }, 3],
  [{ country: 'JP', languages: [['ja-JP', 1]] }, 3],
];

export type Origin = Pick<
  Extract<StoredEvent, { type: 'pageview' }>,
  'source' | 'utmSource' | 'utmMedium' | 'utmCampaign'
>;

const campaign = (source: string, utmSource: string, utmMedium: string, utmCampaign: string): Origin => ({
  source,
  utmSource,
  utmMedium,
  utmCampaign,
});

export const ORIGINS: Weighted<Origin> = [
  [{}, 32],
  [{ source: 'Google' }, 30],
  [campaign('Google', 'google', 'cpc', 'strings-autumn'), 7],
  [{ source: 'Reddit' }, 6],
  [{ source: 'YouTube' }, 5],
  [{ source: 'ChatGPT' }, 5],
  [{ source: 'Bing' }, 4],
  [{ source: 'DuckDuckGo' }, 4],
  [{ source: 'Instagram' }, 3],
  [{ source: 'Wikipedia' }, 2],
  [{ source: 'luthiers-forum.example' }, 2],
];

/** Goes out on Tuesdays. */
export const NEWSLETTER: Origin = campaign('newsletter', 'newsletter', 'email', 'string-theory');

/** The day that everybody came from one place: a month has one. */
export const BURST: Origin = { source: 'Hacker News' };
