import type { AlertMetric } from '../alert-fields.ts';

/** What alerts watch, in Spanish: for the dashboard and for messages. */
export const metricNames: Record<AlertMetric, string> = {
  visitors_now: 'Visitantes ahora',
  visits: 'Visitas',
  pageviews: 'Páginas vistas',
  conversions: 'Conversiones',
  conversion_rate: 'Tasa de conversión',
  revenue: 'Ingresos',
  events: 'Eventos',
  dropped: 'Eventos rechazados',
  error_rate: 'Tasa de errores',
  requests: 'Peticiones',
  p50: 'Duración mediana',
  p95: 'Duración en p95',
  p99: 'Duración en p99',
  logs: 'Registros de log',
  metric: 'Métrica del catálogo',
  outcomes: 'Resultados',
  silence: 'Silencio de un servicio',
  new_error: 'Errores nuevos',
  returned_error: 'Errores que vuelven',
};
