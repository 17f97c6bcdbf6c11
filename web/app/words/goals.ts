import { loadGroup } from './load-words.ts';

export const { goals: goalWords } = await loadGroup('goals');
