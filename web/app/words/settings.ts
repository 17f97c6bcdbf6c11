import { loadGroup } from './load-words.ts';

export const { settings: settingsWords } = await loadGroup('settings');
