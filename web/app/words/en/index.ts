import { frame } from './frame.ts';
import { site } from './site.ts';

export const words = { ...frame, ...site };

export type Words = typeof words;
