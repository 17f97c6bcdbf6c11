import { loadGroup } from './load-words.ts';

export const { adding: addingWords } = await loadGroup('adding');
