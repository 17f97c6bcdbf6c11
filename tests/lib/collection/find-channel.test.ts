import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CHANNELS } from '../../../lib/collection/channels.ts';
import { findArrival } from '../../../lib/collection/find-arrival.ts';
import { channelOf } from '../../../lib/collection/find-channel.ts';
import { cleanUrl } from '../../../lib/collection/page-address.ts';

/** The channel of a visit that came through a link with this query, from this referrer. */
function channel(query: string, referrer = ''): string | undefined {
  const campaign = cleanUrl(`https://example.com/?${query}`)?.campaign ?? {};
  return channelOf(findArrival(referrer, campaign, ['example.com']), campaign);
}

describe('by the referrer alone', () => {
  test.each([
    ['', 'Direct'],
    ['https://www.google.pt/', 'Organic search'],
    ['https://duckduckgo.com/', 'Organic search'],
    ['android-app://com.google.android.googlequicksearchbox/', 'Organic search'],
    ['https://l.facebook.com/', 'Organic social'],
    ['https://t.co/x', 'Organic social'],
    ['https://www.youtube.com/', 'Organic video'],
    ['https://www.amazon.de/', 'Organic shopping'],
    ['https://shopping.google.com/', 'Organic shopping'],
    ['https://mail.google.com/', 'Email'],
    ['https://chatgpt.com/', 'AI assistants'],
    ['https://claude.ai/', 'AI assistants'],
    ['https://gemini.google.com/', 'AI assistants'],
    ['https://copilot.microsoft.com/', 'AI assistants'],
    ['https://www.perplexity.ai/', 'AI assistants'],
    ['https://chat.mistral.ai/', 'AI assistants'],
    ['https://chat.deepseek.com/', 'AI assistants'],
    ['https://grok.com/', 'AI assistants'],
    ['https://www.meta.ai/', 'AI assistants'],
    ['https://you.com/', 'AI assistants'],
    ['https://www.phind.com/', 'AI assistants'],
    ['https://ad.doubleclick.net/', 'Display'],
    ['https://news.ycombinator.com/', 'Referral'],
    ['https://blog.test/post', 'Referral'],
    ['android-app://org.example.reader/', 'Referral'],
    ['https://www.example.com/inner', undefined],
  ])('%s is %s', (referrer, expected) => expect(channel('', referrer)).toBe(expected));
});

describe('by what the link says', () => {
  test.each([
    ['utm_source=google&utm_medium=cpc', 'Paid search'],
    ['utm_source=google&utm_medium=cpc&utm_campaign=PT_Shopping', 'Paid shopping'],
    ['utm_source=google&utm_medium=organic', 'Organic search'],
    ['utm_source=gmb&utm_medium=organic', 'Organic search'],
    ['utm_source=facebook&utm_medium=paid_social', 'Paid social'],
    ['utm_source=unheard-of&utm_medium=paid-social', 'Paid social'],
    ['utm_source=ig&utm_medium=social', 'Organic social'],
    ['utm_source=facebook&utm_medium=organic', 'Organic social'],
    ['utm_source=facebook', 'Organic social'],
    ['utm_source=planner&utm_medium=social-media', 'Organic social'],
    ['utm_source=youtube&utm_medium=cpv', 'Paid video'],
    ['utm_source=player&utm_medium=video', 'Organic video'],
    ['utm_source=amazon&utm_medium=ppc', 'Paid shopping'],
    ['utm_source=flyer&utm_campaign=shop-opening', 'Organic shopping'],
    ['utm_source=flyer&utm_campaign=workshop', 'Campaign'],
    ['utm_source=chatgpt.com', 'AI assistants'],
    ['utm_source=openai&utm_medium=referral', 'AI assistants'],
    ['utm_source=copilot', 'AI assistants'],
    ['utm_source=partner&utm_medium=ai-assistant', 'AI assistants'],
    ['utm_source=newsletter', 'Email'],
    ['utm_source=june&utm_medium=E-Mail', 'Email'],
    ['utm_source=june&utm_medium=email&utm_campaign=shop', 'Email'],
    ['source=email', 'Email'],
    ['utm_source=site.test&utm_medium=banner', 'Display'],
    ['utm_source=site.test&utm_medium=cpm', 'Display'],
    ['utm_source=google&utm_medium=cpm', 'Paid search'],
    ['utm_source=partner&utm_medium=affiliate', 'Affiliates'],
    ['utm_source=show&utm_medium=podcast', 'Audio'],
    ['utm_source=sms', 'SMS'],
    ['utm_source=prisms', 'Campaign'],
    ['utm_source=app&utm_medium=web-push', 'Push'],
    ['utm_source=app&utm_medium=notification', 'Push'],
    ['utm_source=site.test&utm_medium=referral', 'Referral'],
    ['ref=producthunt', 'Referral'],
    ['ref=blog.test', 'Referral'],
    ['utm_source=site.test&utm_medium=cpc', 'Campaign'],
    ['utm_source=docs&utm_medium=mcp', 'Campaign'],
    ['utm_source=flyer', 'Campaign'],
    ['utm_campaign=spring', 'Campaign'],
  ])('%s is %s', (query, expected) => expect(channel(query)).toBe(expected));

  /** Words of `utm_medium` from a source that nobody knows. */
  test.each<[channel: string, media: string[]]>([
    [
      'AI assistants',
      ['ai', 'AI', 'aiassistant', 'ai-assistant', 'ai_assistants', 'ai assistant', 'aiassistants'],
    ],
    ['Email', ['mail', 'email', 'e-mail', 'e_mail', 'e mail', 'mailing', 'emailing', 'newsletter']],
    ['Affiliates', ['affiliate', 'affiliates']],
    ['Audio', ['audio', 'podcast']],
    ['SMS', ['sms', 'SMS']],
    ['Push', ['push', 'web-push', 'notification', 'app_notifications', 'firebase']],
    [
      'Organic social',
      ['social', 'sm', 'socialnetwork', 'social-network', 'social_media', 'social media', 'socialmedia'],
    ],
    ['Organic video', ['video', 'online-video', 'videos']],
    ['Organic search', ['organic']],
    ['Paid search', ['paid-search', 'paid_search', 'paid search', 'paidsearch', 'paid-search-de']],
    ['Paid social', ['paid-social', 'paidsocial']],
    ['Paid video', ['paid_video']],
    ['Paid shopping', ['paid shopping']],
    ['Display', ['display', 'banner', 'expandable', 'interstitial', 'cpm']],
    [
      'Campaign',
      [
        ...[
          'cpa',
          'cpc',
          'cpe',
          'cpi',
          'cpl',
          'cpp',
          'cpv',
          'ppc',
          'retargeting',
          'remarketing',
          'paid',
          'paid-x',
        ],
        ...['cpc-de', 'de_cpc', 'flyer'],
      ],
    ],
    ['Referral', ['referral', 'app', 'link']],
  ])('%s: %j', (expected, media) => {
    const found = media.map((medium) =>
      channel(new URLSearchParams({ utm_source: 'x1', utm_medium: medium }).toString()),
    );
    expect(found).toEqual(media.map(() => expected));
  });

  test.each([
    ...[
      'xai',
      'aix',
      'ai-assistants-x',
      'ai--assistant',
      'xmail',
      'mailx',
      'ee-mail',
      'emailings',
      'newsletters',
    ],
    ...[
      'xaffiliate',
      'affiliatesx',
      'xaudio',
      'audios',
      'podcasts',
      'smsx',
      'pushes',
      'firebases',
      'xfirebase',
    ],
    ...['xsocial', 'socials', 'social-x', 'xsm', 'smx', 'organics', 'xpaid-search', 'displays', 'xbanner'],
    ...['referrals', 'xapp', 'links'],
  ])('%s as a medium is no word of the list', (medium) => {
    expect(channel(`utm_source=x1&utm_medium=${medium}`)).toBe('Campaign');
  });

  test.each([
    // As payment, each of these would be a paid search.
    ...[
      'xcpc',
      'cpcx',
      'cpz',
      'cp',
      'ppcx',
      'xppc',
      'xretargeting',
      'retargetingx',
      'xremarketing',
      'unpaid',
    ],
  ])('%s as a medium is no payment', (medium) => {
    expect(channel(`utm_source=google&utm_medium=${medium}`)).toBe('Organic search');
  });

  test.each([
    ['shop', 'Organic shopping'],
    ['E-Shop', 'Organic shopping'],
    ['eshop', 'Organic shopping'],
    ['workshop', 'Campaign'],
    ['workshopping', 'Organic shopping'],
    ['shopping', 'Organic shopping'],
    ['sho', 'Campaign'],
  ])('a campaign %s is %s', (name, expected) => {
    expect(channel(`utm_source=x1&utm_campaign=${name}`)).toBe(expected);
  });

  test('a campaign for a shop is one only where nothing else is known, or a search', () => {
    expect(channel('utm_source=google&utm_campaign=shop')).toBe('Organic shopping');
    expect(channel('utm_source=facebook&utm_campaign=shop')).toBe('Organic social');
    expect(channel('utm_source=facebook&utm_medium=cpc&utm_campaign=shop')).toBe('Paid social');
  });

  test('it comes before the referrer, whose kind fills in what it leaves open', () => {
    expect(channel('utm_source=june&utm_medium=email', 'https://www.google.com/')).toBe('Email');
    expect(channel('utm_source=spring', 'https://www.facebook.com/')).toBe('Organic social');
    expect(channel('utm_source=chatgpt.com', 'https://www.google.com/')).toBe('AI assistants');
  });

  test('within the site it still counts', () => {
    expect(channel('utm_source=june&utm_medium=email', 'https://example.com/')).toBe('Email');
    expect(channel('gclid=1', 'https://example.com/')).toBeUndefined();
    expect(channel('gclid=1&utm_campaign=spring', 'https://example.com/')).toBe('Campaign');
    for (const query of ['source=flyer', 'ref=flyer']) {
      expect(channel(query, 'https://example.com/')).toBe('Referral');
      expect(channel(query)).toBe('Referral');
    }
  });
});

describe('by the presence of a click id', () => {
  test.each([
    ['gclid', '', 'Paid search'],
    ['gclid', 'https://www.google.com/', 'Paid search'],
    ['gbraid', 'https://www.youtube.com/', 'Paid video'],
    ['wbraid', 'https://ad.doubleclick.net/', 'Display'],
    ['gad_source', 'https://www.google.com/', 'Paid search'],
    ['gclid', 'https://www.facebook.com/', 'Organic social'],
    ['dclid', '', 'Display'],
    ['msclkid', 'https://www.bing.com/', 'Paid search'],
    ['yclid', 'https://yandex.ru/', 'Paid search'],
    ['ttclid', '', 'Paid social'],
    ['twclid', 'https://t.co/', 'Paid social'],
    ['li_fat_id', 'https://www.linkedin.com/', 'Paid social'],
    ['rdt_cid', '', 'Paid social'],
    ['ScCid', '', 'Paid social'],
    ['fbclid', '', 'Organic social'],
    ['fbclid', 'https://l.facebook.com/', 'Organic social'],
    ['igsh', '', 'Organic social'],
    ['srsltid', 'https://www.google.com/', 'Organic shopping'],
    ['mc_cid', '', 'Email'],
    ['awc', 'https://blog.test/', 'Affiliates'],
    ['tblci', '', 'Display'],
  ])('%s from %j is %s', (id, referrer, expected) =>
    expect(channel(`${id}=secret`, referrer)).toBe(expected),
  );

  test('of several, the paid one', () => {
    expect(channel('fbclid=1&utm_source=google&gclid=2')).toBe('Paid search');
  });
});

test('any link and referrer give one of the channels or a step within the site', () => {
  const word = fc.oneof(fc.string(), fc.constantFrom('google', 'cpc', '__proto__', 'constructor', 'email'));
  fc.assert(
    fc.property(
      word,
      word,
      word,
      fc.oneof(fc.webUrl(), fc.constant('')),
      (source, medium, name, referrer) => {
        const query = new URLSearchParams({ utm_source: source, utm_medium: medium, utm_campaign: name });
        const found = channel(query.toString(), referrer);
        expect(found === undefined || CHANNELS.includes(found as (typeof CHANNELS)[number])).toBe(true);
      },
    ),
    { numRuns: 1000 },
  );
});
