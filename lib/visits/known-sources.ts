/**
 * Names of sources that people know, by the hosts that send visitors. A host below a listed one bears its name too
 * (`l.facebook.com`), the longest listed one first (`mail.google.com` is Gmail, not Google).
 */
const SOURCES: Readonly<Record<string, string>> = {
  // Search
  Google: 'google.com com.google.android.googlequicksearchbox com.google.android.apps.searchlite',
  Bing: 'bing.com com.microsoft.bing',
  DuckDuckGo: 'duckduckgo.com com.duckduckgo.mobile.android',
  Yahoo: 'yahoo.com',
  Yandex: 'yandex.com ya.ru',
  Baidu: 'baidu.com',
  Ecosia: 'ecosia.org com.ecosia.android',
  Qwant: 'qwant.com',
  Startpage: 'startpage.com',
  'Brave Search': 'search.brave.com',
  Kagi: 'kagi.com',
  Mojeek: 'mojeek.com',
  Swisscows: 'swisscows.com',
  MetaGer: 'metager.org metager.de',
  Naver: 'naver.com',
  Daum: 'daum.net',
  Seznam: 'seznam.cz',
  Sogou: 'sogou.com',
  '360 Search': 'so.com',
  Shenma: 'sm.cn',
  'Cốc Cốc': 'coccoc.com',
  Ask: 'ask.com',
  AOL: 'aol.com',
  Dogpile: 'dogpile.com',
  Presearch: 'presearch.com presearch.io',
  SearXNG: 'searx.be searx.space',
  'T-Online': 't-online.de',
  Rambler: 'rambler.ru',
  // AI assistants
  ChatGPT: 'chatgpt.com chat.openai.com com.openai.chatgpt',
  Claude: 'claude.ai com.anthropic.claude',
  Perplexity: 'perplexity.ai ai.perplexity.app.android',
  Gemini: 'gemini.google.com bard.google.com com.google.android.apps.bard',
  'Microsoft Copilot': 'copilot.microsoft.com copilot.com com.microsoft.copilot',
  Mistral: 'chat.mistral.ai',
  DeepSeek: 'deepseek.com',
  Grok: 'grok.com',
  'Meta AI': 'meta.ai',
  Poe: 'poe.com',
  'You.com': 'you.com',
  Phind: 'phind.com',
  Kimi: 'kimi.com',
  // Social
  Facebook: 'facebook.com fb.com fb.me com.facebook.katana com.facebook.lite',
  Messenger: 'messenger.com m.me com.facebook.orca',
  Instagram: 'instagram.com com.instagram.android',
  Threads: 'threads.net threads.com com.instagram.barcelona',
  WhatsApp: 'whatsapp.com wa.me com.whatsapp',
  X: 'x.com twitter.com t.co com.twitter.android',
  LinkedIn: 'linkedin.com lnkd.in com.linkedin.android',
  Reddit: 'reddit.com redd.it com.reddit.frontpage',
  YouTube: 'youtube.com youtu.be com.google.android.youtube',
  TikTok: 'tiktok.com com.zhiliaoapp.musically com.ss.android.ugc.trill',
  Pinterest: 'pinterest.com pin.it com.pinterest',
  Snapchat: 'snapchat.com com.snapchat.android',
  Bluesky: 'bsky.app go.bsky.app xyz.blueskyweb.app',
  Mastodon:
    'mastodon.social mastodon.online mstdn.social mas.to fosstodon.org hachyderm.io mastodon.world org.joinmastodon.android',
  Telegram: 't.me telegram.org telegram.me org.telegram.messenger org.telegram.plus',
  Discord: 'discord.com discordapp.com discord.gg com.discord',
  Slack: 'slack.com com.slack',
  'Microsoft Teams': 'teams.microsoft.com teams.live.com com.microsoft.teams',
  Signal: 'signal.org org.thoughtcrime.securesms',
  VK: 'vk.com vk.ru com.vkontakte.android',
  Odnoklassniki: 'ok.ru',
  Weibo: 'weibo.com weibo.cn t.cn',
  WeChat: 'weixin.qq.com wx.qq.com com.tencent.mm',
  Zhihu: 'zhihu.com',
  Bilibili: 'bilibili.com',
  LINE: 'line.me jp.naver.line.android',
  KakaoTalk: 'kakao.com com.kakao.talk',
  Tumblr: 'tumblr.com',
  Quora: 'quora.com',
  Twitch: 'twitch.tv',
  Vimeo: 'vimeo.com',
  XING: 'xing.com',
  Nextdoor: 'nextdoor.com',
  Lemmy: 'lemmy.world lemmy.ml',
  // Mail
  Gmail: 'mail.google.com com.google.android.gm',
  Outlook:
    'outlook.live.com outlook.office.com outlook.office365.com outlook.com com.microsoft.office.outlook',
  'Yahoo Mail': 'mail.yahoo.com com.yahoo.mobile.client.android.mail',
  'Proton Mail': 'mail.proton.me protonmail.com ch.protonmail.android',
  'iCloud Mail': 'icloud.com',
  GMX: 'gmx.net gmx.com gmx.de',
  'WEB.DE': 'web.de',
  'Mail.ru': 'mail.ru',
  Fastmail: 'fastmail.com',
  Zimbra: 'zimbra.com',
  // News, reading and communities
  'Google News': 'news.google.com com.google.android.apps.magazines',
  'Apple News': 'apple.news',
  'Hacker News': 'news.ycombinator.com hckrnews.com hn.algolia.com',
  Lobsters: 'lobste.rs',
  Flipboard: 'flipboard.com flipboard.app',
  Feedly: 'feedly.com',
  Inoreader: 'inoreader.com',
  Pocket: 'getpocket.com',
  Instapaper: 'instapaper.com',
  SmartNews: 'smartnews.com jp.gocro.smartnews.android',
  MSN: 'msn.com',
  Slashdot: 'slashdot.org',
  Medium: 'medium.com',
  Substack: 'substack.com',
  'DEV Community': 'dev.to',
  Hashnode: 'hashnode.com',
  'daily.dev': 'daily.dev',
  'Product Hunt': 'producthunt.com',
  'Stack Overflow': 'stackoverflow.com',
  'Stack Exchange': 'stackexchange.com',
  GitHub: 'github.com',
  GitLab: 'gitlab.com',
  Wikipedia: 'wikipedia.org',
  'Indie Hackers': 'indiehackers.com',
};

/** Brands that keep a host in every country: `google.co.uk`, `yandex.kz`, `pinterest.de`. */
const COUNTRY_BRANDS: Readonly<Record<string, string>> = {
  google: 'Google',
  yandex: 'Yandex',
  yahoo: 'Yahoo',
  pinterest: 'Pinterest',
  baidu: 'Baidu',
  ask: 'Ask',
  aol: 'AOL',
};
const COUNTRY_HOST = /(?:^|\.)([a-z]+)\.(?:com?\.)?[a-z]{2}$/;

/** What people write into `utm_source` and `ref` for a source that has a name. */
const ALIASES: Readonly<Record<string, string>> = {
  adwords: 'Google',
  'google-ads': 'Google',
  google_ads: 'Google',
  googleads: 'Google',
  msn: 'MSN',
  fb: 'Facebook',
  ig: 'Instagram',
  insta: 'Instagram',
  twitter: 'X',
  tw: 'X',
  li: 'LinkedIn',
  yt: 'YouTube',
  hn: 'Hacker News',
  hackernews: 'Hacker News',
  'hacker-news': 'Hacker News',
  producthunt: 'Product Hunt',
  'product-hunt': 'Product Hunt',
  openai: 'ChatGPT',
  wa: 'WhatsApp',
  tg: 'Telegram',
  bsky: 'Bluesky',
};

const byHost = new Map<string, string>();
const byAlias = new Map<string, string>(Object.entries(ALIASES));
for (const [name, hosts] of Object.entries(SOURCES)) {
  for (const host of hosts.split(' ')) byHost.set(host, name);
  byAlias.set(name.toLowerCase(), name);
}

/** The name of the source that a host or an Android package belongs to, if it is a known one. */
export function sourceOfHost(host: string): string | undefined {
  for (let rest = host; rest.includes('.'); rest = rest.slice(rest.indexOf('.') + 1)) {
    const name = byHost.get(rest);
    if (name !== undefined) return name;
  }
  const brand = COUNTRY_HOST.exec(host)?.[1];
  return brand !== undefined && Object.hasOwn(COUNTRY_BRANDS, brand) ? COUNTRY_BRANDS[brand] : undefined;
}

/** The name of the source that a campaign parameter means: a name, a nickname or a host. */
export function sourceOfLabel(label: string): string | undefined {
  const plain = label.toLowerCase();
  return byAlias.get(plain) ?? sourceOfHost(plain);
}
