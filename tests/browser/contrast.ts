import type { Page } from 'playwright-core';

export interface FaintText {
  text: string;
  ratio: number;
}

/** The texts whose computed colours have less contrast than WCAG 2.2 level AA requires (1.4.3), and the number of measured texts. */
export function measureContrast(page: Page): Promise<{ measured: number; faint: FaintText[] }> {
  return page.evaluate(() => {
    const channels = (color: string): number[] => (color.match(/[\d.]+/g) ?? []).map(Number);
    const luminance = (color: string): number => {
      const [red = 0, green = 0, blue = 0] = channels(color).map((value) => {
        const share = value / 255;
        return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
      });
      return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
    };
    const groundOf = (element: Element | null): string => {
      for (let at = element; at !== null; at = at.parentElement) {
        const { backgroundColor } = getComputedStyle(at);
        const alpha = channels(backgroundColor)[3] ?? 1;
        if (alpha === 1) return backgroundColor;
        if (alpha > 0) throw new Error(`a half transparent ground can’t be measured: ${backgroundColor}`);
      }
      return 'rgb(255, 255, 255)';
    };
    const faint: { text: string; ratio: number }[] = [];
    let measured = 0;
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = texts.nextNode(); node !== null; node = texts.nextNode()) {
      const text = node.textContent?.trim() ?? '';
      const element = node.parentElement;
      if (text === '' || element === null) continue;
      const { color, fontSize, fontWeight } = getComputedStyle(element);
      const levels = [luminance(color), luminance(groundOf(element))];
      const ratio = (Math.max(...levels) + 0.05) / (Math.min(...levels) + 0.05);
      const points = Number.parseFloat(fontSize) * 0.75;
      const large = points >= 18 || (points >= 14 && Number(fontWeight) >= 700);
      measured += 1;
      if (ratio < (large ? 3 : 4.5)) faint.push({ text, ratio });
    }
    return { measured, faint };
  });
}
