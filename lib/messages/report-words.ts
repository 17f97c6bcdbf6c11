/** The words of reports by mail. */
import type { Language } from '../languages.ts';

export interface ReportWords {
  locale: string;
  title: (site: string) => string;
  range: (from: string, to: string) => string;
  visitors: string;
  visits: string;
  pageviews: string;
  bounceRate: string;
  noChange: string;
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
    range: (from, to) => (from === to ? from : `${from} to ${to}`),
    visitors: 'Visitors',
    visits: 'Visits',
    pageviews: 'Page views',
    bounceRate: 'Bounce rate',
    noChange: 'no comparison',
    pages: 'Top pages (page views)',
    sources: 'Top sources (visits)',
    goals: 'Goals (visits that reached them)',
    apart: (count) => `and ${count} that can’t be tied to visits`,
    nothing: 'Nothing was observed in these days. Is the script in the page?',
    noRows: 'None',
    dropped: (count) => `Not counted: ${count} events, such as robots and other hosts.`,
    segment: (name) => `Only the segment “${name}”.`,
    open: 'Open the report',
    why: 'You get this report because you confirmed this address.',
    unsubscribe: 'End this report',
  },
  es: {
    locale: 'es-ES',
    title: (site) => `${site}: informe`,
    range: (from, to) => (from === to ? from : `del ${from} al ${to}`),
    visitors: 'Visitantes',
    visits: 'Visitas',
    pageviews: 'Páginas vistas',
    bounceRate: 'Tasa de rebote',
    noChange: 'sin comparación',
    pages: 'Páginas principales (páginas vistas)',
    sources: 'Fuentes principales (visitas)',
    goals: 'Objetivos (visitas que los alcanzaron)',
    apart: (count) => `y ${count} que no se pueden unir a visitas`,
    nothing: 'No se ha observado nada en estos días. ¿Está el script en la página?',
    noRows: 'Ninguno',
    dropped: (count) => `No contados: ${count} eventos, como robots y otros dominios.`,
    segment: (name) => `Solo el segmento «${name}».`,
    open: 'Abrir el informe',
    why: 'Recibes este informe porque confirmaste esta dirección.',
    unsubscribe: 'No recibir más este informe',
  },
  'pt-PT': {
    locale: 'pt-PT',
    title: (site) => `${site}: relatório`,
    range: (from, to) => (from === to ? from : `de ${from} a ${to}`),
    visitors: 'Visitantes',
    visits: 'Visitas',
    pageviews: 'Páginas vistas',
    bounceRate: 'Taxa de rejeição',
    noChange: 'sem comparação',
    pages: 'Páginas principais (páginas vistas)',
    sources: 'Origens principais (visitas)',
    goals: 'Objetivos (visitas que os alcançaram)',
    apart: (count) => `e ${count} que não se podem ligar a visitas`,
    nothing: 'Nada foi observado nestes dias. O script está na página?',
    noRows: 'Nenhum',
    dropped: (count) => `Não contados: ${count} eventos, como robôs e outros domínios.`,
    segment: (name) => `Apenas o segmento «${name}».`,
    open: 'Abrir o relatório',
    why: 'Recebe este relatório porque confirmou este endereço.',
    unsubscribe: 'Terminar este relatório',
  },
};
