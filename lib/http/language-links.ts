import { html, raw } from 'hono/html';
import { LANGUAGE_NAMES, LANGUAGES, type Language } from '../languages.ts';

/** A list, named `label`, of links to the same page in other languages; the one in `current` is marked. */
export const languageLinks = (
  label: string,
  current: Language,
  versions: readonly { language: Language; href: string }[],
) =>
  html`<ul aria-label="${label}">${versions.map(
    ({ language, href }) =>
      html`<li><a href="${href}" lang="${language}" hreflang="${language}"${language === current ? raw(' aria-current="page"') : ''}>${LANGUAGE_NAMES[language]}</a></li>`,
  )}</ul>`;

/** The same, for a page that is there in all languages. */
export const allLanguageLinks = (label: string, current: Language, hrefOf: (language: Language) => string) =>
  languageLinks(
    label,
    current,
    LANGUAGES.map((language) => ({ language, href: hrefOf(language) })),
  );
