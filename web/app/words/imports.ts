import { loadGroup } from './load-words.ts';

export const { imports: importsWords } = await loadGroup('imports');
