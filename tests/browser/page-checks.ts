/**
 * What a page can see of its own requests, as texts to compare: with the tracker they must be those without it. The function runs in the
 * page; `other` is another origin with a shop.
 */
export async function checkPage(other: string): Promise<Record<string, unknown>> {
  const seen: Record<string, unknown> = {};
  const own = `${location.origin}/shop`;
  const unhandled: unknown[] = [];
  addEventListener('unhandledrejection', (event) => unhandled.push([event.promise, event.reason]));

  /** The value, or the error's class, name and message. */
  const outcome = async (run: () => unknown): Promise<unknown> => {
    try {
      return await run();
    } catch (error) {
      const { name, message } = error as Error;
      return `${Object.prototype.toString.call(error)} ${name}: ${message}`;
    }
  };
  const check = async (name: string, run: () => unknown): Promise<void> => {
    seen[name] = await outcome(run);
  };
  const echo = async (input: RequestInfo | URL, init?: RequestInit): Promise<unknown> =>
    (await fetch(input, init)).json();
  const describe = (owner: object, name: string): unknown => {
    const { value, writable, enumerable, configurable } = Object.getOwnPropertyDescriptor(owner, name) ?? {};
    const text = Function.prototype.toString.call(value).replace(/\s+/g, ' ');
    const native =
      /^function \w*\(\) \{ \[native code\] \}$/.test(text) && `${value}`.includes('[native code]');
    const keys = Reflect.ownKeys(value).map(String);
    return [
      native,
      value.name,
      value.length,
      writable,
      enumerable,
      configurable,
      typeof value,
      'prototype' in value,
      keys,
    ];
  };

  // The functions themselves.
  for (const [owner, names] of [
    [window, ['fetch']],
    [XMLHttpRequest.prototype, ['open', 'send', 'setRequestHeader', 'abort', 'getResponseHeader']],
  ] as const)
    for (const name of names) await check(`function ${name}`, () => describe(owner, name));
  await check('fetch is no class', () => new (fetch as unknown as new () => object)());
  await check('fetch of nothing', () => fetch.call({} as Window, `${own}/ok`));
  await check('fetch without this', () => {
    const alone = fetch;
    return alone(`${own}/ok`).then(({ status }) => status);
  });
  await check('keys of prototypes', () => [
    Object.keys(XMLHttpRequest.prototype),
    Object.keys(window).includes('fetch'),
  ]);

  // Answers.
  await check('response', async () => {
    const asked = fetch(`${own}/ok?timing=`);
    const response = await asked;
    const { status, ok, redirected, type, url, bodyUsed, headers } = response;
    const names = [...headers.keys()].filter((name) => !/date|keep-alive|connection/.test(name));
    const kinds = [asked instanceof Promise, asked.constructor === Promise, Reflect.ownKeys(asked).length];
    return [
      kinds,
      response instanceof Response,
      status,
      ok,
      redirected,
      type,
      url,
      bodyUsed,
      names,
      await response.text(),
    ];
  });
  await check('stream', async () => {
    const reader = (await fetch(`${own}/pieces`)).body?.getReader();
    let text = '';
    for (let piece = await reader?.read(); piece && !piece.done; piece = await reader?.read())
      text += new TextDecoder().decode(piece.value);
    return text;
  });
  await check('clone', async () => {
    const response = await fetch(`${own}/pieces`);
    return Promise.all([response.clone().text(), response.text()]);
  });
  for (const path of [
    '/ok?status=404',
    '/ok?status=204',
    `/to?url=/shop/ok`,
    `/to?url=${encodeURIComponent(`${other}/shop/ok?cors`)}`,
    `/to?url=${encodeURIComponent(`${other}/shop/ok`)}`,
    '/cut',
  ])
    for (const redirect of ['follow', 'manual', 'error'] as const)
      await check(`${redirect} ${path}`, async () => {
        const { status, type, redirected, url } = await fetch(own + path, { redirect });
        return [status, type, redirected, url];
      });
  for (const mode of ['cors', 'no-cors', 'same-origin'] as const)
    for (const query of ['', '?cors', '?cors=*'])
      await check(`${mode} ${query}`, async () => {
        const { status, type, url, headers } = await fetch(`${other}/shop/ok${query}`, {
          mode,
          redirect: 'error',
        });
        return [status, type, url, headers.has('server-timing')];
      });

  // What is sent.
  const request = new Request(`${own}/echo`, { method: 'PUT', body: 'text', headers: { 'X-Own': 'a' } });
  await check('request', async () => [await echo(request), request.bodyUsed, [...request.headers]]);
  const form = new FormData();
  form.append('field', 'value');
  const inits: Record<string, RequestInit> = {
    form: { method: 'POST', body: form },
    params: { method: 'POST', body: new URLSearchParams({ a: '1' }) },
    blob: { method: 'POST', body: new Blob(['b'], { type: 'text/csv' }) },
    keepalive: { method: 'POST', body: 'kept', keepalive: true },
    stream: { method: 'POST', body: new Blob(['s']).stream(), duplex: 'half' } as RequestInit,
    referrer: { referrer: '/from', referrerPolicy: 'unsafe-url' },
    frozen: Object.freeze({ headers: Object.freeze({ 'X-Own': 'a' }), redirect: 'error' as const }),
    pairs: {
      headers: [
        ['X-Own', 'a'],
        ['X-Own', 'b'],
      ],
      redirect: 'error',
    },
    bodyOfGet: { body: 'no' },
    nullHeaders: { headers: null as never, redirect: 'error' },
    badHeader: { headers: { 'X Y': '1' }, redirect: 'error' },
    badValue: { headers: { 'X-Own': '\u{1F600}' }, redirect: 'error' },
    badRedirect: { redirect: 'never' as never },
    undefinedHeaders: { headers: undefined as never, redirect: 'error' },
  };
  for (const [name, init] of Object.entries(inits)) {
    await check(`echo ${name}`, () => echo(`${own}/echo`, init));
    const { body: _body, ...rest } = init;
    await check(`echo request ${name}`, () =>
      echo(new Request(`${own}/echo`, { headers: { 'X-Own': 'r' } }), rest),
    );
  }
  await check('other origin', () =>
    echo(`${other}/shop/echo?cors`, { headers: { 'X-Own': 'a' }, redirect: 'error' }),
  );
  await check('header that it refuses', () =>
    echo(`${other}/shop/echo?cors`, { headers: { 'X-Other': 'a' } }),
  );
  await check('credentials', () => echo(`${other}/shop/echo?cors`, { credentials: 'include' }));
  await check('referrer of a request', () =>
    echo(new Request(`${own}/echo`, { referrer: '/from', referrerPolicy: 'unsafe-url', redirect: 'error' })),
  );
  await check('request as options', () =>
    echo(`${own}/echo`, new Request(own, { method: 'DELETE', redirect: 'error' })),
  );
  await check('read once', async () => {
    const reads: string[] = [];
    const headers = (function* () {
      reads.push('headers');
      yield ['X-Own', 'generated'];
    })();
    const init = {
      get method() {
        reads.push('method');
        return 'PUT';
      },
      headers: headers as unknown as HeadersInit,
      redirect: 'error' as const,
    };
    const address = {
      toString() {
        reads.push('address');
        return `${own}/echo`;
      },
    };
    return [await echo(address as unknown as string, init), reads];
  });
  await check('own class of options', () => {
    class Options {
      #method = 'PUT';
      redirect = 'error' as const;
      get method() {
        return this.#method;
      }
    }
    return echo(`${own}/echo`, new Options());
  });
  await check('too many arguments', async () => {
    const { status } = await (fetch as (...all: unknown[]) => Promise<Response>)(`${own}/ok`, {}, 'more');
    return status;
  });

  // What goes wrong.
  await check('no arguments', () => (fetch as () => unknown)());
  await check('no address', () => fetch('http://['));
  await check('address with a password', () => fetch('http://a:b@localhost/'));
  await check('null', () => fetch(null as never).then(({ status }) => status));
  await check('used request', () => fetch(request));
  await check('aborted before', () => fetch(`${own}/ok`, { signal: AbortSignal.abort(), redirect: 'error' }));
  await check('aborted with a reason', () => {
    const stop = new AbortController();
    const asked = fetch(`${own}/hang`, { signal: stop.signal, redirect: 'error' });
    stop.abort(new RangeError('enough'));
    return asked;
  });
  await check('the reason itself', async () => {
    const reason = { own: true };
    return (
      (await fetch(`${own}/ok`, { signal: AbortSignal.abort(reason) }).catch((error) => error)) === reason
    );
  });
  await check('aborted request', () => {
    const stop = new AbortController();
    const asked = fetch(new Request(`${own}/hang`, { signal: stop.signal, redirect: 'error' }));
    stop.abort();
    return asked;
  });
  await check('aborted body', async () => {
    const stop = new AbortController();
    const response = await fetch(`${own}/hang`, { signal: stop.signal });
    stop.abort();
    return response.text();
  });
  await check('cancelled body', async () => (await fetch(`${own}/hang`)).body?.cancel());
  await check('timeout', () =>
    fetch(`${other}/shop/hang`, { signal: AbortSignal.timeout(1), mode: 'no-cors' }).then((r) => r.text()),
  );
  await check('unhandled', async () => {
    unhandled.length = 0;
    const received = new Promise((resolve) =>
      addEventListener('unhandledrejection', resolve, { once: true }),
    );
    const left = fetch('http://[');
    await received;
    const handled = fetch('http://[');
    await handled.catch(() => {});
    await new Promise((resolve) => setTimeout(resolve));
    return [unhandled.length, (unhandled[0] as unknown[])[0] === left];
  });

  // XMLHttpRequest.
  const ask = (prepare: (request: XMLHttpRequest) => void, Kind = XMLHttpRequest): Promise<unknown> =>
    new Promise((resolve) => {
      const request = new Kind();
      const events: unknown[] = [];
      for (const type of ['readystatechange', 'loadstart', 'load', 'error', 'abort', 'timeout', 'loadend'])
        request.addEventListener(type, () => {
          if (type !== 'readystatechange' || request.readyState !== 3)
            events.push([type, request.readyState]);
          if (type !== 'loadend') return;
          const { status, statusText, responseURL, responseType } = request;
          const names = request.getAllResponseHeaders().match(/^[\w-]+(?=:)/gm);
          resolve([events, status, statusText, responseURL, responseType, names, String(request.response)]);
        });
      prepare(request);
    });
  const send = (method: string, url: string, body?: XMLHttpRequestBodyInit) => (request: XMLHttpRequest) => {
    request.open(method, url);
    request.send(body);
  };
  for (const path of ['/ok', '/pieces', '/ok?status=404', '/to?url=/shop/ok', '/cut'])
    await check(`xhr ${path}`, () => ask(send('GET', own + path)));
  await check('xhr other origin', () => ask(send('GET', `${other}/shop/ok?cors`)));
  await check('xhr refused', () => ask(send('GET', `${other}/shop/ok`)));
  await check('xhr body', () => ask(send('POST', `${own}/echo`, new URLSearchParams({ a: '1' }))));
  await check('xhr headers', () =>
    ask((request) => {
      request.open('PUT', `${own}/echo`);
      request.setRequestHeader('X-Own', 'a');
      request.setRequestHeader('x-own', 'b');
      request.send('text');
    }),
  );
  await check('xhr json', () =>
    ask((request) => {
      request.responseType = 'json';
      send('GET', `${own}/echo`)(request);
    }),
  );
  await check('xhr abort', () =>
    ask((request) => {
      send('GET', `${own}/hang`)(request);
      request.abort();
    }),
  );
  await check('xhr timeout', () =>
    ask((request) => {
      request.timeout = 1;
      send('GET', `${own}/hang`)(request);
    }),
  );
  await check('xhr at once', () => {
    const request = new XMLHttpRequest();
    const events: unknown[] = [];
    request.onreadystatechange = () => events.push(request.readyState);
    request.open('GET', `${own}/ok`, false);
    request.send();
    return [events, request.status, request.responseText];
  });
  await check('xhr again', async () => {
    const request = new XMLHttpRequest();
    const texts: string[] = [];
    for (const path of ['/echo?n=1', '/echo?n=2']) {
      request.open('GET', own + path);
      request.send();
      await new Promise((resolve) => {
        request.onload = resolve;
      });
      texts.push(request.responseText);
    }
    return texts;
  });
  await check('xhr upload', () => {
    const events: string[] = [];
    return ask((request) => {
      request.upload.onloadstart = () => events.push('begun');
      request.upload.onload = () => events.push('done');
      send('POST', `${own}/echo`, 'x'.repeat(1000))(request);
    }).then(() => events);
  });
  await check('xhr subclass', () => {
    class Own extends XMLHttpRequest {
      override open(method: string, url: string | URL) {
        super.open(method, `${url}&sub`);
      }
    }
    return ask(send('GET', `${own}/echo?a`), Own);
  });
  await check('xhr no address', () => new XMLHttpRequest().open('GET', 'http://['));
  await check('xhr bad method', () => new XMLHttpRequest().open('GE T', own));
  await check('xhr not open', () => new XMLHttpRequest().send());
  await check('xhr header not open', () => new XMLHttpRequest().setRequestHeader('a', 'b'));
  await check('xhr sent twice', () => {
    const request = new XMLHttpRequest();
    send('GET', `${own}/ok`)(request);
    request.send();
  });
  await check('xhr of nothing', () => XMLHttpRequest.prototype.send.call({} as XMLHttpRequest));
  await check('xhr no arguments', () => (new XMLHttpRequest().open as () => void)());

  // Elsewhere nothing is touched.
  await check('worker', async () => {
    const script = `postMessage(fetch.toString()); fetch('${own}/echo').then((r) => r.json()).then(postMessage);`;
    const worker = new Worker(URL.createObjectURL(new Blob([script])));
    const received: unknown[] = [];
    await new Promise<void>((resolve) => {
      worker.onmessage = ({ data }) => {
        if (received.push(data) > 1) resolve();
      };
    });
    worker.terminate();
    return received;
  });
  await check('frame', () => {
    const frame = document.body.appendChild(document.createElement('iframe'));
    const text = `${(frame.contentWindow as unknown as typeof globalThis).fetch}`;
    frame.remove();
    return text;
  });
  return JSON.parse(JSON.stringify(seen));
}
