/** Headings and phrases that the build adds to a record's text. */
import type { Language } from '../../lib/languages.ts';

interface Phrases {
  includes: string;
  excludes: string;
  process: string;
  timeline: string;
  price: string;
  questions: string;
  features: string;
  requirements: string;
  support: string;
  client: string;
  sector: string;
  year: string;
  result: string;
}

export const PHRASES: Record<Language, Phrases> = {
  en: {
    includes: 'What is included',
    excludes: 'What is not included',
    process: 'How we work',
    timeline: 'Timeline',
    price: 'Price',
    questions: 'Questions',
    features: 'What it does',
    requirements: 'What it needs',
    support: 'Support',
    client: 'Client',
    sector: 'Sector',
    year: 'Year',
    result: 'Result',
  },
  es: {
    includes: 'Qué incluye',
    excludes: 'Qué no incluye',
    process: 'Cómo trabajamos',
    timeline: 'Plazo',
    price: 'Precio',
    questions: 'Preguntas',
    features: 'Qué hace',
    requirements: 'Qué necesita',
    support: 'Soporte',
    client: 'Cliente',
    sector: 'Sector',
    year: 'Año',
    result: 'Resultado',
  },
  'pt-PT': {
    includes: 'O que inclui',
    excludes: 'O que não inclui',
    process: 'Como trabalhamos',
    timeline: 'Prazo',
    price: 'Preço',
    questions: 'Perguntas',
    features: 'O que faz',
    requirements: 'O que é preciso',
    support: 'Apoio',
    client: 'Cliente',
    sector: 'Setor',
    year: 'Ano',
    result: 'Resultado',
  },
};
