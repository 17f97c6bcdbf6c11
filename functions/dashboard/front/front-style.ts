import { TYPEFACE_STYLE } from '../../../lib/http/typeface.ts';

/** The front page's only style; its policy allows it by hash. The colours are the dashboard's. */
export const STYLE = `${TYPEFACE_STYLE}
:root { color-scheme: light dark; --ground: #fbfaf6; --ink: #17262b; --soft: #4b5d63; --line: #d5dcd9; --accent: #0a5a6b; --on-accent: #ffffff; }
@media (prefers-color-scheme: dark) {
  :root { --ground: #0f1719; --ink: #e6edee; --soft: #a3b4b8; --line: #2c3a3e; --accent: #82d2df; --on-accent: #0a2a33; }
}
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; }
body { min-height: 100vh; min-height: 100dvh; margin: 0; display: flex; flex-direction: column; background: var(--ground); color: var(--ink); font: 1.0625rem/1.6 var(--sans); }
header, main, footer { width: 100%; max-width: 62rem; margin-inline: auto; padding: 1rem clamp(1rem, 4vw, 2.5rem); }
header { display: flex; flex-wrap: wrap; align-items: baseline; justify-content: space-between; gap: .25rem 1.5rem; font-size: .9375rem; }
ul { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; margin: 0; padding: 0; list-style: none; }
ul a { display: inline-block; padding-block: .25rem; }
a { color: var(--accent); text-underline-offset: .2em; text-decoration-thickness: .06em; }
a:hover { text-decoration-thickness: .14em; }
[aria-current] { color: var(--ink); font-weight: 700; text-decoration: none; }
main { flex: 1; padding-block: clamp(2rem, 8vh, 6rem) 3rem; }
h1 { max-width: 44rem; margin: 0 0 1.25rem; font-size: clamp(2rem, 6vw, 3.25rem); line-height: 1.12; font-weight: 650; letter-spacing: -.02em; text-wrap: balance; }
.lead { max-width: 40rem; margin: 0 0 2rem; font-size: 1.1875rem; color: var(--soft); text-wrap: pretty; }
.ways { display: flex; flex-wrap: wrap; gap: .75rem 1.5rem; align-items: center; }
.main { display: inline-flex; align-items: center; min-height: 2.875rem; padding: .25rem 1.5rem; border-radius: .375rem; background: var(--accent); color: var(--on-accent); font-weight: 650; text-decoration: none; }
.points { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 16rem), 1fr)); gap: 1.5rem 2.5rem; margin-top: clamp(2.5rem, 8vh, 5rem); padding-top: 2rem; border-top: 1px solid var(--line); }
h2 { margin: 0 0 .375rem; font-size: 1.0625rem; font-weight: 650; }
.points p { margin: 0; color: var(--soft); }
footer { padding-bottom: 2rem; font-size: .9375rem; }
:focus-visible { outline: .1875rem solid var(--accent); outline-offset: .1875rem; border-radius: .25rem; }
`;

/** Beside it, of a page with a long text and tables. */
export const TEXT_STYLE = `${STYLE}
html { scroll-padding-top: 1rem; }
main { max-width: 52rem; padding-block: 2rem 4rem; }
main h2 { margin: 2.5rem 0 .5rem; font-size: 1.375rem; }
main h3 { margin: 2rem 0 .5rem; font-size: 1.125rem; }
main ul { display: block; padding-inline-start: 1.25rem; list-style: disc; }
main ul a { padding: 0; }
code { font: .875em ui-monospace, "Cascadia Code", "SF Mono", Menlo, Consolas, monospace; overflow-wrap: anywhere; }
.wide { overflow-x: auto; }
table { width: 100%; border-collapse: collapse; font-size: .9375rem; }
th, td { padding: .5rem .75rem .5rem 0; border-bottom: 1px solid var(--line); text-align: start; vertical-align: top; }
td code { overflow-wrap: normal; }
tr:has(:target) { background: color-mix(in srgb, var(--accent) 14%, transparent); }
`;
