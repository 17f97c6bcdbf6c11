/** Sources that are neither search engines, assistants nor social networks: hosts and Android packages by name. */

export const VIDEO_PLATFORMS: Readonly<Record<string, string>> = {
  YouTube: 'youtube.com youtu.be com.google.android.youtube',
  Vimeo: 'vimeo.com',
  Twitch: 'twitch.tv',
  Dailymotion: 'dailymotion.com dai.ly',
  Bilibili: 'bilibili.com b23.tv',
  Rumble: 'rumble.com',
  Odysee: 'odysee.com',
  Kick: 'kick.com',
  Niconico: 'nicovideo.jp',
  RuTube: 'rutube.ru',
  Wistia: 'wistia.com',
};

export const SHOPS: Readonly<Record<string, string>> = {
  'Google Shopping': 'shopping.google.com',
  Amazon: 'amazon.com com.amazon.mShop.android.shopping',
  eBay: 'ebay.com com.ebay.mobile',
  Etsy: 'etsy.com com.etsy.android',
  AliExpress: 'aliexpress.com',
  Alibaba: 'alibaba.com',
  Taobao: 'taobao.com tmall.com',
  'JD.com': 'jd.com',
  Rakuten: 'rakuten.co.jp rakuten.com',
  Walmart: 'walmart.com',
  Shopify: 'shop.app',
  Idealo: 'idealo.de idealo.es idealo.fr idealo.it idealo.co.uk idealo.at',
  PriceRunner: 'pricerunner.com pricerunner.se pricerunner.dk',
  KuantoKusta: 'kuantokusta.pt',
  Allegro: 'allegro.pl',
  'Mercado Libre': 'mercadolibre.com mercadolivre.com.br',
  Trendyol: 'trendyol.com',
  Zalando: 'zalando.com',
  Temu: 'temu.com',
};

export const SHOP_COUNTRY_BRANDS: Readonly<Record<string, string>> = {
  amazon: 'Amazon',
  ebay: 'eBay',
  zalando: 'Zalando',
  mercadolibre: 'Mercado Libre',
};

export const MAIL_SERVICES: Readonly<Record<string, string>> = {
  Gmail: 'mail.google.com com.google.android.gm',
  Outlook:
    'outlook.live.com outlook.office.com outlook.office365.com outlook.cloud.microsoft outlook.com com.microsoft.office.outlook',
  'Yahoo Mail': 'mail.yahoo.com com.yahoo.mobile.client.android.mail',
  'Yandex Mail': 'mail.yandex.ru mail.yandex.com',
  'Proton Mail': 'mail.proton.me protonmail.com ch.protonmail.android',
  'iCloud Mail': 'icloud.com',
  GMX: 'gmx.net gmx.com gmx.de',
  'WEB.DE': 'web.de',
  'Mail.ru': 'mail.ru',
  Fastmail: 'fastmail.com',
  Tuta: 'tuta.com tutanota.com',
  HEY: 'app.hey.com',
  'Zoho Mail': 'mail.zoho.com mail.zoho.eu',
  Roundcube: 'roundcube.net',
  Zimbra: 'zimbra.com',
  Mailchimp: 'list-manage.com campaign-archive.com',
};

/** Networks that show advertisements on other people’s pages. */
export const AD_NETWORKS: Readonly<Record<string, string>> = {
  'Google Ads': 'doubleclick.net googlesyndication.com googleadservices.com',
  Taboola: 'taboola.com',
  Outbrain: 'outbrain.com',
  Criteo: 'criteo.com criteo.net',
};

/** News, reading, reference and communities. */
export const SITES: Readonly<Record<string, string>> = {
  'Google News': 'news.google.com com.google.android.apps.magazines',
  'Google Translate': 'translate.google.com translate.goog',
  'Google Docs': 'docs.google.com',
  'Google Maps': 'maps.google.com com.google.android.apps.maps',
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
  Codeberg: 'codeberg.org',
  'Hugging Face': 'huggingface.co',
  Wikipedia: 'wikipedia.org',
  Notion: 'notion.so notion.site',
  Tripadvisor: 'tripadvisor.com',
  Trustpilot: 'trustpilot.com',
  'Indie Hackers': 'indiehackers.com',
};
