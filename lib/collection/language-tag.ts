import { RecentMap } from '../recent-map.ts';

const MAX_TAG_LENGTH = 35;

/** Spellings so far: visitors share few languages, and to spell one costs a twelfth of a page view's CPU. */
const spelled = new RecentMap<string, string | undefined>(500);

/** The BCP 47 tag, in its usual spelling, of a browser's language (`en-us`, `en-US@posix`). Absent if it isn't a language tag. */
export function languageTag(raw: string | undefined): string | undefined {
  if (raw === undefined) return undefined;
  if (!spelled.has(raw)) spelled.set(raw, spell(raw));
  return spelled.get(raw);
}

function spell(raw: string): string | undefined {
  const [tag] = raw.split(/[@.]/);
  if (tag === undefined || tag === '') return undefined;
  try {
    const canonical = Intl.getCanonicalLocales(tag)[0];
    return canonical === undefined || canonical.length > MAX_TAG_LENGTH ? undefined : canonical;
  } catch {
    return undefined;
  }
}
