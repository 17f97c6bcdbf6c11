/** Renders structured content as Markdown. The text omits the record's title and begins with what a reader needs first. */
import type { Language } from '../../lib/languages.ts';
import { PHRASES } from './phrases.ts';
import type { CaseStudy, FactsText, ProductText, ServiceText } from './record-schemas.ts';

export function renderService(text: ServiceText, language: Language): string {
  const phrases = PHRASES[language];
  return blocks(
    text.summary,
    facts([
      [phrases.price, text.price],
      [phrases.timeline, text.timeline],
    ]),
    section(phrases.includes, bullets(text.includes)),
    text.excludes && section(phrases.excludes, bullets(text.excludes)),
    section(phrases.process, steps(text.process)),
    questions(phrases.questions, text.questions),
  );
}

export function renderProduct(text: ProductText, language: Language): string {
  const phrases = PHRASES[language];
  return blocks(
    text.summary,
    facts([
      [phrases.price, text.price],
      [phrases.support, text.support],
    ]),
    section(phrases.features, bullets(text.features)),
    section(phrases.requirements, bullets(text.requirements)),
    questions(phrases.questions, text.questions),
  );
}

export function renderFacts(text: FactsText, language: Language): string {
  return blocks(
    text.summary,
    ...text.sections.map(({ title, facts: pairs }) =>
      section(title, facts(pairs.map(({ name, value }) => [name, value]))),
    ),
    questions(PHRASES[language].questions, text.questions),
  );
}

export function renderCaseStudy(study: CaseStudy, body: string, language: Language): string {
  const phrases = PHRASES[language];
  return blocks(
    facts([
      [phrases.client, study.client],
      [phrases.sector, study.sector],
      [phrases.year, String(study.year)],
      [phrases.result, study.result],
    ]),
    body,
  );
}

const blocks = (...parts: (string | undefined)[]): string => parts.filter(Boolean).join('\n\n');

const section = (heading: string, text: string): string => `## ${heading}\n\n${text}`;

const bullets = (items: readonly string[]): string => items.map((item) => `- ${item}`).join('\n');

const facts = (pairs: readonly (readonly [name: string, value: string])[]): string =>
  bullets(pairs.map(([name, value]) => `**${name}:** ${value}`));

const steps = (process: ServiceText['process']): string =>
  process
    .map(({ step, detail }, index) => item(`${index + 1}. `, `**${sentence(step)}** ${detail}`))
    .join('\n');

const questions = (heading: string, list: ServiceText['questions']): string =>
  section(heading, list.map(({ question, answer }) => `### ${question}\n\n${answer}`).join('\n\n'));

/** Further lines of an item are indented; otherwise they would end the list. */
const item = (marker: string, text: string): string =>
  marker + text.replaceAll(/\n(?!\n|$)/g, `\n${' '.repeat(marker.length)}`);

const sentence = (text: string): string => (/[.!?…:]$/.test(text) ? text : `${text}.`);
