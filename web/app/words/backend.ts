import { loadGroup } from './load-words.ts';

export const { backend: backendWords } = await loadGroup('backend');
