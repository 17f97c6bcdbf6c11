import { expect, test } from 'vitest';
import { readContent } from '../../../tooling/content/read-content.ts';
import { edit, makeContent, SERVICE, SOUND } from './content-folder.ts';

async function textOf(type: string, files = SOUND): Promise<string | undefined> {
  const { entries } = await readContent(await makeContent(files));
  return entries.find((entry) => entry.type === type)?.text;
}

test('a service', async () => {
  expect(await textOf('service')).toBe(`We build shops.

Then we watch.

- **Price:** from €14,000
- **Timeline:** 10 weeks

## What is included

- Design
- Build

## What is not included

- Photographs

## How we work

1. **Talk.** One week.

## Questions

### Why?

Because.`);
});

test('a service that excludes nothing, with a step of two paragraphs and one that ends by itself', async () => {
  const process = `      - step: Talk?
        detail: |
          One week.

          - at yours
          - at ours
      - step: Build
        detail: Then.`;
  const shorter = edit(SERVICE, '    excludes: [Photographs]\n', '');
  const service = edit(shorter, '      - step: Talk\n        detail: One week.', process);
  const text = await textOf('service', { ...SOUND, 'services/online-shop.yaml': service });
  expect(text).not.toContain('not included');
  expect(text).toContain(`1. **Talk?** One week.

   - at yours
   - at ours
2. **Build.** Then.
`);
});

test('a product, in Portuguese', async () => {
  expect(await textOf('product')).toBe(`Mede.

- **Preço:** 9 € por mês
- **Apoio:** por correio eletrónico

## O que faz

- Relatório diário

## O que é preciso

- Um endereço público

## Perguntas

### Funciona?

Sim.`);
});

test('business facts, in Spanish', async () => {
  expect(await textOf('business')).toBe(`Somos diecinueve.

## La empresa

- **Fundación:** 2014

## Preguntas

### ¿Dónde estáis?

En Oporto.`);
});

test('a case study begins with its facts', async () => {
  expect(await textOf('case-study')).toBe(`- **Client:** Museu do Sal
- **Sector:** Museums
- **Year:** 2025
- **Result:** Tickets sell.

## What was there

A leaflet.`);
});

test('a guide is its body', async () => {
  expect(await textOf('guide')).toBe('Choose one.\n\n## Then\n\nStop.');
});

test('a guide keeps the indentation of its first line', async () => {
  const guide = edit(String(SOUND['guides/fonts/en.md']), 'Choose one.', '\n    code\n\nChoose one.');
  expect(await textOf('guide', { ...SOUND, 'guides/fonts/en.md': guide })).toMatch(/^ {4}code\n\nChoose/);
});
