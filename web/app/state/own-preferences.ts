/** What a person prefers in this browser alone, and which shares it may open. A page in another page's frame may have no storage: then the defaults hold. */

export const CLOCKS = ['auto', 'h12', 'h23'] as const;
/** How times of day are written: as usual in the language, 1 to 12, or 0 to 23. */
export type Clock = (typeof CLOCKS)[number];

const CLOCK = 'vendor.clock';
const SHORTCUTS = 'vendor.shortcuts';

function read(name: string): string | null {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}

function write(name: string, value: string): void {
  try {
    localStorage.setItem(name, value);
  } catch {
    // It holds until the page is left.
  }
}

const isClock = (text: string | null): text is Clock => CLOCKS.some((clock) => clock === text);

const stored = read(CLOCK);
let clock: Clock = isClock(stored) ? stored : 'auto';
let hasShortcuts = read(SHORTCUTS) !== 'off';

export const chosenClock = (): Clock => clock;

export function chooseClock(chosen: Clock): void {
  clock = chosen;
  write(CLOCK, chosen);
}

/** Whether single keys do something (WCAG 2.1.4). Keys that aren't characters always do. */
export const shortcutsOn = (): boolean => hasShortcuts;

export function switchShortcuts(on: boolean): void {
  hasShortcuts = on;
  write(SHORTCUTS, on ? 'on' : 'off');
}

/** Whether a key that was pressed may do what it does here: alone, and a character only if the person wants shortcuts. */
export const isShortcut = ({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean =>
  !ctrlKey && !metaKey && !altKey && (hasShortcuts || key.length > 1);

const unlockOf = (secret: string): string => `vendor.share.${secret}`;

/** The token that opens a share with a password, until it ends. */
export function keptUnlock(secret: string): string | undefined {
  try {
    const { token, expiresAt } = JSON.parse(read(unlockOf(secret)) ?? '{}');
    return Date.parse(expiresAt) > Date.now() ? String(token) : undefined;
  } catch {
    return undefined;
  }
}

export const keepUnlock = (secret: string, unlock: { token: string; expiresAt: string }): void =>
  write(unlockOf(secret), JSON.stringify(unlock));
