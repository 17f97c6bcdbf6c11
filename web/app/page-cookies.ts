/** Cookies that the page's script sets. They hold what a page looks like from its first byte on. */
export const LANGUAGE_COOKIE = 'vendor.language';
export const THEME_COOKIE = 'vendor.theme';

export const THEMES = ['auto', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];
