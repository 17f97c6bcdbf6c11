import { loadGroup } from './load-words.ts';

export const { messages: messageWords } = await loadGroup('messages');
