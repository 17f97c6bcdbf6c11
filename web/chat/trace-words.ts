/** The words of the view of a trace. */
import type { InLanguages } from './words.ts';

const en = {
  trace: 'Trace',
  journey: 'Journey of a trace',
  spans: 'Spans',
  errors: 'Errors',
  services: 'Services',
  duration: 'Duration',
  critical: 'Critical path: the spans that took the time',
  allSpans: 'Spans in their time',
  firstSpans: 'The first spans in their time; the answer has more pages',
  truncated: 'The trace has more spans than an answer holds.',
  missing: 'not received',
  failed: 'failed',
  ofPath: 'of the critical path',
  remote: 'Calls',
  logs: 'Logs',
  moreLogs: 'Only some logs of the trace are here.',
  pageViews: 'Page views of the visit',
  noPage: 'No page reported this trace.',
  outcomes: 'Confirmed outcomes',
};
export type TraceWords = typeof en;

const es: TraceWords = {
  trace: 'Traza',
  journey: 'Recorrido de una traza',
  spans: 'Spans',
  errors: 'Errores',
  services: 'Servicios',
  duration: 'Duración',
  critical: 'Ruta crítica: los spans que ocuparon el tiempo',
  allSpans: 'Los spans en su tiempo',
  firstSpans: 'Los primeros spans en su tiempo; la respuesta tiene más páginas',
  truncated: 'La traza tiene más spans de los que caben en una respuesta.',
  missing: 'no recibido',
  failed: 'con error',
  ofPath: 'de la ruta crítica',
  remote: 'Llama a',
  logs: 'Registros',
  moreLogs: 'Solo están algunos registros de la traza.',
  pageViews: 'Páginas vistas de la visita',
  noPage: 'Ninguna página informó de esta traza.',
  outcomes: 'Resultados confirmados',
};

const pt: TraceWords = {
  trace: 'Rasto',
  journey: 'Percurso de um rasto',
  spans: 'Spans',
  errors: 'Erros',
  services: 'Serviços',
  duration: 'Duração',
  critical: 'Caminho crítico: os spans que ocuparam o tempo',
  allSpans: 'Os spans no seu tempo',
  firstSpans: 'Os primeiros spans no seu tempo; a resposta tem mais páginas',
  truncated: 'O rasto tem mais spans do que cabem numa resposta.',
  missing: 'não recebido',
  failed: 'com erro',
  ofPath: 'do caminho crítico',
  remote: 'Chama',
  logs: 'Registos',
  moreLogs: 'Só estão alguns registos do rasto.',
  pageViews: 'Páginas vistas da visita',
  noPage: 'Nenhuma página comunicou este rasto.',
  outcomes: 'Resultados confirmados',
};

export const TRACE_WORDS: InLanguages<TraceWords> = { en, es, 'pt-PT': pt };
