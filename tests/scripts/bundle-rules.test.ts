import { expect, test } from 'vitest';
import { type Bundle, findBundleFaults } from '../../scripts/lib/bundle-rules.ts';

const bundle = (parts: Partial<Bundle>): Bundle => ({
  fn: 'track',
  code: '',
  inputs: [],
  gzipBytes: 1000,
  ...parts,
});

test.each([
  ['a sound bundle', {}, []],
  ['exactly its budget', { gzipBytes: 60 * 1024 }, []],
  ['a byte more', { gzipBytes: 60 * 1024 + 1 }, ['track: 61441 bytes gzipped, over its 61440']],
  [
    'the gateway’s own budget',
    { fn: 'gateway', gzipBytes: 10_241 },
    ['gateway: 10241 bytes gzipped, over its 10240'],
  ],
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
  ['eval', { code: 'return eval("1")' }, ['track: holds eval(']],
  ['a method named eval', { code: 'redis.eval(script)' }, []],
  ['a name that ends in eval', { code: 'retrieval(1); $eval(2)' }, []],
  ['an import of node:', { code: 'import { x } from "node:fs";' }, ['track: holds an import of node:*']],
  ['a bare import of node:', { code: 'import"node:fs";' }, ['track: holds an import of node:*']],
  ['a dynamic import of node:', { code: 'await import("node:fs")' }, ['track: holds an import of node:*']],
  ['a require of node:', { code: 'require("node:fs")' }, ['track: holds an import of node:*']],
] as const)('%s', (_, parts, faults) => {
  expect(findBundleFaults(bundle(parts as Partial<Bundle>))).toEqual(faults);
});
