import type { PublicLists } from '../../lib/collection/lists/public-lists.ts';
import type { Origin } from './list-origins.ts';

/** The module with the lists. A comment above them names their origins. */
export function renderPublicLists(lists: PublicLists, origins: readonly Origin[]): string {
  const sources = origins.map(
    ({ repository, commit, date, licence }) =>
      ` * - https://github.com/${repository} at ${commit} (${date}), ${licence}\n`,
  );
  const sourceLines =
    origins.length === 0
      ? ' * Nothing yet: our own lists stand alone.\n'
      : ` * Trimmed from:\n${sources.join('')}`;
  return `/**
 * Written by \`npm run lists\`: what our own lists lack of public ones.
${sourceLines} */
import type { PublicLists } from './public-lists.ts';

export const PUBLIC_LISTS: PublicLists = ${JSON.stringify(lists, null, 2)};
`;
}
