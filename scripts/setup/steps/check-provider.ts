/** Cloudflare: the account, and where the service will answer. */
import { isNone } from '../questions.ts';
import type { SetupRun, Step } from '../step.ts';

const HOSTS = ['VENDOR_HOST', 'CONTENT_HOST'] as const;

export const checkProvider: Step = {
  title: 'Check Cloudflare',
  plan: ({ answers }) => [
    'Asks Cloudflare whose account it is, and which part of workers.dev it has.',
    ...HOSTS.filter((name) => !isNone(answers[name])).map(
      (name) =>
        `Looks for the zone of ${answers[name]}, and makes a proxied DNS record for it if there is none.`,
    ),
  ],
  async run(run) {
    const { tell } = run;
    tell(`account ${run.provider.accountId}`);
    for (const name of HOSTS) {
      const host = run.file.answers[name];
      if (host !== undefined && !isNone(host)) await ensureHost(run, name, host);
    }
    tell(`the service will be at ${run.publicUrl}, the content service at ${run.contentUrl}`);
  },
};

async function ensureHost({ provider, tell, notes, file, save }: SetupRun, name: string, host: string) {
  const zone = await provider.zoneOf(host);
  if (zone === undefined)
    throw new Error(
      `${name}: the account has no zone for ${host}. Add the domain at https://dash.cloudflare.com, or run setup with ` +
        `--${name === 'VENDOR_HOST' ? 'vendor' : 'content'}-host none, and then again.`,
    );
  try {
    const records = await provider.dnsRecords(zone.id, host);
    if (records.some(({ proxied }) => proxied)) return tell(`${host} is in the zone ${zone.name}`);
    if (records.length > 0) {
      notes.push(
        `${host} has a DNS record that isn't proxied: switch its proxy on at https://dash.cloudflare.com, or nothing answers there.`,
      );
      return;
    }
    const record = await provider.createDnsRecord(zone.id, host);
    file.dnsRecords[host] = { zone: zone.id, record: record.id };
    await save();
    tell(`${host}: made a proxied DNS record in the zone ${zone.name}`);
  } catch (error) {
    notes.push(
      `The DNS record of ${host} couldn't be looked at or made (${(error as Error).message.split('. ')[0]}). Make a proxied one at ` +
        'https://dash.cloudflare.com: type AAAA, content 100::.',
    );
  }
}
