import { type ComponentType, render } from 'preact';
import { connect, type HostContext, type ToolResult } from './host.ts';
import { type InLanguages, languageFor, SENTENCES } from './words.ts';

/** What each view gets: the tool's answer and how to write it. */
export interface ViewProps<Answer, Words> {
  answer: Answer;
  words: Words;
  /** The locale of numbers and dates. */
  tag: string;
}

interface Refusal {
  error: { message: string; details?: readonly { path: string; message: string }[] };
}

const reasonOf = ({ error: { message, details = [] } }: Refusal): string =>
  [message, ...details.map((detail) => `${detail.path} ${detail.message}`)].join('\n');

/** The answer's object, from its text if the host leaves the object out. */
function answerOf({ structuredContent, content }: ToolResult): unknown {
  if (structuredContent !== undefined) return structuredContent;
  const text = content?.find(({ type }) => type === 'text')?.text;
  return text === undefined ? undefined : JSON.parse(text);
}

interface Shown<Answer, Words> {
  name: string;
  words: InLanguages<Words>;
  View: ComponentType<ViewProps<Answer, Words>>;
}

/** Draws a tool's answers with a view. Everything is drawn as text: names of pages and spans are written by strangers. */
export function show<Answer, Words>({ name, words, View }: Shown<Answer, Words>): void {
  const root = document.body.appendChild(document.createElement('main'));
  let context: HostContext = {};
  let draw = (): void => say('wait');

  const here = () => languageFor(context.locale ?? navigator.language);
  const sayText = (text: string): void =>
    render(
      <p class="soft lines" role="status">
        {text}
      </p>,
      root,
    );
  const say = (name: keyof (typeof SENTENCES)['en']): void => sayText(SENTENCES[here().language][name]);
  const drawResult = (result: ToolResult): void => {
    const { language, tag } = here();
    try {
      const answer = answerOf(result);
      if (result.isError) sayText(reasonOf(answer as Refusal));
      else render(<View answer={answer as Answer} words={words[language]} tag={tag} />, root);
    } catch {
      render(null, root);
      say('unreadable');
    }
  };
  connect(name, {
    onContext: (changes) => {
      context = { ...context, ...changes };
      const page = document.documentElement;
      page.lang = here().tag;
      if (context.theme === 'dark' || context.theme === 'light') page.dataset.theme = context.theme;
      draw();
    },
    onResult: (result) => {
      draw = () => drawResult(result);
      draw();
    },
    onCancelled: () => {
      draw = () => say('cancelled');
      draw();
    },
  });
  draw();
}
