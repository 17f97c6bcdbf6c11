import { expect, test } from 'vitest';
import { CLICK_IDS } from '../../../lib/collection/click-ids.ts';
import { sourceOfHost, sourceOfLabel } from '../../../lib/collection/known-sources.ts';
import { AI_ASSISTANTS } from '../../../lib/collection/lists/ai-assistants.ts';
import * as other from '../../../lib/collection/lists/other-sources.ts';
import { SEARCH_COUNTRY_BRANDS, SEARCH_ENGINES } from '../../../lib/collection/lists/search-engines.ts';
import { SOCIAL_COUNTRY_BRANDS, SOCIAL_NETWORKS } from '../../../lib/collection/lists/social-networks.ts';

const LISTS = [
  SEARCH_ENGINES,
  AI_ASSISTANTS,
  SOCIAL_NETWORKS,
  other.VIDEO_PLATFORMS,
  other.SHOPS,
  other.MAIL_SERVICES,
  other.AD_NETWORKS,
  other.SITES,
];

test.each([
  ['www.amazon.co.uk', 'Amazon', 'shopping'],
  ['notebooklm.google.com', 'NotebookLM', 'ai'],
  ['duck.ai', 'Duck.ai', 'ai'],
  ['m.youtube.com', 'YouTube', 'video'],
  ['google.com.br', 'Google', 'search'],
  ['mail.yandex.ru', 'Yandex Mail', 'email'],
  ['pin.it', 'Pinterest', 'social'],
  ['de.wikipedia.org', 'Wikipedia', 'site'],
])('%s is %s, %s', (host, name, kind) => expect(sourceOfHost(host)).toEqual({ name, kind }));

test('no name and no host stands in two lists', () => {
  const names = LISTS.flatMap((list) => Object.keys(list).map((name) => name.toLowerCase()));
  expect(names).toHaveLength(new Set(names).size);
  const hosts = LISTS.flatMap((list) => Object.values(list).flatMap((line) => line.split(' ')));
  expect(hosts).toHaveLength(new Set(hosts).size);
});

test('each host is one, and leads to its name', () => {
  for (const list of LISTS) {
    for (const [name, line] of Object.entries(list)) {
      for (const host of line.split(' ')) {
        expect(host).toMatch(/^[a-z\d-]+(?:\.[a-zA-Z\d-]+)+$/);
        expect(sourceOfHost(host)?.name).toBe(name);
      }
    }
  }
});

test('brands of countries and click ids name known sources', () => {
  const brands = { ...SEARCH_COUNTRY_BRANDS, ...SOCIAL_COUNTRY_BRANDS, ...other.SHOP_COUNTRY_BRANDS };
  const sources = Object.values(CLICK_IDS).flatMap((click) => ('source' in click ? [click.source] : []));
  for (const name of [...Object.values(brands), ...sources]) expect(sourceOfLabel(name)?.name).toBe(name);
});
