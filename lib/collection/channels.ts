/** The channels, as reports show them (docs/counting.md#channels). */
export const CHANNELS = [
  'Direct',
  'Organic search',
  'Paid search',
  'Organic social',
  'Paid social',
  'Organic video',
  'Paid video',
  'Organic shopping',
  'Paid shopping',
  'AI assistants',
  'Email',
  'Display',
  'Affiliates',
  'Referral',
  'Audio',
  'SMS',
  'Push',
  'Campaign',
] as const;
export type Channel = (typeof CHANNELS)[number];
