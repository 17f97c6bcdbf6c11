/**
 * Domains that are only ever referrers of made-up visits, so that owners look them up. Those below them count too. Sites that
 * also link for real don't belong here.
 */
export const SPAM_REFERRERS = `
100dollars-seo.com 4webmasters.org 7makemoneyonline.com anticrawler.org baixar-musicas-gratis.com best-seo-offer.com
best-seo-software.xyz best-seo-solution.com blackhatworth.com buttons-for-website.com buttons-for-your-website.com
buy-cheap-online.info cenokos.ru cenoval.ru cityadspix.com copyrightclaims.org dailyrank.net darodar.com
descargar-musica-gratis.net econom.co erot.co event-tracking.com fbdownloader.com floating-share-buttons.com
free-floating-buttons.com free-share-buttons.com free-social-buttons.com free-video-tool.com free-website-traffic.com
get-free-social-traffic.com get-free-traffic-now.com get-your-social-buttons.info googlsucks.com guardlink.org
howtostopreferralspam.eu hulfingtonpost.com hundejo.com ilovevitaly.co ilovevitaly.com ilovevitaly.org ilovevitaly.ru
iskalko.ru kabbalah-red-bracelets.com kambasoft.com keywords-monitoring-success.com
keywords-monitoring-your-success.com luxup.ru makemoneyonline.com net-profits.xyz o-o-6-o-o.com o-o-6-o-o.ru
o-o-8-o-o.com o-o-8-o-o.ru pornhub-forum.ga priceg.com qualitymarketzone.com rank-checker.online
rankings-analytics.com ranksonic.info ranksonic.org sanjosestartups.com savetubevideo.com savetubevideo.info
screentoolkit.com search-error.com semalt.com semaltmedia.com seo-platform.com seoanalyses.com seoexperimenty.ru
sexyali.com sharebutton.net simple-share-buttons.com site-auditor.online sitevaluation.org smailik.org
social-buttons.com socialseet.ru success-seo.com superiends.org theguardlan.com traffic2cash.org traffic2cash.xyz
traffic2money.com trafficmonetize.org trafficmonetizer.org uptimechecker.com video--production.com
videos-for-your-business.com vodkoved.ru webmaster-traffic.com webmonetizer.net websites-reviews.com websocial.me
`;
