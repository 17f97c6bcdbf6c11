import { loadGroup } from './load-words.ts';

export const { alerts: alertWords } = await loadGroup('alerts');
