import bundled from '@sparticuz/chromium';

/** Unpacks the headless shell before the first file: a worker must not start it while another still writes it. */
export default async function prepareBrowser(): Promise<void> {
  if (!process.env.CHROMIUM_PATH) await bundled.executablePath();
}
