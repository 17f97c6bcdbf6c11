/** Each example of the documents is run by a test, or says why not. */
import { expect, test } from 'vitest';
import { SERVED_AS } from '../../packages/tracker/bundle-tracker.ts';
import { SNIPPET } from '../browser/html.ts';
import {
  BY_BROWSER,
  BY_OPERATIONS,
  BY_SERVICE,
  BY_SETUP,
  countFences,
  EXAMPLE_FILES,
  EXAMPLES,
  REASONS,
  SNIPPET_EXAMPLE,
} from './doc-examples.ts';

const isSnippet = (name: string): boolean => name.startsWith(SNIPPET_EXAMPLE);

test('all fences of the documents are found', () => {
  for (const file of EXAMPLE_FILES)
    expect([file, 2 * EXAMPLES.filter((example) => example.file === file).length]).toEqual([
      file,
      countFences(file),
    ]);
});

test('every example is run, or says why not by a reason that fits', () => {
  const run: readonly string[] = [...BY_SERVICE, ...BY_SETUP, ...BY_OPERATIONS, ...BY_BROWSER];
  const faults = EXAMPLES.filter(({ name }) => !isSnippet(name)).flatMap((example) => {
    const { name, line, notRun } = example;
    if (notRun === undefined) return run.includes(name) ? [] : [`${name} (line ${line}): no test runs it`];
    if (run.includes(name)) return [`${name} (line ${line}): a test runs it`];
    return REASONS[notRun]?.(example) === true
      ? []
      : [`${name} (line ${line}): ${notRun} is no reason for it`];
  });
  expect(faults).toEqual([]);
});

test('every example that a test runs is there', () => {
  const names = EXAMPLES.map(({ name }) => name);
  expect(
    [...BY_SERVICE, ...BY_SETUP, ...BY_OPERATIONS, ...BY_BROWSER].filter((name) => !names.includes(name)),
  ).toEqual([]);
});

test('every reason is one of an example', () => {
  const given = new Set(EXAMPLES.map(({ notRun }) => notRun));
  expect(Object.keys(REASONS).filter((reason) => !given.has(reason))).toEqual([]);
});

test('the snippet for early calls is the one that tests use', () => {
  const [example] = EXAMPLES.filter(({ name }) => isSnippet(name));
  expect(example?.text.trim()).toBe(`<script>${SNIPPET}</script>`);
});

test('what other programs have to pass on names every part of the tracker', () => {
  const parts = Object.values(SERVED_AS).filter((name) => !name.startsWith('tracker'));
  const rewriting = EXAMPLES.filter(
    ({ notRun, text }) => notRun === 'is read by another program' && !text.startsWith('name ='),
  );
  expect(rewriting.length).toBeGreaterThan(3);
  for (const { name, text } of rewriting)
    for (const part of parts)
      expect([name, text]).toEqual([name, expect.stringContaining(part.replace('.js', ''))]);
});
