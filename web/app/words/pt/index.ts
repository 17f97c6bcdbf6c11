import type { Words } from '../en/index.ts';
import { adding } from './adding.ts';
import { backend } from './backend.ts';
import { behaviour } from './behaviour.ts';
import { forms } from './forms.ts';
import { frame } from './frame.ts';
import { goals } from './goals.ts';
import { settings } from './settings.ts';
import { site } from './site.ts';

export const words: Words = {
  ...frame,
  ...forms,
  ...site,
  ...goals,
  ...behaviour,
  ...settings,
  ...adding,
  backend,
};
