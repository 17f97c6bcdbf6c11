import { expect, test } from 'vitest';
import { fold, nearest } from '../../lib/nearest.ts';
import { labelsOf, plainValue } from '../../lib/visits/value-names.ts';

const itself = (name: string) => [name];

test.each([
  ['bought', ['Read the journal', 'Bought a guitar', 'Put into the basket'], 'Bought a guitar'],
  ['shopapi', ['shop', 'shop-web', 'shop-api'], 'shop-api'],
  ['/prizing', ['/', '/pricing', '/docs/pricing'], '/pricing'],
  ['/pricing', ['/', '/about', '/en/pricing/plans'], '/en/pricing/plans'],
  ['Sao Paulo', ['Porto', 'São Paulo', 'Santos'], 'São Paulo'],
])('the nearest to %s among %j is %s', (asked, names, first) => {
  expect(nearest(asked, names, itself)[0]).toBe(first);
});

test('at most five are near', () => {
  const names = Array.from({ length: 20 }, (_, n) => `/page/${n}`);
  expect(nearest('/page/7', names, itself)).toHaveLength(5);
  expect(nearest('x', [], itself)).toEqual([]);
});

test('countries and languages have their names in several languages, countries their own', () => {
  for (const name of ['PT', 'Portugal']) expect(labelsOf('country', 'PT')).toContain(name);
  for (const name of ['Germany', 'Alemania', 'Alemanha']) expect(labelsOf('country', 'DE')).toContain(name);
  expect(labelsOf('country', 'GB')).toEqual(expect.arrayContaining(['UK', 'United Kingdom', 'Reino Unido']));
  for (const [country, names] of Object.entries({
    DE: ['Deutschland', 'Allemagne'],
    CH: ['Schweiz', 'Suisse', 'Suiza'],
    AT: ['Österreich'],
    IT: ['Italia'],
    FR: ['France'],
    US: ['USA', 'EUA', 'Estados Unidos'],
    BR: ['Brasil'],
    JP: ['日本'],
  }))
    expect(labelsOf('country', country)).toEqual(expect.arrayContaining(names));
  expect(labelsOf('device', 'mobile')).toEqual(expect.arrayContaining(['phone', 'celular', 'telemóvel']));
  expect(labelsOf('language', 'es')).toEqual(expect.arrayContaining(['Spanish', 'español', 'espanhol']));
  for (const value of ['Unknown', '(other)', 'pt', '12']) expect(labelsOf('country', value)).toEqual([value]);
  expect(labelsOf('language', '*')).toEqual(['*']);
});

test.each([
  ['https://example.com/pricing/?a=b#c', '/pricing'],
  ['pricing', '/pricing'],
  ['/', '/'],
  ['https://example.com', '/'],
])('the page %s is %s', (text, path) => {
  expect(plainValue('page', text)).toBe(path);
  expect(plainValue('source', text)).toBe(text);
});

test.each([
  ['google.com', 'Google'],
  ['https://www.google.com/search?q=a', 'Google'],
  ['twitter', 'X'],
  ['shop.example', 'shop.example'],
])('the source %s is %s', (text, source) => {
  expect(plainValue('source', text)).toBe(source);
});

test('letters and accents make no difference', () => {
  expect(fold(' ÉVORA ')).toBe('evora');
});
