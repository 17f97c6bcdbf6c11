/**
 * An object for the page, as text: it waits frame by frame until something is drawn and returns the milliseconds, from the navigation or
 * from a click, and those until the last answer of the service.
 */
export const LOOK = `(() => {
  const frame = () => new Promise((resolve) => requestAnimationFrame(() => resolve()));
  const has = (selector) => document.querySelector(selector) !== null;
  const PATIENCE_MS = 60000;
  const until = async (isDrawn) => {
    const begun = performance.now();
    while (!isDrawn()) {
      if (performance.now() - begun > PATIENCE_MS) throw new Error('It was not drawn within a minute.');
      await frame();
    }
    // What is there in this frame is painted with it.
    await frame();
    return performance.now();
  };
  const panels = () => [...document.querySelectorAll('.panels > .panel')];
  const isIdle = () => !has('.dimmed, .bone, [aria-busy=true], .failure');
  const isSiteDrawn = () =>
    isIdle() && has('.chart .line') && panels().length >= 6 &&
    panels().every((panel) => panel.querySelector('.row, tbody tr, .empty') !== null);
  const answeredSince = (start) =>
    Math.max(0, ...performance.getEntriesByType('resource')
      .filter(({ name, startTime }) => name.includes('/api/v1/') && startTime >= start)
      .map(({ responseEnd }) => responseEnd)) - start;
  const since = async (start, isDrawn) => {
    const end = await until(isDrawn);
    return { ms: end - start, answered: answeredSince(start) };
  };
  return {
    load: () => since(0, isSiteDrawn),
    async click(selector) {
      const link = document.querySelector(selector);
      if (link === null) throw new Error('There is no ' + selector);
      const start = performance.now();
      const before = location.search;
      link.click();
      // The old figures are dimmed as soon as the page asks for others.
      await until(() => location.search !== before && has('.dimmed'));
      return since(start, isSiteDrawn);
    },
    trace: () => since(0, () => document.querySelectorAll('[role=treeitem]').length > 9),
    /** Frames a second over two seconds, in each of which a key zooms in or out. */
    async zoom() {
      const tree = document.querySelector('[role=tree]');
      const press = (key) => tree.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
      tree.focus();
      press('Home');
      await frame();
      press('ArrowDown');
      await frame();
      await frame();
      const whole = tree.innerHTML;
      press('z');
      await frame();
      await frame();
      if (tree.innerHTML === whole) throw new Error('The key z zooms nothing.');
      const start = performance.now();
      let frames = 0;
      while (performance.now() - start < 2000) {
        press('z');
        await frame();
        frames += 1;
      }
      return frames / ((performance.now() - start) / 1000);
    },
  };
})()`;
