/** Where a tip stands beside a point, so that it stays within the chart. */
export const tipPosition = (at: number, width: number) =>
  at > width / 2 ? { right: `${width - at + 12}px` } : { left: `${at + 12}px` };
