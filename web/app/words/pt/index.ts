import { forms } from './forms.ts';
import { frame } from './frame.ts';
import { site } from './site.ts';

export const words: import('../en/index.ts').Words = { ...frame, ...forms, ...site };
