import { parse } from 'yaml';
import type { PublicLists } from '../../lib/collection/lists/public-lists.ts';
import { OUR_NAMES } from './names.ts';

/** The source that our own lists have for a host, without public lists. */
export type IsOurs = (host: string) => boolean;

interface Named {
  hosts: Record<string, string>;
  brands: Record<string, string>;
}

const HOST = /^[a-z\d-]+(?:\.[a-z\d-]+)+$/;
/** A host with a version for every country: `google.{}`. */
const EVERY_COUNTRY = /^(?:www\.)?([a-z]+)\.\{\}$/;

/**
 * Selects the entries of the public lists that ours lack. Skips hosts of our lists, hosts below others with the same name, and entries
 * that aren't whole hosts: addresses with a path, and `maps.google.{}`, which the brand's host covers. `{}.search.example` stands for
 * hosts such as `de.search.example`, which are below it.
 */
export function readPublicLists(texts: ReadonlyMap<string, string>, isOurs: IsOurs): PublicLists {
  const read = (file: string) => parse(texts.get(file) ?? '') as Record<string, unknown> | null;
  const search = nameHosts(read('SearchEngines.yml'), isOurs);
  const social = nameHosts(read('Socials.yml'), isOurs);
  const ai = nameHosts(read('AIAssistants.yml'), isOurs);
  const named = new Set(
    [search, social, ai].flatMap(({ hosts }) => Object.values(hosts).flatMap((line) => line.split(' '))),
  );
  const isKept = (host: string) => !named.has(host) && !isOurs(host);
  return {
    search: search.hosts,
    social: social.hosts,
    ai: ai.hosts,
    countryBrands: search.brands,
    spam: byEnding(tidyHosts((texts.get('spammers.txt') ?? '').split('\n')).filter(isKept)),
  };
}

/** The hosts of each name. The entry of a name is a list of hosts, or of objects with `urls`. */
function nameHosts(list: Record<string, unknown> | null, isOurs: IsOurs): Named {
  const hosts = new Map<string, string[]>();
  const brands: Record<string, string> = {};
  for (const [written, entry] of Object.entries(list ?? {})) {
    const plain = decodeURIComponent(written);
    const name = OUR_NAMES[plain] ?? plain;
    const urls = (entry as unknown[]).flatMap((item) =>
      typeof item === 'string' ? [item] : ((item as { urls?: string[] }).urls ?? []),
    );
    const kept = tidyHosts(urls.map((url) => url.replace(/^\{\}\./, ''))).filter((host) => !isOurs(host));
    if (kept.length > 0) hosts.set(name, tidyHosts([...(hosts.get(name) ?? []), ...kept]));
    for (const url of urls) {
      const brand = EVERY_COUNTRY.exec(url)?.[1];
      if (brand !== undefined && !isOurs(`${brand}.de`)) brands[brand] = name;
    }
  }
  const lines = [...hosts].map(([name, of]) => [name, of.join(' ')] as const);
  return { hosts: Object.fromEntries(lines.sort(([a], [b]) => (a < b ? -1 : 1))), brands };
}

/** Hosts as the URL parser returns them, without `www.`, sorted, without repetitions and without hosts below others. */
function tidyHosts(written: readonly string[]): string[] {
  const hosts = new Set(
    written.flatMap((line) => {
      const host = /[/{}\s]/.test(line.trim()) ? undefined : URL.parse(`https://${line.trim()}/`)?.hostname;
      const bare = host?.replace(/^www\./, '');
      return bare !== undefined && HOST.test(bare) && !/\.\d+$/.test(bare) ? [bare] : [];
    }),
  );
  return [...hosts].filter((host) => !aboveOf(host).some((above) => hosts.has(above))).sort();
}

/** The parent hosts: for `a.b.c` it is `b.c`. */
const aboveOf = (host: string): string[] => {
  const parts = host.split('.');
  return parts.slice(1, -1).map((_, index) => parts.slice(index + 1).join('.'));
};

function byEnding(hosts: readonly string[]): Record<string, string> {
  const groups = Map.groupBy(hosts, (host) => host.slice(host.lastIndexOf('.') + 1));
  const lines = [...groups].map(
    ([ending, of]) => [ending, of.map((host) => host.slice(0, -ending.length - 1)).join(' ')] as const,
  );
  return Object.fromEntries(lines.sort(([a], [b]) => (a < b ? -1 : 1)));
}
