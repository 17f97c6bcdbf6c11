interface Window {
  /** Plausible's function; before the script has loaded a queue of the arguments of calls. */
  plausible?: { q?: Parameters<typeof import('./plausible.ts').plausible>[]; init?: () => void };
  umami?: typeof import('./umami.ts').umami;
}
