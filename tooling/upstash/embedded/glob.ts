/** Whether text matches a pattern of Redis: `*`, `?`, `[a-z]`, `[^a]`, and `\` before a literal. */
export function matchesGlob(glob: string, text: string): boolean {
  let at = 0;
  let star = -1;
  let starred = 0;
  for (let i = 0; i < text.length; ) {
    const next = glob[at] === '*' ? undefined : afterOne(glob, at, text[i] ?? '');
    if (glob[at] === '*') {
      star = at;
      starred = i;
      at += 1;
    } else if (next !== undefined) {
      at = next;
      i += 1;
    } else if (star >= 0) {
      // The last star takes one more.
      starred += 1;
      i = starred;
      at = star + 1;
    } else {
      return false;
    }
  }
  while (glob[at] === '*') at += 1;
  return at >= glob.length;
}

/** Where the pattern goes on if what is at `at` takes the character. */
function afterOne(glob: string, at: number, character: string): number | undefined {
  switch (glob[at]) {
    case '?':
      return at + 1;
    case '[':
      return afterClass(glob, at, character);
    case '\\':
      return at + 1 < glob.length
        ? taken(glob[at + 1] === character, at + 2)
        : taken(character === '\\', at + 1);
    default:
      return taken(glob[at] === character, at + 1);
  }
}

function afterClass(glob: string, start: number, character: string): number | undefined {
  const negated = glob[start + 1] === '^';
  let found = false;
  let at = start + (negated ? 2 : 1);
  while (at < glob.length && glob[at] !== ']') {
    if (glob[at] === '\\' && at + 1 < glob.length) at += 1;
    const from = glob[at] ?? '';
    const isRange = glob[at + 1] === '-' && at + 2 < glob.length;
    const to = isRange ? (glob[at + 2] ?? '') : from;
    found ||= from <= to ? from <= character && character <= to : to <= character && character <= from;
    at += isRange ? 3 : 1;
  }
  return taken(found !== negated, Math.min(at + 1, glob.length));
}

const taken = (matches: boolean, next: number): number | undefined => (matches ? next : undefined);
