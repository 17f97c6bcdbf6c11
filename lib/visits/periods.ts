/** Ranges of reports that have a name: 24 hours that end with the present one, or whole days that end with today. */
export const PERIODS = ['24h', '7d', '30d', '90d'] as const;
export type Period = (typeof PERIODS)[number];
