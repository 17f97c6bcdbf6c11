import { isLibraryFile, isLibraryName } from './library-code.ts';
import { moduleOf } from './module-of.ts';

const MAX_NAME = 128;
const JVM_SOURCE =
  /^(?:[^()]{0,200}\.(?:java|kt|scala|groovy|clj|php)(?::\d+)?|Native Method|Unknown Source|<generated>)$/;
const POSITION = /(?::\d+){1,2}$/;
/** Functions of minified code, which each build names anew. */
const MINIFIED = /^[\w$]{1,2}$/;

/** One line of a stack. */
export interface Frame {
  /** The function, without what differs between builds; empty if it has no name. */
  name: string;
  /** The module or file; empty if `name` says it (`com.shop.Orders.pay`). */
  file: string;
  /** Whether it is the application's own code, not a library's or a platform's. */
  isOwn: boolean;
}

/** The frame that a line has; null if it has none. `next` is the line after it: of Go, the file. */
export function readFrame(line: string, next: string | undefined): Frame | null {
  if (line.startsWith('at ')) return readAt(line.slice(3));
  if (line.startsWith('File "')) return readPython(line);
  if (line.startsWith('#')) return readPhp(line, next?.trim());
  if (next?.startsWith('\t') && next.includes('.go:') && line.endsWith(')')) return readGo(line, next);
  const ruby = line.search(/:in [`']/);
  if (ruby > 0 && line.endsWith("'")) return readRuby(line.replace(/^from /, ''));
  return readAtSign(line);
}

/** V8, the JVM and .NET begin lines with `at `. */
function readAt(text: string): Frame | null {
  const called = text.replace(/^async /, '');
  const open = called.indexOf(' (');
  if (open > 0 && called.endsWith(')') && !called.includes(') in '))
    return script(called.slice(0, open), called.slice(open + 2, -1));
  const bracket = called.indexOf('(');
  if (bracket > 0) {
    const end = called.indexOf(')', bracket);
    const name = called.slice(0, bracket);
    return JVM_SOURCE.test(called.slice(bracket + 1, end))
      ? ofClass(jvmName(name))
      : ofClass(dotnetName(name));
  }
  return POSITION.test(called) ? script('', called) : null;
}

/** A frame of JavaScript. */
function script(name: string, at: string): Frame {
  const path = at.replace(POSITION, '');
  const isEval =
    path.startsWith('eval at ') || path === '' || path.startsWith('<') || path.startsWith('index ');
  const isLibrary = isEval || path === 'native' || path.includes('[native code]') || isLibraryFile(path);
  return { name: scriptName(name), file: moduleOf(path), isOwn: !isLibrary };
}

/** Without `new`, `[as x]`, receivers that say nothing, and names that the next build changes. */
function scriptName(name: string): string {
  const plain = name
    .replace(/^(?:async\*?|new|get|set|static) ?(?=.)/, '')
    .replace(/ \[as [^\]]*\]$/, '')
    .replace(/^(?:Object|Module|exports|global|window|Function)\./, '')
    .replace(/[/<]+$/, '');
  return /<anonymous>|^(?:module|global|eval) code$|^anonymous$|^\?$|^\(/.test(plain) || MINIFIED.test(plain)
    ? ''
    : plain.slice(0, MAX_NAME);
}

const ofClass = (name: string): Frame | null =>
  /^[\w$<>.`+\\:]/.test(name)
    ? { name: name.slice(0, MAX_NAME), file: '', isOwn: !isLibraryName(name) }
    : null;

/** Without the module or class loader before it, and without numbers of proxies, lambdas and classes without names. */
const jvmName = (name: string): string =>
  name
    .slice(name.lastIndexOf('/') + 1)
    .replaceAll(/\$\$[^.]*/g, '')
    .replaceAll(/\$\d+/g, '');

/** `Orders.<PayAsync>d__12.MoveNext` is `Orders.PayAsync`, as the program has it. */
const dotnetName = (name: string): string =>
  name
    .replaceAll(/\.?<>c(?:__DisplayClass[\d_]+)?(?=\.)/g, '')
    .replaceAll(/[.+]<(\w+)>[bdg]__[\w|]+(?:\.MoveNext)?/g, '.$1')
    .replaceAll(/`\d+|\[[^\]]*\]/g, '');

function readPython(line: string): Frame | null {
  const end = line.indexOf('"', 6);
  if (end < 0) return null;
  const file = line.slice(6, end);
  const at = line.lastIndexOf(', in ');
  const name = at < end ? '' : line.slice(at + 5, at + 5 + MAX_NAME);
  return {
    name: name === '<module>' || name === '<lambda>' ? '' : name,
    file: moduleOf(file),
    isOwn: !file.startsWith('<') && !isLibraryFile(file),
  };
}

/** `main.(*Server).pay(0xc000012345, …)`, and on the next line its file. */
function readGo(line: string, next: string): Frame | null {
  if (line.startsWith('created by ')) return null;
  const name = line
    .slice(0, line.lastIndexOf('('))
    .replaceAll(/\.func\d+(?:\.\d+)*/g, '.func')
    .replaceAll('[...]', '');
  const isLibrary = isLibraryFile(next.trim()) || /@v\d/.test(next) || isGoLibrary(name);
  return name === '' ? null : { name: name.slice(0, MAX_NAME), file: '', isOwn: !isLibrary };
}

const GO_STANDARD = new Set(
  (
    'archive bufio bytes cmp compress container context crypto database debug embed encoding errors expvar flag fmt go hash html ' +
    'image index internal io iter log maps math mime net os panic path plugin reflect regexp runtime slices sort strconv strings sync ' +
    'syscall testing text time unicode unique unsafe'
  ).split(' '),
);
const isGoLibrary = (name: string): boolean =>
  GO_STANDARD.has(name.split(/[./]/, 1)[0] as string) ||
  /^(?:go\.opentelemetry\.io|golang\.org|google\.golang\.org)\//.test(name);

/** `/app/orders.rb:12:in 'Orders#pay'`. */
function readRuby(line: string): Frame | null {
  const at = line.search(/:in [`']/);
  const file = line.slice(0, at).replace(POSITION, '');
  const name = line.slice(at + 5, -1).replace(/^(?:block|rescue|ensure)(?: \(\d+ levels\))? in /, '');
  return {
    name: name.startsWith('<') ? '' : name.slice(0, MAX_NAME),
    file: moduleOf(file),
    isOwn: !file.startsWith('<') && !isLibraryFile(file),
  };
}

/** A line of PHP says where a function was called; the line after it says in which function. */
function readPhp(line: string, next: string | undefined): Frame | null {
  const called = /^#\d{1,4} (.{1,400}?)\(\d{1,7}\): /.exec(line);
  if (called === null) return null;
  const file = called[1] as string;
  const within = /^#\d{1,4} [^:]{1,400}: ([^(]{1,200})\(/.exec(next ?? '')?.[1] ?? '';
  return {
    name: within.includes('{closure') ? '' : within.slice(0, MAX_NAME),
    file: moduleOf(file),
    isOwn: !isLibraryFile(file),
  };
}

/** Firefox and Safari: `pay@https://shop.example/app.js:1:2`. */
function readAtSign(line: string): Frame | null {
  const at = line.indexOf('@');
  if (at < 0) return null;
  const rest = line.slice(at + 1);
  const path = rest.replace(/ line \d+ > .*$/, '');
  const isFile = path !== rest || POSITION.test(path) || path === '[native code]';
  return isFile && !/\s/.test(line.slice(0, at).trim())
    ? script(line.slice(0, at), path)
    : codeFrame(line, at, path, isFile);
}

/** Safari's `module code@…` and `global code@…`. */
const codeFrame = (line: string, at: number, path: string, isFile: boolean): Frame | null =>
  isFile && /^(?:module|global|eval) code$/.test(line.slice(0, at)) ? script('', path) : null;
