/** The words of reports by mail. */
import type { Language } from '../languages.ts';

export interface ReportWords {
  locale: string;
  title: (site: string) => string;
  visitors: string;
  visits: string;
  pageviews: string;
  bounceRate: string;
  noChange: string;
  /** Below the figures: what changes are against. */
  against: string;
  pages: string;
  sources: string;
  goals: string;
  apart: (count: string) => string;
  nothing: string;
  noRows: string;
  dropped: (count: string) => string;
  segment: (name: string) => string;
  open: string;
  why: string;
  unsubscribe: string;
}

export const REPORT_WORDS: Record<Language, ReportWords> = {
  en: {
    locale: 'en-GB',
    title: (site) => `${site}: report`,
    visitors: 'Visitors',
    visits: 'Visits',
    pageviews: 'Page views',
    bounceRate: 'Bounce rate',
    noChange: 'no comparison',
    against: 'Changes are against the same length just before.',
    pages: 'Top pages (page views)',
    sources: 'Top sources (visits)',
    goals: 'Goals (visits that reached them)',
    apart: (count) => `and ${count} that can’t be tied to visits`,
    nothing: 'Nothing was observed in this time. Is the script in the page?',
    noRows: 'None',
    dropped: (count) => `Events that weren’t counted, such as those of robots and other hosts: ${count}`,
    segment: (name) => `Only the segment “${name}”.`,
    open: 'Open the report',
    why: 'You get this report because you confirmed this address.',
    unsubscribe: 'End this report',
  },
  es: {
    locale: 'es-ES',
    title: (site) => `${site}: informe`,
    visitors: 'Visitantes',
    visits: 'Visitas',
    pageviews: 'Páginas vistas',
    bounceRate: 'Tasa de rebote',
    noChange: 'sin comparación',
    against: 'Los cambios son frente al mismo tiempo justo antes.',
    pages: 'Páginas principales (páginas vistas)',
    sources: 'Fuentes principales (visitas)',
    goals: 'Objetivos (visitas que los alcanzaron)',
    apart: (count) => `y ${count} que no se pueden unir a visitas`,
    nothing: 'No se ha observado nada en este tiempo. ¿Está el script en la página?',
    noRows: 'Ninguno',
    dropped: (count) => `Eventos no contados, como los de robots y otros dominios: ${count}`,
    segment: (name) => `Solo el segmento «${name}».`,
    open: 'Abrir el informe',
    why: 'Recibes este informe porque confirmaste esta dirección.',
    unsubscribe: 'No recibir más este informe',
  },
  'pt-PT': {
    locale: 'pt-PT',
    title: (site) => `${site}: relatório`,
    visitors: 'Visitantes',
    visits: 'Visitas',
    pageviews: 'Páginas vistas',
    bounceRate: 'Taxa de rejeição',
    noChange: 'sem comparação',
    against: 'As variações são face ao mesmo tempo imediatamente antes.',
    pages: 'Páginas principais (páginas vistas)',
    sources: 'Origens principais (visitas)',
    goals: 'Objetivos (visitas que os alcançaram)',
    apart: (count) => `e ${count} que não se podem ligar a visitas`,
    nothing: 'Nada foi observado neste tempo. O script está na página?',
    noRows: 'Nenhum',
    dropped: (count) => `Eventos não contados, como os de robôs e outros domínios: ${count}`,
    segment: (name) => `Apenas o segmento «${name}».`,
    open: 'Abrir o relatório',
    why: 'Recebe este relatório porque confirmou este endereço.',
    unsubscribe: 'Terminar este relatório',
  },
};
