import { alertWords } from '../../words/alerts.ts';
import type { Alert } from './alert-source.ts';

/** A state in words, with a mark of its own shape. */
export const StateBadge = ({ state }: { state: Alert['state'] }) => (
  <span class={`alert-state ${state}`}>{alertWords.states[state]}</span>
);
