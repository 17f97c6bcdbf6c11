import type { Language } from '../../lib/languages.ts';

/** Queries of people and agents: single words, beginnings, typing errors, questions, and one of the maximum length. */
export const QUERIES: Record<Language, readonly string[]> = {
  en: [
    'accessibility',
    'accesibility audit',
    'website redesign cost',
    'online shop',
    'co',
    'how do I choose a CMS',
    'image weight budget',
    'content strategy for a museum',
    'cookie consent without dark patterns',
    'migrat',
    'who looks after the site when it is finished, what does it cost a month, and what happens at night or on a holiday when the shop stops taking orders and nobody at the agency answers the telephone there?',
  ],
  es: [
    'accesibilidad',
    'auditoria de accesibilidad',
    'cuánto cuesta una tienda online',
    'mantenimiento web',
    'fo',
    'cómo elegir un gestor de contenidos',
    'estratejia de contenidos',
    'cambiar de dominio sin perder posiciones',
  ],
  'pt-PT': [
    'acessibilidade',
    'auditoria de acesibilidade',
    'quanto custa um sítio novo',
    'loja em linha',
    'ma',
    'como escolher um gestor de conteúdos',
    'formação para a equipa',
    'consentimento de cookies sem truques',
  ],
};
