import { BROWSER_STORAGE, IGNORE_KEY, RAW_HOURS, SALT_HOURS } from './facts.ts';
import type { Wording } from './wording.ts';

const [{ key, days }] = BROWSER_STORAGE;
const territories =
  'the European Economic Area, the United Kingdom, Gibraltar, the Channel Islands, the Isle of Man or Switzerland';
const months = (n: number) => (n === 1 ? 'one month' : `${n} months`);

export const english: Wording = {
  heading: 'Statistics about the use of this website',
  intro: (domain) =>
    `We count how ${domain} is used, to see which pages are read, how people find them and what does not work well. The figures ` +
    'are about this website alone: visits are not linked to visits of other websites, and nothing of it serves advertising. ' +
    'How much is collected depends on your choice and on what your browser asks for.',
  tiers: {
    0: {
      name: 'Nothing',
      why: 'Nothing is stored about you or your visit. At most it is counted that something was refused, and why; with Global Privacy Control not even that.',
    },
    1: {
      name: 'Anonymous counts',
      why: 'Nothing that is stored tells one visitor from another, so that it cannot be traced to a person.',
    },
    2: {
      name: 'Anonymous sessions',
      why:
        'The visits of one day are held together by a code that is made from your IP address and the name of your browser with a ' +
        'random key. While the key exists, the code could be made again, and so it is personal data until then. The key is deleted ' +
        `after midnight (UTC), and ${SALT_HOURS} hours after its day began at the latest. After that nobody can tell whose code it was, nor ` +
        'link it to another day.',
    },
    3: {
      name: 'Analytics with consent',
      why: `A random identifier in your browser shows that several visits are from the same browser, for up to ${days} days. That is personal data, although your name is not known.`,
    },
  },
  facts: {
    refusal: {
      what: 'That an event was refused, when and why',
      purpose: 'To see how much is kept out, such as robots',
    },
    eventId: { what: 'A random number for each event', purpose: 'To count what arrives twice only once' },
    minute: { what: 'Time, to the minute', purpose: 'To show use over time' },
    moment: { what: 'Time, to the millisecond', purpose: 'To keep the order of events' },
    page: { what: 'Page: host and path, without its query', purpose: 'To see which pages are read' },
    arrival: { what: 'Referring site or campaign', purpose: 'To see how people find the site' },
    country: { what: 'Country', purpose: 'To see where it is read' },
    device: {
      what: 'Kind of device, and name of the browser',
      purpose: 'To make the site work on what people use',
    },
    customEvents: {
      what: 'Actions that the site reports, such as an order, and their details',
      purpose: 'To see whether the site serves its purpose',
    },
    totals: { what: 'Sums by hour and day', purpose: 'To show reports' },
    unstored: { what: 'Messages that could not be stored, as they came', purpose: 'To mend the fault' },
    order: {
      what: 'Which pages belong to one visit, their order and times',
      purpose: 'To understand how people find their way',
    },
    repeat: {
      what: 'That the same page reported an action again, by a code of page view and action',
      purpose: 'To count an action once a page',
    },
    dayHash: {
      what: 'A code that changes each day',
      purpose: 'To tell visits from page views, and count visitors of a day',
    },
    place: { what: 'Region and city', purpose: 'To see where it is read' },
    language: { what: 'Language of the browser', purpose: 'To know which languages are wanted' },
    title: { what: 'Title of the page', purpose: 'To check what was counted' },
    screen: { what: 'Size of the screen', purpose: 'To check what was counted' },
    visitorId: { what: 'A random identifier of the browser', purpose: 'To recognise returning visitors' },
    consent: {
      what: 'That consent was given in the middle of a visit, and on which page',
      purpose: 'To count that visit only once, and to understand how people find their way',
    },
    system: { what: 'Operating system', purpose: 'To make the site work on what people use' },
    attention: {
      what: 'How long a page was looked at, and how far down',
      purpose: 'To see what is actually read',
    },
    vitals: { what: 'How fast the page appeared and answered', purpose: 'To make the site faster' },
    trace: {
      what: 'Which requests a page made to our own servers, by their numbers, and their results',
      purpose: 'To find faults',
    },
  },
  kept: {
    raw: `${RAW_HOURS} hours after the end of the day`,
    unstored: 'Until they are stored or deleted, as long as visits at most',
    visits: (n) => (n === null ? 'Until the site is removed' : months(n)),
  },
  applies: {
    gpc: 'Your browser sends Global Privacy Control. Then nothing at all is collected, even if you agree.',
    dnt: 'Your browser sends Do Not Track. Then no more than this is collected, even if you agree.',
    withoutConsent: {
      required: 'You have not agreed, or have refused.',
      regional: `You have refused; or you have not answered, and are in ${territories}, or your country is not known.`,
      nobody: 'You have refused.',
    },
    withConsent: {
      required: 'You have agreed.',
      regional: `You have agreed; or you are not in ${territories}, and have not refused.`,
      nobody: 'You have not refused. This website does not ask beforehand.',
    },
    withoutStorage: 'More would be allowed, but your browser keeps nothing, or the page was left at once.',
    withoutSalt: 'More would be allowed, but the key of the day cannot be had for a moment.',
  },
  sections: {
    who: 'What applies to whom',
    what: 'What is stored',
    table: { what: 'What', purpose: 'What for', kept: 'For how long' },
    never: {
      heading: 'What is never stored',
      text:
        'Your IP address and the full identification of your browser come with every request. They are read while it is being ' +
        'answered, to find the country, region and city, the kind of device and the code of the day, to keep out robots and to limit abuse, and are not ' +
        'stored. Nor is the rest of the address of a page or of the page that you came from.',
    },
    personal: 'What of it is personal data',
    ownData: 'Actions that the site reports, and addresses of pages, hold what we put into them.',
    browser: {
      heading: 'Cookies and storage in your browser',
      below:
        `No cookies are set. If you ask not to be counted, \`${IGNORE_KEY}\` is kept in your browser to remember it; the page may look for it. ` +
        'Without the analytics with consent nothing else is kept in your browser or read from its storage.',
      consented:
        `With it, \`${key}\` is kept in the local storage of this website: the random identifier, when it ends, and whether consent was given ` +
        `in the middle of a visit. It ends ${days} days after it was made, and use does not prolong it.`,
    },
    choices: {
      heading: 'Your choice',
      items: [
        '**Global Privacy Control** in your browser ends all collection.',
        '**Do Not Track** in your browser limits it to anonymous counts, and nothing is kept in your browser.',
      ],
      withdrawal:
        '**Consent** can be refused or withdrawn at any time. What is kept in your browser is then deleted at once.',
    },
    keeping: {
      heading: 'How long it is kept',
      items: (n) => [
        `Single events: until ${RAW_HOURS} hours after the end of their day (UTC).`,
        n === null
          ? 'Visits and the sums made of them: until this website is removed from the statistics.'
          : `Visits and the sums made of them: ${months(n)}, deleted daily.`,
        `The random key of a day: until after midnight (UTC), ${SALT_HOURS} hours from the beginning of the day at most.`,
        'Messages that could not be stored: until they are stored or deleted, as long as visits at most.',
        'Lists of pages, names of actions, places, devices and referring sites, which do not say whose they were: until this website is removed.',
      ],
    },
    processors: {
      heading: 'Who processes it',
      text:
        'On our behalf: the provider of the statistics service, and the companies that it runs on, namely a network and computing ' +
        'provider, which receives the requests with your IP address; a database provider, which stores what is listed here; and a ' +
        'provider of short-term storage, which holds the key of the day and counters against abuse. [Put in their names and countries.]',
    },
    rights: {
      heading: 'Your rights',
      text:
        `Visits collected with consent can be found by the identifier in your browser: it is the first part of \`${key}\`. Send it to us and ` +
        'we tell you everything that is stored under it, or delete it. Without it we cannot find out which visits were yours.',
    },
  },
};
