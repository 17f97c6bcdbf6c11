import { type Frame, readFrame } from './read-frame.ts';

/** Frames from the one that threw outwards. A cause has a stack of its own. */
interface Section {
  type: string | null;
  frames: Frame[];
}

export interface ReadStack {
  /** The top own frame; of a stack without one, the top frame. Null: no frame was read. */
  frame: Frame | null;
  /** The type of the exception that caused this one, if the frame is of its stack. */
  cause: string | null;
  /** The type that the stack's first line names. */
  type: string | null;
}

/** How much of a stack is read. Deeper frames are of servers and frameworks. */
const MAX_READ = 32_768;
const MAX_LINES = 400;
const MAX_LINE = 512;

const TYPE_OF_LINE =
  /^(?:Uncaught |Exception in thread "[^"]{0,100}" )?([A-Za-z_$][\w$.:\\]{0,127}?)(?: \([^)]{0,40}\)| \[[\w.]{1,60}\])?(?::? |:?$)/;
const PYTHON_CAUSE = 'The above exception was the direct cause of the following exception:';
const PYTHON_CONTEXT = 'During handling of the above exception, another exception occurred:';
const DOTNET_INNER = '---> ';
const DOTNET_END = '--- End of inner exception stack trace ---';

/**
 * Finds where in the code an exception began: the top own frame of the innermost cause that has one. Wrapping an exception so doesn't
 * hide where it came from. Knows the stacks of JavaScript, Java, Python, Go, .NET, Ruby and PHP. Reads each line once.
 */
export function readStack(text: string): ReadStack {
  const sections = readSections(text.slice(0, MAX_READ).split('\n', MAX_LINES));
  const outermost = sections[0];
  const chosen =
    sections.findLast(({ frames }) => frames.some(({ isOwn }) => isOwn)) ??
    sections.find(({ frames }) => frames.length > 0);
  return {
    frame: chosen?.frames.find(({ isOwn }) => isOwn) ?? chosen?.frames[0] ?? null,
    cause: chosen === undefined || chosen === outermost ? null : chosen.type,
    type: outermost?.type ?? null,
  };
}

/** The stacks of an exception and of its causes, the outermost first. */
function readSections(lines: readonly string[]): Section[] {
  let current: Section = { type: null, frames: [] };
  let sections = [current];
  let isSuppressed = false;
  let isPython = false;
  let python: string | null = null;
  const finish = (): void => {
    if (isPython) current.frames.reverse();
    if (isPython && python !== null) current.type = python;
    isPython = false;
    python = null;
  };
  for (const [index, raw] of lines.entries()) {
    const whole = raw.length > MAX_LINE ? raw.slice(0, MAX_LINE) : raw;
    const line = whole.trim();
    if (line.startsWith('Caused by: ') && !/^\s/.test(whole)) {
      finish();
      isSuppressed = false;
      current = { type: typeOf(line.slice(11)), frames: [] };
      sections.push(current);
    } else if (line.startsWith('Suppressed: ')) isSuppressed = true;
    else if (line === PYTHON_CAUSE || line === PYTHON_CONTEXT) {
      finish();
      current = { type: null, frames: [] };
      // What was handled when another exception came isn't its cause.
      sections = line === PYTHON_CAUSE ? [current, ...sections] : [current];
    } else if (line.includes(DOTNET_END)) {
      const outer = outerType(lines, sections.length);
      current = { type: outer, frames: [] };
      sections.unshift(current);
    } else if (isSuppressed) continue;
    else if (line.startsWith('goroutine ') && current.frames.length > 0) break;
    else if (line.startsWith('panic(') || line.startsWith('runtime.gopanic(')) current.frames.length = 0;
    // Below the top own frame only causes matter. Python writes the top frame last.
    else if (!isPython && current.frames.at(-1)?.isOwn === true) continue;
    else {
      const frame = readFrame(line, lines[index + 1]);
      if (frame !== null) {
        isPython ||= line.startsWith('File "');
        current.frames.push(frame);
      } else if (isPython && !/^\s/.test(whole)) python = typeOf(line) ?? python;
      else if (current.frames.length === 0 && current.type === null && sections.length === 1)
        current.type = innerType(line);
      else if (current.frames.length === 0 && line.startsWith(DOTNET_INNER)) current.type = innerType(line);
    }
  }
  finish();
  return sections;
}

const typeOf = (line: string): string | null => TYPE_OF_LINE.exec(line)?.[1] ?? null;

/** .NET writes the types of all exceptions before the frames of the innermost. */
const innerType = (line: string): string | null => {
  const at = line.lastIndexOf(DOTNET_INNER);
  return typeOf(at < 0 ? line : line.slice(at + DOTNET_INNER.length));
};

/** The type that is the `nth` from the end among those before the first frame. */
function outerType(lines: readonly string[], nth: number): string | null {
  const end = lines.findIndex((line) => line.trimStart().startsWith('at '));
  const types = lines
    .slice(0, Math.max(0, end))
    .join(' ')
    .slice(0, 4 * MAX_LINE)
    .split(DOTNET_INNER);
  const header = types.at(-1 - nth);
  return header === undefined ? null : typeOf(header.trim());
}
