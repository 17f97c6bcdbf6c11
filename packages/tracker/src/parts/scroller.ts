import { own } from '../own.ts';

/**
 * The element that scrolls the page: the document, or, in an app whose document doesn't scroll, the container in the middle of the
 * window.
 */
export const findScroller = (): Element => {
  const root = own('documentElement');
  if (root.scrollHeight > root.clientHeight) return root;
  let element = own('elementFromPoint').call(document, innerWidth / 2, innerHeight / 2);
  while (
    element &&
    !(element.scrollHeight > element.clientHeight && /auto|scroll/.test(getComputedStyle(element).overflowY))
  )
    element = element.parentElement;
  return element ?? root;
};
