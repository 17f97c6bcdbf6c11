import { forms } from './forms.ts';
import { frame } from './frame.ts';
import { site } from './site.ts';

/** Words of what is loaded first. Those of other views come with them: `../load-words.ts`. */
export const words = { ...frame, ...forms, ...site };

export type Words = typeof words;
