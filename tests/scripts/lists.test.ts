import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createNaming } from '../../lib/collection/known-sources.ts';
import { PUBLIC_LISTS } from '../../lib/collection/lists/public.generated.ts';
import { createSpammers } from '../../lib/collection/spammers.ts';
import { ORIGINS, type Origin } from '../../scripts/lists/list-origins.ts';
import { readFiles } from '../../scripts/lists/read-files.ts';
import { readPublicLists } from '../../scripts/lists/read-public-lists.ts';
import { renderPublicLists } from '../../scripts/lists/render-lists.ts';
import { ROOT } from '../../tooling/deployment.ts';

/** Invented data in the form of the public files. */
const FILES: Record<string, string> = {
  'SearchEngines.yml': `Findig:
  -
    urls:
      - www.findig.example
      - suche.findig.example
      - 'findig.{}'
      - '{}.findig-global.example'
      - findig.example/pictures
    params:
      - q
  -
    urls: [findig.test]
    params: [q]
Yahoo!:
  -
    urls: [search.yahoo.com, yahoo-relay.example]
    params: [p]
Maps:
  -
    urls: ['maps.findig.{}']
    params: []
`,
  'Socials.yml': `Plaza%2B:\n  - plaza.example\n  - m.plaza.example\nTwitter:\n  - twitter.com\n  - bird.example\n`,
  'AIAssistants.yml': `Ponder:\n  - ponder.example\n  - x.example/ponder\nClaude:\n  - claude.ai\n`,
  'spammers.txt': `cheap-seo.example\nsub.cheap-seo.example\n\nQUICK.example\nплохой.example\nplaza.example\nsemalt.com\n`,
};
const ours = createNaming();
const read = () => readPublicLists(new Map(Object.entries(FILES)), (host) => ours.ofHost(host) !== undefined);
const lists = read();

describe('names', () => {
  const naming = createNaming(lists);
  test.each([
    ['findig.example', 'Findig', 'search'],
    ['a.suche.findig.example', 'Findig', 'search'],
    ['findig.test', 'Findig', 'search'],
    ['de.findig-global.example', 'Findig', 'search'],
    ['findig.co.uk', 'Findig', 'search'],
    ['maps.findig.de', 'Findig', 'search'],
    ['yahoo-relay.example', 'Yahoo', 'search'],
    ['m.plaza.example', 'Plaza+', 'social'],
    ['bird.example', 'X', 'social'],
    ['ponder.example', 'Ponder', 'ai'],
    // Our own lists have precedence.
    ['search.yahoo.com', 'Yahoo', 'search'],
    ['mail.google.com', 'Gmail', 'email'],
  ])('%s is %s, %s', (host, name, kind) => expect(naming.ofHost(host)).toEqual({ name, kind }));

  test('our names stand, whatever a public list says of their hosts', () => {
    const bold = createNaming({ ...lists, search: { Chaos: 'github.com gist.github.com', X: 'x.example' } });
    expect(bold.ofHost('gist.github.com')).toEqual({ name: 'GitHub', kind: 'site' });
    expect(bold.ofHost('x.example')).toEqual({ name: 'X', kind: 'social' });
  });

  test('a label may be a name of theirs', () => {
    expect(naming.ofLabel('ponder')).toEqual({ name: 'Ponder', kind: 'ai' });
    expect(ours.ofLabel('ponder')).toBeUndefined();
  });

  test('what is no whole host is left out, and so is what ours name', () => {
    expect(naming.ofHost('x.example')).toBeUndefined();
    expect(
      Object.values({ ...lists.search, ...lists.social, ...lists.ai })
        .join(' ')
        .split(' ')
        .sort(),
    ).toEqual([
      'bird.example',
      'findig-global.example',
      'findig.example',
      'findig.test',
      'plaza.example',
      'ponder.example',
      'yahoo-relay.example',
    ]);
  });
});

describe('spammers', () => {
  const isSpammer = createSpammers(lists);
  test.each([
    'cheap-seo.example',
    'a.cheap-seo.example',
    'quick.example',
    'xn--i1adjac2b.example',
    'semalt.com',
  ])('%s is one', (host) => expect(isSpammer(host)).toBe(true));
  test.each(['example', 'notcheap-seo.example', 'cheap-seo.example.test', 'plaza.example', ''])(
    '%j is none',
    (host) => expect(isSpammer(host)).toBe(false),
  );
});

describe('the module', () => {
  let folder: string;
  const origin = (names: string[], sum: (text: string) => string): Origin => ({
    repository: 'nobody/nothing',
    commit: '0'.repeat(40),
    date: '2026-11-01',
    licence: 'CC0-1.0',
    files: names.map((name) => ({ name, sha256: sum(FILES[name] ?? '') })),
  });
  const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'lists-'));
    for (const [name, text] of Object.entries(FILES)) await writeFile(join(folder, name), text);
  });
  afterAll(() => rm(folder, { recursive: true }));

  test('is the same each time, and tells origin and licence', async () => {
    const origins = [origin(Object.keys(FILES), sha256)];
    const written = async () =>
      renderPublicLists(
        readPublicLists(await readFiles(origins, folder), (host) => ours.ofHost(host) !== undefined),
        origins,
      );
    expect(await written()).toBe(await written());
    expect(await written()).toBe(renderPublicLists(lists, origins));
    expect(await written()).toContain(
      'nobody/nothing at 0000000000000000000000000000000000000000 (2026-11-01), CC0-1.0',
    );
  });

  test('is not made of other files than those that were asked for', async () => {
    const origins = [origin(['spammers.txt'], () => sha256('other'))];
    await expect(readFiles(origins, folder)).rejects.toThrow("spammers.txt isn't that of");
  });

  test('is as the script writes it', async () => {
    const file = await readFile(join(ROOT, 'lib/collection/lists/public.generated.ts'), 'utf8');
    expect([renderPublicLists(PUBLIC_LISTS, []), renderPublicLists(PUBLIC_LISTS, ORIGINS)]).toContain(file);
  });
});
