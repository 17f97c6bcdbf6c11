import { raw } from 'hono/html';
import { TYPEFACE } from './typeface.generated.ts';

/** The dashboard's typeface for pages with a style of their own. It is used where it is there in time: no page changes while it is read. */
export const TYPEFACE_STYLE = `
@font-face { font-family: Figtree; font-weight: 300 900; font-display: optional; src: url("${TYPEFACE}") format("woff2"); }
:root { --sans: Figtree, ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif; }`;
/** What the page's policy needs for it. */
export const TYPEFACE_RULE = "font-src 'self'";
/** What the page's head needs for it. */
export const TYPEFACE_LINK = raw(
  `<link rel="preload" href="${TYPEFACE}" as="font" type="font/woff2" crossorigin>`,
);
