/** The command line: its arguments, and what it prints to which stream. */
import { expect, test } from 'vitest';
import { readImportOptions } from '../../../scripts/import/import-options.ts';
import { showProgress } from '../../../scripts/import/show-progress.ts';
import { FIXTURES, useWorlds } from './import-world.ts';

const SITE = '0b7c0d5e-3a0e-4c43-9d62-0d5a8f3c1a11';
const read = (line: string) => readImportOptions(line.split(' '));

test('an import, its undoing, a list', () => {
  expect(read(`--from umami a.zip b.csv --site ${SITE} --dry-run --from-day 2026-01-01`)).toEqual({
    siteId: SITE,
    url: undefined,
    dryRun: true,
    action: {
      kind: 'import',
      source: 'umami',
      paths: ['a.zip', 'b.csv'],
      fromDay: '2026-01-01',
      toDay: undefined,
    },
  });
  expect(read(`--undo --site ${SITE}`).action).toEqual({ kind: 'undo', importId: undefined });
  expect(read(`--undo --import ${SITE} --site ${SITE}`).action).toEqual({ kind: 'undo', importId: SITE });
  expect(read(`--list --site ${SITE} --url https://vendor.example/path`)).toMatchObject({
    url: 'https://vendor.example',
    action: { kind: 'list' },
  });
  expect(read(`--list --site ${SITE} --url http://127.0.0.1:8787`).url).toBe('http://127.0.0.1:8787');
});

test.each([
  ['--from umami a.csv', '--site takes the id of a site.'],
  ['--from umami a.csv --site 7', '--site takes an id.'],
  [`--from matomo a.csv --site ${SITE}`, '--from takes one of plausible, umami, ga4-csv.'],
  [`a.csv --site ${SITE}`, '--from takes one of'],
  [`--from umami --site ${SITE}`, 'Name the FILE to import.'],
  [`--from umami a --site ${SITE} --from-day 2026-2-1`, '--from-day takes a date'],
  [
    `--from umami a --site ${SITE} --from-day 2026-02-01 --to-day 2026-01-01`,
    '--from-day must not be after --to-day.',
  ],
  [`--undo a.csv --site ${SITE}`, '--undo and --list stand alone'],
  [`--undo --list --site ${SITE}`, '--undo and --list stand alone'],
  [`--undo --from umami --site ${SITE}`, '--undo and --list stand alone'],
  [`--list --site ${SITE} --url http://vendor.example`, '--url takes an address that begins with https://'],
  [`--list --site ${SITE} --url vendor`, '--url takes an address that begins with https://'],
  [`--list --site ${SITE} --force`, "Unknown option '--force'"],
])('refused: %s', (line, rule) => {
  expect(() => read(line)).toThrow(rule);
});

test('a terminal shows how much was read and written, and how fast', () => {
  let [now, shown] = [0, ''];
  const write = (text: string) => {
    shown += text.replace('\r\u001b[K', '\n');
  };
  const progress = showProgress({ isTTY: true, write }, { bytes: 1000, rows: () => 40 }, () => now);
  progress.onFile?.({ name: 'a.csv', size: 1000, open: () => Promise.reject(new Error()) });
  for (const at of [100, 500, 2000]) {
    now = at;
    progress.onRow?.();
    progress.onBytes?.(250);
  }
  now = 3000;
  progress.onWritten(10);
  now = 4000;
  progress.onWritten(10);
  progress.done();
  expect(shown.split('\n')).toEqual([
    '',
    'reading 0 % a.csv 0 rows',
    'reading 50 % a.csv 2 rows, 4/s',
    'reading 75 % a.csv 3 rows, 2/s',
    'writing 25 % 10 rows',
    'writing 50 % 20 rows, 20/s',
    '',
  ]);
});

const makeWorld = useWorlds();

test.each([true, false])('progress on a terminal (%s) alone', async (isTTY) => {
  const { run } = await makeWorld();
  let shown = '';
  const terminal = {
    isTTY,
    write: (text: string) => {
      shown += text;
    },
  };
  await run('plausible', `${FIXTURES}plausible`, { terminal });
  expect(shown.includes('reading')).toBe(isTTY);
  expect(shown === '').toBe(!isTTY);
});
