/** What is probably a mistake in `content/` though its files are valid. The rules stand in content/README.md. */
import { rank } from '../../lib/content/rank.ts';
import { createIndex, type IndexedEntry } from '../../lib/content/search-index.ts';
import { compileSynonyms, stemsOf } from '../../lib/content/synonyms.ts';
import { LANGUAGES } from '../../lib/languages.ts';
import type { Content, Entry } from './entry.ts';
import { type Fault, FILE_START, sortFaults } from './fault.ts';
import type { NameRule } from './find-wordings.ts';
import { type FoundText, type Link, type MarkdownFacts, readMarkdown } from './markdown-texts.ts';

/** Links that readers may follow; others don't open, or run something. */
const SAFE_PROTOCOLS = new Set(['https:', 'http:', 'mailto:', 'tel:']);
/** The website's first pages, which aren't content. */
const HOME_PATHS = ['', '/es', '/pt'];
/** It is a day later somewhere, at most by this much. */
const AHEAD_MS = 14 * 60 * 60 * 1000;

/** All warnings, ordered by file and line. `now`: epoch milliseconds. */
export function findWarnings(content: Content, now: number): Fault[] {
  const { publisher, entries, texts, names } = content;
  const site = {
    host: new URL(publisher.website).host,
    website: publisher.website,
    paths: publicPaths(entries),
    names,
  };
  return sortFaults([
    ...texts.flatMap((text) => findInText(text, site)),
    ...findRepeatedOrders(entries),
    ...findDaysAhead(entries, now),
    ...findLostKeywords(content),
    ...findLostSynonyms(content),
    ...findMissingGuides(entries),
  ]);
}

interface Site {
  host: string;
  website: string;
  paths: ReadonlySet<string>;
  names: readonly NameRule[];
}

const publicPaths = (entries: readonly Entry[]): ReadonlySet<string> =>
  new Set([...HOME_PATHS, ...entries.filter(({ isPublic }) => isPublic).map(({ path }) => path)]);

function findInText(found: FoundText, site: Site): Fault[] {
  const facts = readMarkdown(found.text, found.language, site.names);
  const ofLinks = facts.links.flatMap((link) => {
    const rule = faultOfLink(link, found, facts, site);
    return rule === undefined ? [] : { index: link.index, rule };
  });
  return [...facts.findings, ...ofLinks].map(({ index, rule }) => ({ ...found.positionOf(index), rule }));
}

function faultOfLink(
  { href }: Link,
  { path }: FoundText,
  { anchors }: MarkdownFacts,
  { host, website, paths }: Site,
): string | undefined {
  const url = URL.parse(href, website + path);
  if (url === null) return 'is a link that leads nowhere';
  if (!SAFE_PROTOCOLS.has(url.protocol)) return `must not be a ${url.protocol} link`;
  if (url.host !== host || !url.protocol.startsWith('http')) return undefined;
  const target = decodePath(url.pathname).replace(/\/$/, '');
  if (target === path) {
    const anchor = decodePath(url.hash.slice(1));
    return anchor === '' || anchors.has(anchor)
      ? undefined
      : `leads to #${anchor}, which no heading here has`;
  }
  return paths.has(target) ? undefined : `leads to ${target}, which isn’t a public page of content/`;
}

function decodePath(text: string): string {
  try {
    return decodeURIComponent(text).normalize('NFC');
  } catch {
    return text;
  }
}

/** Records of a type with the same position in the catalogue. Guides have none. */
function findRepeatedOrders(entries: readonly Entry[]): Fault[] {
  const ordered = entries.filter(({ type }) => type !== 'guide');
  return ordered.flatMap((entry) => {
    const other = ordered.find(({ type, order }) => type === entry.type && order === entry.order);
    if (other === undefined || other.slug === entry.slug || entry !== firstOf(ordered, entry)) return [];
    const { file, line } = other.locate('order');
    return { ...entry.locate('order'), rule: `is also that of ${file}:${line}` };
  });
}

const firstOf = (entries: readonly Entry[], { type, slug }: Entry): Entry | undefined =>
  entries.find((entry) => entry.type === type && entry.slug === slug);

/** A YAML file has one day for all languages, so equal positions are reported once. */
function findDaysAhead(entries: readonly Entry[], now: number): Fault[] {
  const latest = new Date(now + AHEAD_MS).toISOString().slice(0, 10);
  const ahead = entries.filter(({ updated }) => updated !== undefined && updated > latest);
  const faults = ahead.map((entry) => ({ ...entry.locate('updated'), rule: 'is a day ahead of today' }));
  return [...new Map(faults.map((fault) => [`${fault.file}:${fault.line}`, fault])).values()];
}

/** Keywords by which a search doesn't find their own record, such as one of punctuation. */
function findLostKeywords({ entries, synonyms }: Content): Fault[] {
  return LANGUAGES.flatMap((language) => {
    const records = entries.filter((entry) => entry.language === language && entry.keywords.length > 0);
    const lexicon = { language, synonyms: compileSynonyms(synonyms[language], language) };
    const indexes = [createIndex(records.map(toIndexed), lexicon)];
    const isFound = (entry: Entry, query: string): boolean =>
      rank({ indexes, query, lexicon, accept: (id) => id === idOf(entry) }).length > 0;
    return records.flatMap((entry) =>
      entry.keywords.flatMap((keyword, at) =>
        isFound(entry, keyword)
          ? []
          : { ...entry.locate('keywords', at), rule: 'is not found by a search for it' },
      ),
    );
  });
}

/** Groups of synonyms of which no public record has any. */
function findLostSynonyms({ entries, synonyms }: Content): Fault[] {
  return LANGUAGES.flatMap((language) => {
    const records = entries.filter((entry) => entry.language === language && entry.isPublic);
    const texts = records.map(({ title, keywords, description }) =>
      ['', ...stemsOf([title, ...keywords, description].join(' '), language), ''].join(' '),
    );
    const { groups, locate } = synonyms[language];
    return groups.flatMap((phrases, at) => {
      const isThere = phrases.some((phrase) => {
        const stems = ['', ...stemsOf(phrase, language), ''].join(' ');
        return texts.some((text) => text.includes(stems));
      });
      return isThere ? [] : { ...locate(at), rule: 'has no phrase that any public record has' };
    });
  });
}

const idOf = ({ type, slug }: Entry): string => `${type}:${slug}`;
const toIndexed = (entry: Entry): IndexedEntry => ({
  id: idOf(entry),
  title: entry.title,
  keywords: entry.keywords,
  description: entry.description,
});

function findMissingGuides(entries: readonly Entry[]): Fault[] {
  if (entries.some(({ type, isPublic }) => type === 'guide' && isPublic)) return [];
  return [{ file: 'content/guides', ...FILE_START, field: '', rule: 'has no public guide' }];
}
