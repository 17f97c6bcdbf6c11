/** Filters in a URL: the text becomes what a report is asked, or an error that names the broken rule. */
import { describe, expect, test } from 'vitest';
import { AnyReport, LiveInput, MeasuresInput } from '../../../lib/analytics/reading/report-inputs.ts';
import { DomainError } from '../../../lib/errors.ts';
import { check } from '../../../lib/http/issues.ts';
import { type InputSchema, parameterPath, readParameters } from '../../../lib/http/url-input.ts';

const SITE = { siteId: '1b9e4f70-3c2d-4e5f-8a6b-9c0d1e2f3a4b' };

const read = (schema: InputSchema, query: Record<string, string>) =>
  check(schema, { ...readParameters(schema, new URLSearchParams(query)), ...SITE }, parameterPath);

function detailsOf(schema: InputSchema, query: Record<string, string>) {
  try {
    return read(schema, query);
  } catch (error) {
    if (error instanceof DomainError) return error.details;
    throw error;
  }
}

describe('a filter', () => {
  test.each<[string, string, string, string[]]>([
    ['one value', 'Google', 'is', ['Google']],
    ['several values', 'Google|Bing', 'is', ['Google', 'Bing']],
    ['none of them', '!Google|Bing', 'not', ['Google', 'Bing']],
    ['a part', '~goo|bin', 'contains', ['goo', 'bin']],
    ['a sign within a value', 'a!b~c', 'is', ['a!b~c']],
    ['one operator', '!~a', 'not', ['~a']],
    ['a value with a bar', 'spring\\|summer|autumn', 'is', ['spring|summer', 'autumn']],
    ['a value that begins with a sign', '\\!important', 'is', ['!important']],
    ['another one, negated', '!\\!a|\\~b', 'not', ['!a', '~b']],
    ['a backslash before a bar', 'a\\\\|b', 'is', ['a\\', 'b']],
    ['a backslash elsewhere', 'C:\\temp\\', 'is', ['C:\\temp\\']],
    ['text beyond the basic plane', '🛒|é', 'is', ['🛒', 'é']],
  ])('has %s', (_, text, operator, values) => {
    expect(read(AnyReport, { filter_source: text })).toMatchObject({
      filters: [{ dimension: 'source', operator, values }],
    });
    expect(read(AnyReport, { filter_prop_plan: text })).toMatchObject({
      filters: [{ dimension: 'prop', key: 'plan', operator, values }],
    });
  });

  test('by properties stands beside those by dimensions', () => {
    const asked = { filter_page: '/a', filter_prop_plan: 'pro', 'filter_prop_Größe in m²': '~3' };
    expect(read(AnyReport, asked)).toMatchObject({
      filters: [
        { dimension: 'page', operator: 'is', values: ['/a'] },
        { dimension: 'prop', key: 'Größe in m²', operator: 'contains', values: ['3'] },
        { dimension: 'prop', key: 'plan', operator: 'is', values: ['pro'] },
      ],
    });
  });

  const many = (count: number, value = 'x') =>
    Object.fromEntries(Array.from({ length: count }, (_, n) => [`filter_prop_k${n}`, value]));
  test('by properties may come eight times', () => {
    expect(read(AnyReport, many(8))).toMatchObject({ filters: { length: 8 } });
  });

  test.each<[string, InputSchema, Record<string, string>, string, string]>([
    ['no value', AnyReport, { filter_page: '' }, 'filter_page', '1 to 20 values'],
    ['an empty value', AnyReport, { filter_page: 'a||b' }, 'filter_page', '1 to 20 values'],
    ['nothing but an operator', AnyReport, { filter_prop_plan: '!' }, 'filter_prop_plan', '1 to 20 values'],
    [
      'too many values',
      AnyReport,
      { filter_prop_n: 'a|'.repeat(21).slice(0, -1) },
      'filter_prop_n',
      '1 to 20 values',
    ],
    ['too long a text', AnyReport, { filter_prop_n: 'a'.repeat(2049) }, 'filter_prop_n', '2048'],
    ['an unknown dimension', AnyReport, { filter_colour: 'red' }, 'filter_colour', 'not a known field'],
    ['a property without a name', AnyReport, { filter_prop_: 'x' }, 'filter_prop_', '1 to 64 characters'],
    ['too long a name', AnyReport, { [`filter_prop_${'k'.repeat(65)}`]: 'x' }, '*', '1 to 64 characters'],
    ['too many properties', AnyReport, many(9), 'filter_prop_k8', 'at most 8'],
    [
      'a sum by page by a property',
      MeasuresInput,
      { filter_prop_plan: 'x' },
      'filter_prop_plan',
      'takes `filter_page`',
    ],
    [
      'the last minutes by a property',
      LiveInput,
      { filter_prop_plan: 'x' },
      'filter_prop_plan',
      'not a known field',
    ],
  ])('with %s is refused', (_, schema, query, path, rule) => {
    expect(detailsOf(schema, query)).toEqual([{ path, message: expect.stringContaining(rule) }]);
  });
});
