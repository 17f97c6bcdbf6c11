import { expect, test } from 'vitest';
import { type Bundle, budgetOf, findBundleFaults } from '../../scripts/build/bundle-rules.ts';

const bundle = (parts: Partial<Bundle>): Bundle => ({
  fn: 'track',
  code: '',
  inputs: [],
  sources: [],
  externals: [],
  hasEval: false,
  gzipBytes: 1000,
  module: '/dist/track/index.js',
  ...parts,
});

const TRACK = budgetOf('track');

test('the tracker’s Worker may weigh more with the public lists, no other', () => {
  const none = { search: {}, social: {}, ai: {}, countryBrands: {}, spam: {} };
  const some = { ...none, spam: { example: 'spammer' } };
  expect(budgetOf('track', none)).toBe(74 * 1024);
  expect(budgetOf('track', some)).toBe(95 * 1024);
  expect(budgetOf('sites', some)).toBe(budgetOf('sites', none));
});

test.each([
  ['a sound bundle', {}, []],
  ['exactly its budget', { gzipBytes: TRACK }, []],
  ['a byte more', { gzipBytes: TRACK + 1 }, [`track: ${TRACK + 1} bytes gzipped, over its ${TRACK}`]],
  [
    'the gateway’s own budget',
    { fn: 'gateway', gzipBytes: 10_241 },
    ['gateway: 10241 bytes gzipped, over its 10240'],
  ],
  ['the content service’s own budget', { fn: 'content', gzipBytes: 256 * 1024 }, []],
  ['the common budget', { fn: 'sites', gzipBytes: 150 * 1024 }, []],
  [
    'the database driver in track',
    { inputs: ['node_modules/@neondatabase/serverless/index.mjs'] },
    ['track: holds @neondatabase/serverless'],
  ],
  [
    'the database driver elsewhere',
    { fn: 'sites', inputs: ['node_modules/@neondatabase/serverless/index.mjs'] },
    [],
  ],
  ['local emulation', { inputs: ['dev/stack.ts'] }, ['track: holds dev/stack.ts']],
  ['a package with a dev folder', { inputs: ['node_modules/x/dev/y.js'] }, []],
  ['new Function', { code: 'const f = new Function("a")' }, ['track: holds new Function(']],
  ['eval', { hasEval: true }, ['track: calls eval']],
  ['an import of node:', { externals: ['node:fs'] }, ['track: imports node:fs']],
  ['an import of the platform’s own', { externals: ['cloudflare:workers'] }, []],
] as const)('%s', (_, parts, faults) => {
  expect(findBundleFaults(bundle(parts as Partial<Bundle>))).toEqual(faults);
});
