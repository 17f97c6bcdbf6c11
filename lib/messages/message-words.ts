/** The words of messages in each language. */
import type { AlertMetric, Compare } from '../alerts/alert-fields.ts';
import { metricNames as enMetrics } from '../alerts/metric-names/en.ts';
import { metricNames as esMetrics } from '../alerts/metric-names/es.ts';
import { metricNames as ptMetrics } from '../alerts/metric-names/pt.ts';
import type { Language } from '../languages.ts';

export interface MessageWords {
  locale: string;
  firing: (alert: string, where: string) => string;
  over: (alert: string, where: string) => string;
  /** What an alert watches; the figure is beside it. */
  metrics: Record<AlertMetric, string>;
  several: (count: number) => string;
  value: (metric: string, value: string) => string;
  noValue: (metric: string) => string;
  threshold: Record<Compare, (threshold: string, minutes: number) => string>;
  baseline: (value: string) => string;
  changed: string;
  since: (time: string) => string;
  open: string;
  reportReady: (site: string, from: string, to: string) => string;
  importFinished: (site: string) => string;
  importRange: (from: string, to: string) => string;
  firstVisit: (site: string) => string;
  firstVisitMore: string;
  outcome: (type: string, environment: string) => string;
  amount: (value: string) => string;
  paused: (channel: string, project: string) => string;
  pausedGone: string;
  pausedFailures: (since: string) => string;
  pausedNext: string;
  test: (channel: string) => string;
  testMore: string;
  confirmSubject: string;
  /** `by`: the address of whoever asks; null: not known. */
  confirmAsked: (by: string | null) => string;
  confirmNext: string;
  confirmButton: string;
  whyMail: string;
  unsubscribe: string;
}

const en: MessageWords = {
  locale: 'en-GB',
  firing: (alert, where) => `Alert: ${alert}, ${where}`,
  over: (alert, where) => `Over: ${alert}, ${where}`,
  metrics: enMetrics,
  several: (count) => `${count} alerts`,
  value: (metric, value) => `${metric}: ${value}`,
  noValue: (metric) => `${metric}: no data`,
  threshold: {
    above: (threshold, minutes) => `The alert fires above ${threshold} in ${minutes} min.`,
    below: (threshold, minutes) => `The alert fires below ${threshold} in ${minutes} min.`,
    rose_by: (threshold, minutes) => `The alert fires at a rise of ${threshold} % over ${minutes} min.`,
    fell_by: (threshold, minutes) => `The alert fires at a fall of ${threshold} % over ${minutes} min.`,
    silent: (_, minutes) => `The alert fires after ${minutes} min without anything.`,
  },
  baseline: (value) => `Usual at this time: ${value}`,
  changed: 'What changed most:',
  since: (time) => `Since ${time} UTC`,
  open: 'Open the dashboard',
  reportReady: (site, from, to) => `${site}: the report of ${from} to ${to} is ready`,
  importFinished: (site) => `${site}: the import is finished`,
  importRange: (from, to) => `Days from ${from} to ${to} are in the reports.`,
  firstVisit: (site) => `${site}: the first visit was counted`,
  firstVisitMore: 'The script is in the page and works.',
  outcome: (type, environment) => `${type} was confirmed in ${environment}`,
  amount: (value) => `Value: ${value}`,
  paused: (channel, project) => `The channel ${channel} of ${project} is paused`,
  pausedGone: 'Its receiver answered 410: it is gone. Nothing more is sent to it.',
  pausedFailures: (since) => `It has accepted nothing since ${since} UTC. Nothing more is sent to it.`,
  pausedNext: 'Mend the receiver, then resume the channel in the dashboard.',
  test: (channel) => `A test of the channel ${channel}`,
  testMore: 'This message arrived, so others will too.',
  confirmSubject: 'May we send you messages?',
  confirmAsked: (by) =>
    `${by ?? 'Somebody'} wants to send messages of a project, such as alerts and reports, to this address.`,
  confirmNext:
    'If you want them, open the link and press the button. If not, do nothing: nothing else is sent to you.',
  confirmButton: 'Read more and confirm',
  whyMail: 'You get this mail because you confirmed this address.',
  unsubscribe: 'End these mails',
};

const es: MessageWords = {
  locale: 'es-ES',
  firing: (alert, where) => `Alerta: ${alert}, ${where}`,
  over: (alert, where) => `Terminada: ${alert}, ${where}`,
  metrics: esMetrics,
  several: (count) => `${count} alertas`,
  value: (metric, value) => `${metric}: ${value}`,
  noValue: (metric) => `${metric}: sin datos`,
  threshold: {
    above: (threshold, minutes) => `La alerta salta por encima de ${threshold} en ${minutes} min.`,
    below: (threshold, minutes) => `La alerta salta por debajo de ${threshold} en ${minutes} min.`,
    rose_by: (threshold, minutes) => `La alerta salta si sube un ${threshold} % en ${minutes} min.`,
    fell_by: (threshold, minutes) => `La alerta salta si baja un ${threshold} % en ${minutes} min.`,
    silent: (_, minutes) => `La alerta salta tras ${minutes} min sin nada.`,
  },
  baseline: (value) => `Lo habitual a esta hora: ${value}`,
  changed: 'Lo que más ha cambiado:',
  since: (time) => `Desde ${time} UTC`,
  open: 'Abrir el panel',
  reportReady: (site, from, to) => `${site}: el informe del ${from} al ${to} está listo`,
  importFinished: (site) => `${site}: la importación ha terminado`,
  importRange: (from, to) => `Los días del ${from} al ${to} están en los informes.`,
  firstVisit: (site) => `${site}: se ha contado la primera visita`,
  firstVisitMore: 'El script está en la página y funciona.',
  outcome: (type, environment) => `${type} confirmado en ${environment}`,
  amount: (value) => `Valor: ${value}`,
  paused: (channel, project) => `El canal ${channel} de ${project} está en pausa`,
  pausedGone: 'Su receptor respondió 410: ya no existe. No se le envía nada más.',
  pausedFailures: (since) => `No ha aceptado nada desde ${since} UTC. No se le envía nada más.`,
  pausedNext: 'Arregla el receptor y reanuda el canal en el panel.',
  test: (channel) => `Prueba del canal ${channel}`,
  testMore: 'Este mensaje ha llegado, así que los demás también llegarán.',
  confirmSubject: '¿Podemos enviarte mensajes?',
  confirmAsked: (by) =>
    `${by ?? 'Alguien'} quiere enviar a esta dirección mensajes de un proyecto, como alertas e informes.`,
  confirmNext:
    'Si los quieres, abre el enlace y pulsa el botón. Si no, no hagas nada: no se te envía nada más.',
  confirmButton: 'Leer más y confirmar',
  whyMail: 'Recibes este correo porque confirmaste esta dirección.',
  unsubscribe: 'No recibir más estos correos',
};

const pt: MessageWords = {
  locale: 'pt-PT',
  firing: (alert, where) => `Alerta: ${alert}, ${where}`,
  over: (alert, where) => `Terminado: ${alert}, ${where}`,
  metrics: ptMetrics,
  several: (count) => `${count} alertas`,
  value: (metric, value) => `${metric}: ${value}`,
  noValue: (metric) => `${metric}: sem dados`,
  threshold: {
    above: (threshold, minutes) => `O alerta dispara acima de ${threshold} em ${minutes} min.`,
    below: (threshold, minutes) => `O alerta dispara abaixo de ${threshold} em ${minutes} min.`,
    rose_by: (threshold, minutes) => `O alerta dispara com uma subida de ${threshold} % em ${minutes} min.`,
    fell_by: (threshold, minutes) => `O alerta dispara com uma descida de ${threshold} % em ${minutes} min.`,
    silent: (_, minutes) => `O alerta dispara após ${minutes} min sem nada.`,
  },
  baseline: (value) => `Habitual a esta hora: ${value}`,
  changed: 'O que mais mudou:',
  since: (time) => `Desde ${time} UTC`,
  open: 'Abrir o painel',
  reportReady: (site, from, to) => `${site}: o relatório de ${from} a ${to} está pronto`,
  importFinished: (site) => `${site}: a importação terminou`,
  importRange: (from, to) => `Os dias de ${from} a ${to} estão nos relatórios.`,
  firstVisit: (site) => `${site}: foi contada a primeira visita`,
  firstVisitMore: 'O script está na página e funciona.',
  outcome: (type, environment) => `${type} confirmado em ${environment}`,
  amount: (value) => `Valor: ${value}`,
  paused: (channel, project) => `O canal ${channel} de ${project} está em pausa`,
  pausedGone: 'O recetor respondeu 410: já não existe. Nada mais lhe é enviado.',
  pausedFailures: (since) => `Não aceitou nada desde ${since} UTC. Nada mais lhe é enviado.`,
  pausedNext: 'Repare o recetor e retome o canal no painel.',
  test: (channel) => `Teste do canal ${channel}`,
  testMore: 'Esta mensagem chegou, por isso as outras também chegarão.',
  confirmSubject: 'Podemos enviar-lhe mensagens?',
  confirmAsked: (by) =>
    `${by ?? 'Alguém'} quer enviar para este endereço mensagens de um projeto, como alertas e relatórios.`,
  confirmNext:
    'Se as quiser, abra a ligação e carregue no botão. Se não, não faça nada: nada mais lhe é enviado.',
  confirmButton: 'Ler mais e confirmar',
  whyMail: 'Recebe este correio porque confirmou este endereço.',
  unsubscribe: 'Terminar estes correios',
};

export const MESSAGE_WORDS: Record<Language, MessageWords> = { en, es, 'pt-PT': pt };
