import { loadGroup } from './load-words.ts';

export const { behaviour: behaviourWords } = await loadGroup('behaviour');
