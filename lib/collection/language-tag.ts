const MAX_TAG_LENGTH = 35;

/** The BCP 47 tag, in its usual spelling, of a browser's language (`en-us`, `en-US@posix`). Absent if it isn't a language tag. */
export function languageTag(raw: string | undefined): string | undefined {
  const tag = raw?.split(/[@.]/)[0];
  if (tag === undefined || tag === '') return undefined;
  try {
    const canonical = Intl.getCanonicalLocales(tag)[0];
    return canonical === undefined || canonical.length > MAX_TAG_LENGTH ? undefined : canonical;
  } catch {
    return undefined;
  }
}
