import { TYPEFACE_STYLE } from '../../../lib/http/typeface.ts';

/** The pages' only style; the policy allows it by hash. Colours keep WCAG 2.2 AA in both schemes; a test measures them. */
export const STYLE = `${TYPEFACE_STYLE}
:root { color-scheme: light dark; --ground: #fbfaf6; --raised: #ffffff; --ink: #17262b; --soft: #4b5d63; --line: #d5dcd9; --edge: #6d7f84; --accent: #0a5a6b; --on-accent: #ffffff; --wrong: #a8102f; }
@media (prefers-color-scheme: dark) {
  :root { --ground: #0f1719; --raised: #182326; --ink: #e6edee; --soft: #a3b4b8; --line: #2c3a3e; --edge: #84979c; --accent: #82d2df; --on-accent: #0a2a33; --wrong: #ff7d78; }
}
* { box-sizing: border-box; }
[hidden] { display: none !important; }
html { -webkit-text-size-adjust: 100%; }
body { min-height: 100vh; min-height: 100dvh; margin: 0; display: flex; flex-direction: column; background: var(--ground); color: var(--ink); font: 1.0625rem/1.55 var(--sans); overflow-wrap: break-word; }
header { display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; gap: .25rem 1.5rem; padding: 1rem clamp(1rem, 4vw, 2.5rem); font-size: .9375rem; }
header strong { letter-spacing: -.01em; }
header ul { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; margin: 0; padding: 0; list-style: none; }
header a { display: inline-block; padding-block: .25rem; }
header [aria-current] { color: var(--ink); font-weight: 700; text-decoration: none; }
main { width: 100%; max-width: 28rem; margin: clamp(0rem, 6vh, 4rem) auto 3rem; padding-inline: 1rem; }
section { padding: clamp(1.25rem, 5vw, 2rem); background: var(--raised); border: 1px solid var(--line); border-radius: .625rem; }
h1 { line-height: 1.2; text-wrap: balance; }
h1 { margin: 0 0 .75rem; font-size: 1.625rem; font-weight: 650; letter-spacing: -.015em; }
h1:focus { outline: none; }
p { margin: 0 0 1rem; text-wrap: pretty; }
p:last-child { margin-bottom: 0; }
.lead, .hint { color: var(--soft); }
.lead b { color: var(--ink); font-weight: 600; }
.hint { margin: .25rem 0 0; font-size: .9375rem; }
dl { margin: 0 0 1.25rem; }
dt { color: var(--soft); font-size: .9375rem; }
dd { margin: 0 0 .5rem; }
section ul { margin: 0 0 1rem; padding: 0; list-style: none; }
.wrong { margin: .375rem 0 0; color: var(--wrong); font-weight: 600; }
.wrong:empty { margin: 0; }
form > .wrong:not(:empty) { margin: 0 0 1rem; }
#status { margin: 1rem 0 0; color: var(--soft); text-align: center; }
.field { margin-bottom: 1.125rem; }
label { display: block; margin-bottom: .25rem; font-weight: 600; }
input { display: block; width: 100%; min-height: 2.875rem; padding: .5rem .75rem; border: 1px solid var(--edge); border-radius: .375rem; background: var(--ground); color: var(--ink); font: inherit; }
input[aria-invalid="true"] { border-color: var(--wrong); box-shadow: inset 0 0 0 1px var(--wrong); }
.code { font-family: ui-monospace, "Cascadia Code", "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace; letter-spacing: .15em; }
button, a { font: inherit; color: var(--accent); text-underline-offset: .2em; text-decoration: underline; text-decoration-thickness: .06em; cursor: pointer; }
button { min-height: 2.75rem; padding: .375rem 0; border: 0; background: none; text-align: start; }
a:hover, button:hover { text-decoration-thickness: .14em; }
.main { display: block; width: 100%; padding: .5rem 1rem; border-radius: .375rem; background: var(--accent); color: var(--on-accent); font-weight: 650; text-align: center; text-decoration: none; }
.main:hover { text-decoration: underline; }
form[aria-busy] :is(.main, .second) { cursor: progress; }
.second { display: block; width: 100%; margin-top: .75rem; text-align: center; }
.others { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 0 1.25rem; margin-top: .75rem; }
.others > a { display: inline-flex; align-items: center; min-height: 2.75rem; }
.reveal { font-size: .9375rem; }
:focus-visible { outline: .1875rem solid var(--accent); outline-offset: .1875rem; border-radius: .25rem; }
`;
