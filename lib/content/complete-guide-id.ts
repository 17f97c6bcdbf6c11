import { DEFAULT_LANGUAGE, isLanguage } from '../languages.ts';
import type { ContentContext } from './content-context.ts';
import { unlessAway } from './guides-away.ts';

/** MCP allows at most 100 values in a completion. */
const MAX_VALUES = 100;

/**
 * Ids of the guides that begin with the given text, for the template of guide resources: in the chosen language, or in English. Empty
 * while guides are unavailable.
 */
export async function completeGuideId(
  ctx: ContentContext,
  prefix: string,
  language: string = DEFAULT_LANGUAGE,
): Promise<string[]> {
  if (!isLanguage(language)) return [];
  const listing = await unlessAway(ctx, () => ctx.guides.list(language));
  const ids = (listing?.entries ?? []).map(({ id }) => id).filter((id) => id.startsWith(prefix));
  return ids.slice(0, MAX_VALUES);
}
