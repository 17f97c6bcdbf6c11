/** Small content folders that tests write and break. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';

export type Files = Record<string, string | Uint8Array>;

export const SERVICE = `order: 1
updated: 2026-09-30
languages:
  en:
    title: Online shop
    description: A shop for small teams.
    path: /services/online-shop
    keywords: [shop, e-commerce]
    summary: |
      We build shops.

      Then we watch.
    includes:
      - Design
      - Build
    excludes: [Photographs]
    process:
      - step: Talk
        detail: One week.
    timeline: 10 weeks
    price: from €14,000
    questions:
      - question: Why?
        answer: Because.
`;

export const PRODUCT = `order: 1
languages:
  pt-PT:
    title: Maré
    description: Mede o peso das páginas.
    path: /pt/produtos/maré
    keywords: [peso, páginas]
    summary: Mede.
    features: [Relatório diário]
    requirements: [Um endereço público]
    price: 9 € por mês
    support: por correio eletrónico
    questions:
      - question: Funciona?
        answer: Sim.
`;

export const FACTS = `updated: 2026-10-01
languages:
  es:
    title: Quiénes somos
    description: La agencia en datos.
    path: /es/agencia
    keywords: [agencia, Oporto]
    summary: Somos diecinueve.
    sections:
      - title: La empresa
        facts:
          - { name: Fundación, value: "2014" }
    questions:
      - question: ¿Dónde estáis?
        answer: En Oporto.
`;

export const CASE_STUDY = `---
title: Salt museum
description: A site in two languages.
path: /case-studies/museu-do-sal
order: 1
keywords: [museum, tickets]
client: Museu do Sal
sector: Museums
year: 2025
result: Tickets sell.
---
## What was there

A leaflet.
`;

export const GUIDE = `---
title: Fonts
description: How to choose one.
path: /guides/fonts
updated: 2026-09-14
---
Choose one.

## Then

Stop.
`;

export const SOUND: Files = {
  'publisher.yaml': 'name: Cais Norte\nwebsite: https://www.caisnorte.example\n',
  'services/online-shop.yaml': SERVICE,
  'products/maré.yaml': PRODUCT,
  'business/facts.yaml': FACTS,
  'case-studies/museu-do-sal/en.md': CASE_STUDY,
  'guides/fonts/en.md': GUIDE,
};

/** Replaces a part of a text. Throws if the text doesn't have it. */
export function edit(text: string, from: string, to: string): string {
  if (!text.includes(from)) throw new Error(`the fixture has no ${from}`);
  return text.replace(from, () => to);
}

export async function writeFiles(root: string, files: Files): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), content);
  }
}

/** Creates a folder named `content` with these files. */
export async function makeContent(files: Files): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'content-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const root = join(folder, 'content');
  await mkdir(root);
  await writeFiles(root, files);
  return root;
}
