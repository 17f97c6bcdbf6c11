import type { ImportSource } from '../../../lib/visits/imported-data.ts';

export const TOOLS: Readonly<Record<ImportSource, string>> = {
  plausible: 'Plausible',
  umami: 'Umami',
  'ga4-csv': 'Google Analytics 4',
};

export const toolName = (source: string): string =>
  (TOOLS as Readonly<Record<string, string>>)[source] ?? source;
