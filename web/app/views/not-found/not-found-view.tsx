import { Link } from 'wouter-preact';
import { words } from '../../words/index.ts';

/** `heading` is `h2` where the view has a heading of its own already. */
export const NotFoundView = ({ heading: Heading = 'h1' }: { heading?: 'h1' | 'h2' }) => (
  <div class="empty">
    <Heading>{words.notFound.title}</Heading>
    <p>{words.notFound.text}</p>
    <Link href="/sites" class="button">
      {words.notFound.home}
    </Link>
  </div>
);
