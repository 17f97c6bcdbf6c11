/** Lists that others maintain in public, as `npm run lists` writes them: what our own lists lack. */
export interface PublicLists {
  /** Hosts of each name, with a space between. */
  search: Readonly<Record<string, string>>;
  social: Readonly<Record<string, string>>;
  ai: Readonly<Record<string, string>>;
  /** Names of brands that keep a host in every country, by the host's first part. */
  countryBrands: Readonly<Record<string, string>>;
  /** Spammers' hosts by their last part and without it: `{ru: 'darodar econom'}`. */
  spam: Readonly<Record<string, string>>;
}
