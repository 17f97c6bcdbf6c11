import type { AlertMetric } from '../alert-fields.ts';

/** What alerts watch, in European Portuguese: for the dashboard and for messages. */
export const metricNames: Record<AlertMetric, string> = {
  visitors_now: 'Visitantes agora',
  visits: 'Visitas',
  pageviews: 'Páginas vistas',
  conversions: 'Conversões',
  conversion_rate: 'Taxa de conversão',
  revenue: 'Receita',
  events: 'Eventos',
  dropped: 'Eventos recusados',
  error_rate: 'Taxa de erros',
  requests: 'Pedidos',
  p50: 'Duração mediana',
  p95: 'Duração no p95',
  p99: 'Duração no p99',
  logs: 'Registos de log',
  metric: 'Métrica do catálogo',
  outcomes: 'Resultados',
  silence: 'Silêncio de um serviço',
  new_error: 'Erros novos',
  returned_error: 'Erros que voltam',
};
