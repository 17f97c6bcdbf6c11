import { backendWords } from '../words/backend.ts';

const NAMES = ['unspecified', 'trace', 'debug', 'info', 'warn', 'error', 'fatal'] as const;
export type SeverityName = (typeof NAMES)[number];

/** The name of a severity number: 1 to 4 is trace, 5 to 8 debug, and so on. */
export const severityName = (number: number): SeverityName => NAMES[Math.ceil(number / 4)] ?? 'unspecified';

/** The severity of a log record in a word, with its colour. */
export const Severity = ({ number }: { number: number }) => (
  <span class={`severity ${severityName(number)}`}>{backendWords.severities[severityName(number)]}</span>
);
