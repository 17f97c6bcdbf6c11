import type { Source } from './read-currencies.ts';

/** To update, enter a newer version and run `npm run currencies`. It prints the new checksum. */
export const CURRENCIES_SOURCE: Source = {
  name: 'dinero.js',
  version: '2.0.2',
  date: '2026-03-18',
  licence: 'MIT',
  file: 'dist/esm/currencies/index.js',
  sha256: '4031e7ba4b4b8da2bcf6f155589058ab78c4499bce99fdec228a4e3cb0dce1ae',
};
