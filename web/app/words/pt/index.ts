import type { Words } from '../en/index.ts';
import { backend } from './backend.ts';
import { frame } from './frame.ts';
import { site } from './site.ts';

export const words: Words = { ...frame, ...site, backend };
