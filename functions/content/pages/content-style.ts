/** The pages' only style; the policy allows it by hash. Colours keep WCAG 2.2 AA in both schemes; a test measures them. */
export const STYLE = `
:root { color-scheme: light dark; --ground: #fbfaf6; --raised: #f0f3f0; --ink: #17262b; --soft: #4b5d63; --line: #d5dcd9; --accent: #0a5a6b; --band: #0b3d49; --on-band: #f4f8f7; --band-soft: #b9d3d6; --band-raised: #1f4c57; }
@media (prefers-color-scheme: dark) {
  :root { --ground: #0f1719; --raised: #182326; --ink: #e6edee; --soft: #a3b4b8; --line: #2c3a3e; --accent: #82d2df; --band: #0a2a33; --on-band: #eaf3f3; --band-soft: #a9c6ca; --band-raised: #1f3c44; }
}
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; }
body { margin: 0; background: var(--ground); color: var(--ink); font: 1.0625rem/1.6 ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif; overflow-wrap: break-word; }
header > *, main, footer { max-width: 66rem; margin-inline: auto; padding-inline: clamp(1rem, 4vw, 2.5rem); }
header { padding: 1.25rem 0 clamp(2.5rem, 6vw, 3.75rem); background: var(--band); color: var(--on-band); --accent: var(--on-band); --soft: var(--band-soft); }
header nav { display: flex; flex-wrap: wrap; justify-content: space-between; gap: .25rem 1.5rem; font-size: .9375rem; }
header ul { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; margin: 0; padding: 0; list-style: none; }
header li { margin: 0; }
nav a { display: inline-block; min-height: 1.5rem; padding-block: .125rem; }
nav [aria-current] { font-weight: 700; text-decoration: none; }
a { color: var(--accent); text-underline-offset: .2em; text-decoration-thickness: .06em; }
a:hover { text-decoration-thickness: .14em; }
:focus-visible { outline: .1875rem solid var(--accent); outline-offset: .1875rem; border-radius: .125rem; }
h1, h2, h3 { line-height: 1.2; text-wrap: balance; }
h1 { margin: clamp(2.5rem, 6vw, 4rem) 0 1rem; font-size: clamp(2rem, 6vw, 3.25rem); font-weight: 650; letter-spacing: -.02em; }
h2 { margin: 0 0 .5rem; font-size: 1.5rem; font-weight: 650; letter-spacing: -.01em; }
h3 { margin: 0 0 .375rem; font-size: 1.0625rem; font-weight: 650; }
p { margin: 0 0 1rem; max-width: 42rem; text-wrap: pretty; }
.lead { margin-bottom: 2rem; font-size: 1.1875rem; }
.soft { color: var(--soft); }
section, footer h2 { margin-top: 2.75rem; padding-top: 2.25rem; border-top: 1px solid var(--line); }
main { padding-block: clamp(1.75rem, 4vw, 2.75rem) 3rem; }
main > :first-child { margin-top: 0; padding-top: 0; border-top: 0; }
main > :last-child { margin-bottom: 0; }
.columns { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 26rem), 1fr)); gap: 1.75rem 2.5rem; margin-top: 1.5rem; }
.columns > * { min-width: 0; }
.columns > .all { grid-column: 1 / -1; }
.columns ul { margin: 0; padding: 0; list-style: none; }
code, pre { font-family: ui-monospace, "Cascadia Code", "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace; font-size: .875em; }
code { overflow-wrap: normal; }
.copy { position: relative; display: flex; align-items: flex-start; margin: 0 0 .75rem; background: var(--raised); border: 1px solid var(--line); border-radius: .375rem; overflow: hidden; }
.copy:last-child { margin-bottom: 0; }
pre { flex: 1; min-width: 0; margin: 0; padding: .75rem 1rem; overflow-x: auto; line-height: 1.5; white-space: pre; }
pre code { font-size: 1em; }
pre.whole { -webkit-user-select: all; user-select: all; }
pre.words { white-space: pre-wrap; }
pre.words span { white-space: nowrap; }
.copy button { flex: none; min-height: 2.75rem; margin: 0; padding: .25rem .875rem; border: 0; background: none; color: var(--accent); font: inherit; font-size: .875rem; font-weight: 600; cursor: pointer; }
pre:not(.words) + button { position: absolute; inset: 0 0 auto auto; border-radius: 0 .375rem 0 .375rem; background: inherit; }
.copy button:hover { text-decoration: underline; text-underline-offset: .2em; }
.copy button:focus-visible { outline-offset: -.25rem; }
@media (max-width: 40rem) { pre { font-size: .8125rem; padding-inline-end: .25rem; } .copy button { padding-inline: .625rem; } }
.unseen { position: absolute; width: 1px; height: 1px; margin: -1px; overflow: hidden; clip-path: inset(50%); }
.address { max-width: 42rem; }
.address p { margin: 0 0 .375rem; font-size: .9375rem; color: var(--soft); }
.address .copy { background: var(--band-raised); border-color: var(--band-soft); color: var(--on-band); font-size: 1.0625rem; }
dl { margin: 0; }
dt { font-weight: 600; }
dd { margin: 0; color: var(--soft); }
.arguments { color: var(--soft); font-weight: 400; }
dt code { white-space: nowrap; }
dt .arguments { white-space: normal; }
.asks { margin: 1.75rem 0 .375rem; }
q { quotes: none; font-style: italic; }
footer { padding-bottom: 3rem; }
li { margin-bottom: .25rem; }
.facts { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; margin: 0; color: var(--soft); font-size: .9375rem; }
.note { margin: 1.5rem 0 0; padding: .75rem 1rem; border-inline-start: .25rem solid var(--accent); background: var(--raised); }
.parts { font-size: 1rem; }
.parts h2 { font-size: 1.0625rem; }
.parts ul { display: flex; flex-wrap: wrap; gap: .125rem 1.5rem; margin: 0; padding: 0; list-style: none; }
.parts li { margin: 0; }
.parts a { min-width: 1.5rem; }
article { margin-top: 2.25rem; }
article > * { max-width: 42rem; }
article > .copy, article > .wide { max-width: none; }
article h2 { margin: 2.75rem 0 .75rem; scroll-margin-top: 1rem; }
article h3 { margin: 2rem 0 .5rem; font-size: 1.1875rem; scroll-margin-top: 1rem; }
article h4, article h5, article h6 { margin: 1.5rem 0 .375rem; font-size: 1.0625rem; line-height: 1.2; }
article > :first-child { margin-top: 0; }
article ul, article ol { margin: 0 0 1rem; padding-inline-start: 1.5rem; }
article ol { padding-inline-start: 2rem; }
article li { margin-bottom: .375rem; }
article :not(pre) > code { padding: .0625em .25em; border-radius: .25rem; background: var(--raised); overflow-wrap: break-word; }
blockquote { margin: 0 0 1rem; padding-inline-start: 1rem; border-inline-start: .25rem solid var(--line); color: var(--soft); }
.wide { margin: 0 0 1.25rem; overflow-x: auto; }
table { border-collapse: collapse; font-size: .9375rem; line-height: 1.45; font-variant-numeric: tabular-nums; }
th, td { min-width: 6.5rem; padding: .5rem .75rem; border-bottom: 1px solid var(--line); text-align: start; vertical-align: top; }
th { font-weight: 650; }
article td > code { overflow-wrap: normal; }
hr { margin: 2rem 0; border: 0; border-top: 1px solid var(--line); }
aside { max-width: 42rem; margin-top: 3rem; padding-top: 1.5rem; border-top: 1px solid var(--line); color: var(--soft); font-size: .9375rem; }
aside h2 { font-size: 1.0625rem; }
aside code { overflow-wrap: anywhere; }
`;
