/**
 * Words that come with the views that need them, in the page's language only. `words/<group>.ts` waits for them as a module, so that a view
 * which imports it is never drawn without. `lazyView` names the groups too, which lets the browser fetch them beside the view.
 */
import type { Language } from '../../../lib/languages.ts';
import { language } from './index.ts';

const GROUPS = {
  adding: {
    en: () => import('./en/adding.ts'),
    es: () => import('./es/adding.ts'),
    'pt-PT': () => import('./pt/adding.ts'),
  },
  alerts: {
    en: () => import('./en/alerts.ts'),
    es: () => import('./es/alerts.ts'),
    'pt-PT': () => import('./pt/alerts.ts'),
  },
  backend: {
    en: () => import('./en/backend.ts'),
    es: () => import('./es/backend.ts'),
    'pt-PT': () => import('./pt/backend.ts'),
  },
  behaviour: {
    en: () => import('./en/behaviour.ts'),
    es: () => import('./es/behaviour.ts'),
    'pt-PT': () => import('./pt/behaviour.ts'),
  },
  goals: {
    en: () => import('./en/goals.ts'),
    es: () => import('./es/goals.ts'),
    'pt-PT': () => import('./pt/goals.ts'),
  },
  imports: {
    en: () => import('./en/imports.ts'),
    es: () => import('./es/imports.ts'),
    'pt-PT': () => import('./pt/imports.ts'),
  },
  messages: {
    en: () => import('./en/messages.ts'),
    es: () => import('./es/messages.ts'),
    'pt-PT': () => import('./pt/messages.ts'),
  },
  people: {
    en: () => import('./en/people.ts'),
    es: () => import('./es/people.ts'),
    'pt-PT': () => import('./pt/people.ts'),
  },
  settings: {
    en: () => import('./en/settings.ts'),
    es: () => import('./es/settings.ts'),
    'pt-PT': () => import('./pt/settings.ts'),
  },
} as const satisfies Record<string, Record<Language, () => Promise<object>>>;

export type WordGroup = keyof typeof GROUPS;
type WordsOf<Group extends WordGroup> = Awaited<ReturnType<(typeof GROUPS)[Group]['en']>>;

/** The module of a group. The browser loads it once, however often it is asked for. */
export const loadGroup = <Group extends WordGroup>(group: Group): Promise<WordsOf<Group>> =>
  GROUPS[group][language]() as Promise<WordsOf<Group>>;
