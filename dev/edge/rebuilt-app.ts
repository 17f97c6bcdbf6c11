/**
 * The dashboard as it was built after the last change in `web/app` (dev/app-server.ts). Its pages then name the new files, and those that
 * are open are loaded again. So such a change starts no function anew.
 */

/** A script of the page, since its policy allows no other. */
const RELOAD_PATH = '/dev/reload.js';
const CHANGES_PATH = '/dev/changes';
/** A hidden tab doesn't listen: a browser keeps few connections to a host open. When it is seen again, it asks whether it is old. */
const RELOAD = `const own = new URL(import.meta.url).searchParams.get('build');
let changes;
const listen = () => {
  changes?.close();
  if (document.hidden) return;
  changes = new EventSource('${CHANGES_PATH}');
  changes.addEventListener('build', ({ data }) => data !== own && location.reload());
};
document.addEventListener('visibilitychange', listen);
listen();
`;

/** The number of the last build since the start, and the files that a page names: paths below `/app/`. Null before the first one. */
export interface LastBuild {
  build: number;
  named: { script: string; style: string } | null;
}

const FILES = '/app/';
const SCRIPT = /\/app\/main-[^"]+\.js/;
const STYLE = /\/app\/style-[^"]+\.css/;
const PRELOADS = /<link rel="modulepreload"[^>]*>\n?/g;

/** Undefined for what the functions answer. `origin` is that of the server with the files. */
export async function answerFiles(request: Request, origin: string): Promise<Response | undefined> {
  const { pathname } = new URL(request.url);
  if (pathname === RELOAD_PATH)
    return new Response(RELOAD, {
      headers: { 'Content-Type': 'text/javascript', 'Cache-Control': 'no-store' },
    });
  if (pathname === CHANGES_PATH) return fetch(origin + pathname);
  if (!pathname.startsWith(FILES)) return undefined;
  const file = await fetch(origin + pathname);
  if (file.ok) return file;
  await file.body?.cancel();
  return undefined;
}

/** A page of the dashboard with the files that were built last. Other answers stay as they are. */
export async function withFiles(response: Response, origin: string): Promise<Response> {
  if (!response.headers.get('Content-Type')?.startsWith('text/html')) return response;
  const html = await response.text();
  const answer = (text: string): Response => new Response(text, response);
  if (!SCRIPT.test(html)) return answer(html);
  const { build, named } = (await (await fetch(`${origin}/named`)).json()) as LastBuild;
  const reload = `<script type="module" src="${RELOAD_PATH}?build=${build}"></script>`;
  const reloading = html.replace('</head>', `${reload}\n</head>`);
  if (named === null) return answer(reloading);
  const { script, style } = named;
  return answer(reloading.replace(SCRIPT, script).replace(STYLE, style).replaceAll(PRELOADS, ''));
}
