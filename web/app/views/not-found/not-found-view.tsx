import { Link } from 'wouter-preact';
import { words } from '../../words/index.ts';

export const NotFoundView = () => (
  <div class="empty">
    <h1>{words.notFound.title}</h1>
    <p>{words.notFound.text}</p>
    <Link href="/sites" class="button">
      {words.notFound.home}
    </Link>
  </div>
);
