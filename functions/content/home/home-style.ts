/** The page's only style; the policy allows it by hash. Colours keep WCAG 2.2 AA in both schemes; a test measures them. */
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
nav { display: flex; flex-wrap: wrap; justify-content: space-between; gap: .25rem 1.5rem; font-size: .9375rem; }
nav ul { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; margin: 0; padding: 0; list-style: none; }
nav a { display: inline-block; min-height: 1.5rem; padding-block: .125rem; }
nav [aria-current] { font-weight: 700; text-decoration: none; }
nav li a:not([aria-current]) { color: var(--soft); }
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
main > :first-child { border-top: 0; margin-top: .75rem; }
.columns { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 26rem), 1fr)); gap: 1.75rem 2.5rem; margin-top: 1.5rem; }
.columns > * { min-width: 0; }
.columns ul { margin: 0; padding: 0; list-style: none; }
code, pre { font-family: ui-monospace, "Cascadia Code", "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace; font-size: .875em; }
pre { margin: 0 0 .75rem; padding: .75rem 1rem; background: var(--raised); border: 1px solid var(--line); border-radius: .375rem; line-height: 1.5; white-space: pre-wrap; overflow-wrap: anywhere; -webkit-user-select: all; user-select: all; }
pre code { font-size: 1em; }
pre:last-child { margin-bottom: 0; }
.address { max-width: 42rem; }
.address p { margin: 0 0 .375rem; font-size: .9375rem; color: var(--soft); }
.address pre { background: var(--band-raised); border-color: var(--band-soft); color: var(--on-band); font-size: 1.0625rem; }
dl { margin: 0; }
dt { font-weight: 600; }
dd { margin: 0; color: var(--soft); }
.arguments { color: var(--soft); font-weight: 400; }
footer { padding-bottom: 3rem; }
li { margin-bottom: .25rem; }
`;
