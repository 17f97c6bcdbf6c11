import { expect, test } from 'vitest';
import { findDocFaults } from '../../scripts/check-docs/find-doc-faults.ts';

/** The faults of a repository with these texts. */
function faultsOf(texts: Record<string, string>): string[] {
  return findDocFaults({
    paths: Object.keys(texts),
    texts: new Map(Object.entries(texts)),
    commands: new Set(['dev', 'content:build']),
  });
}

const REPORTS = '# Reports\n\n## Filters\n\n## Goals, funnels and `meta`\n\n## Filters\n';

test.each<[what: string, path: string, text: string, fault: string | undefined]>([
  ['a page', 'lib/a.ts', '/** docs/reports.md */', undefined],
  [
    'a page that is not there',
    'lib/a.ts',
    '// see docs/exports.md',
    'lib/a.ts:1: there is no docs/exports.md',
  ],
  ['commands', 'docs/a.md', 'Run `npm run dev -- --memory` and `npm run content:build`.', undefined],
  [
    'a command that is not there',
    'lib/a.ts',
    '// npm run content:bild',
    'lib/a.ts:1: there is no npm run content:bild',
  ],
  ['a heading', 'schema/a.sql', '\n-- docs/reports.md#filters.', undefined],
  ['a heading with marks', 'lib/a.ts', '// docs/reports.md#goals-funnels-and-meta', undefined],
  ['a heading that stands twice', 'lib/a.ts', '// docs/reports.md#filters-1', undefined],
  [
    'a heading that is not there',
    'schema/a.sql',
    '\n-- docs/reports.md#ranges',
    'schema/a.sql:2: docs/reports.md has no heading #ranges',
  ],
  [
    'a paper that is not here',
    'lib/a.ts',
    '/** Reports (contract section 4). */',
    'lib/a.ts:1: cites what is not here: cite a heading of docs/',
  ],
  [
    'another',
    'schema/a.sql',
    '-- As the specification says.',
    'schema/a.sql:1: cites what is not here: cite a heading of docs/',
  ],
  ['one that everybody has', 'lib/a.ts', '// https://modelcontextprotocol.io/specification', undefined],
  ['a relative link', 'docs/a.md', '[Filters](reports.md#filters)', undefined],
  ['a link upwards', 'packages/tracker/README.md', '[Filters](../../docs/reports.md#filters)', undefined],
  ['a link to a folder', 'docs/a.md', '[all](../docs/)', undefined],
  ['an anchor of its own', 'docs/a.md', '# One\n[One](#one)', undefined],
  [
    'a wrong anchor of its own',
    'docs/a.md',
    '# One\n[Two](#two)',
    'docs/a.md:2: docs/a.md has no heading #two',
  ],
  ['a broken link', 'docs/a.md', '[x](b.md)', 'docs/a.md:1: there is no docs/b.md'],
  ['a link to another host', 'docs/a.md', '[x](https://example.org/b.md)', undefined],
  ['a link within code', 'docs/a.md', '```\n[x](b.md)\n```\n`[x](b.md)`', undefined],
  ['a path', 'docs/a.md', '`docs/reports.md`, `docs/`, `lib/<name>.ts`', undefined],
  ['a path that is not there', 'docs/a.md', '`lib/a.ts`', 'docs/a.md:1: there is no lib/a.ts'],
  ['a published guide', 'content/guides/a/en.md', '[x](/prices)', undefined],
])('%s', (_, path, text, fault) => {
  expect(faultsOf({ 'docs/reports.md': REPORTS, [path]: text })).toEqual(fault === undefined ? [] : [fault]);
});

test('the README has at most 10 KB', () => {
  expect(faultsOf({ 'README.md': 'x'.repeat(10_240) })).toEqual([]);
  expect(faultsOf({ 'README.md': 'x'.repeat(10_241) })).toEqual([
    'README.md:1: has 10241 bytes, at most 10240',
  ]);
});
