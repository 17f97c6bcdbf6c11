/** Hands the dev edge what was built of the dashboard since the start (dev/edge/rebuilt-app.ts). */
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type AppBundle, bundleApp } from '../web/app/bundle-app.ts';
import type { LastBuild } from './edge/rebuilt-app.ts';

export interface AppServer {
  /** `http://127.0.0.1:<port>`. */
  origin: string;
  /** Builds the dashboard, and has open pages loaded again. On a fault it throws, and the last good build stays. */
  rebuild(): Promise<void>;
  close(): Promise<void>;
}

const TYPES: Readonly<Record<string, string>> = { js: 'text/javascript', css: 'text/css' };

/** Listens on 127.0.0.1 alone. */
export async function startAppServer(build: () => Promise<AppBundle> = bundleApp): Promise<AppServer> {
  let built: AppBundle | undefined;
  let builds = 0;
  const buildEvent = (): string => `event: build\ndata: ${builds}\n\n`;
  const pages = new Set<ServerResponse>();
  const answerFile = (response: ServerResponse, name: string): void => {
    const contents = built?.files.get(name);
    if (contents === undefined) return void response.writeHead(404).end();
    const type = TYPES[name.split('.').at(-1) ?? ''] ?? 'application/octet-stream';
    response
      .writeHead(200, { 'Content-Type': `${type}; charset=utf-8`, 'Cache-Control': 'no-store' })
      .end(contents);
  };
  const server = createServer(({ url = '' }, response) => {
    if (url === '/named') {
      const last: LastBuild = { build: builds, named: built?.named ?? null };
      return void response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(last));
    }
    if (url !== '/dev/changes') return answerFile(response, url.replace('/app/', ''));
    response
      .writeHead(200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store' })
      .write(buildEvent());
    pages.add(response);
    response.once('close', () => pages.delete(response));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    rebuild: async () => {
      built = await build();
      builds += 1;
      for (const page of pages) page.write(buildEvent());
    },
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
