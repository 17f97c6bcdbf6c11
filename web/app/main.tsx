import { render } from 'preact';
import { App } from './app.tsx';
import { loadWords } from './words/index.ts';

await loadWords(document.documentElement.lang);
const root = document.getElementById('app');
if (root !== null) render(<App />, root);
