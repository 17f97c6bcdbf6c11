/** The height in px of the chart that leads a page. */
export const CHART_HEIGHT = 300;
