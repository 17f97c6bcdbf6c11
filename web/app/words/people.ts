import { loadGroup } from './load-words.ts';

const { people } = await loadGroup('people');
/** The service keeps its mails instead of sending them (functions/dashboard/shell.ts). */
const kept = document.documentElement.dataset.mails === 'kept' ? people.kept : undefined;

export const peopleWords = {
  ...people,
  account: { ...people.account, ...kept?.account },
  members: { ...people.members, ...kept?.members },
};
