import { loadGroup } from './load-words.ts';

export const { people: peopleWords } = await loadGroup('people');
