import { backend } from './backend.ts';
import { frame } from './frame.ts';
import { site } from './site.ts';

export const words = { ...frame, ...site, backend };

export type Words = typeof words;
